package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
)

const key = "the key of the signatures"

// got is what a receiver was sent.
type got struct {
	*http.Request
	body string
}

// receiver answers each POST with the status, and hands it over.
func receiver(t *testing.T, status int, header ...string) (url string, sent chan got) {
	t.Helper()
	sent = make(chan got, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- got{r, string(body)}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/secret-topic", sent
}

func to(url string, shape remote.Shape) channel.Recipient {
	return channel.Recipient{Shape: shape, Secret: func(name string) (string, error) {
		return map[string]string{channel.HookURL: url, channel.HookKey: key}[name], nil
	}}
}

const link = "https://studio-pc.example:8443/#/q/0b3e_1c9a"

var letter = channel.Letter{
	ID: "ABCDEFGH", Event: channel.Asked, Kind: "ask", Task: "KES-47", Project: "Kestrel", Title: "KES-47 fragt: süß?", Count: 3,
	Text: "Which <!channel> *part* @everyone?\n[x](https://example.com)", Options: []string{"Parser", "Planner & <b>"}, Deadline: 7, Time: 5, Link: link,
}

// failure is that of a letter that was not taken; it fails the test where it was, or
// where the address shows.
func failure(t *testing.T, url string) *channel.Failure {
	t.Helper()
	err := New().Send(t.Context(), to(url, remote.JSON), letter)
	var f *channel.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%s took it: %v", url, err)
	}
	if strings.Contains(err.Error(), "secret-topic") {
		t.Errorf("it names the address: %v", err)
	}
	return f
}

func TestAReceiverCanCheckWhoSentIt(t *testing.T) {
	t.Parallel()
	url, sent := receiver(t, http.StatusNoContent)
	if err := New().Send(t.Context(), to(url, remote.JSON), letter); err != nil {
		t.Fatal(err)
	}
	r := <-sent
	seconds, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Beckon-Signature"), "t="), ",")
	var at int64
	if err := json.Unmarshal([]byte(seconds), &at); err != nil || time.Since(time.Unix(at, 0)).Abs() > time.Hour {
		t.Fatalf("signed %q", r.Header.Get("Beckon-Signature"))
	}
	if want := sign(key, time.Unix(at, 0), []byte(r.body)); r.Header.Get("Beckon-Signature") != want || r.Method != http.MethodPost || r.URL.Path != "/secret-topic" {
		t.Errorf("%s %s signed %q, want %q", r.Method, r.URL, r.Header.Get("Beckon-Signature"), want)
	}
	want := `{"id":"ABCDEFGH","event":"asked","kind":"ask","task":"KES-47","project":"Kestrel","title":"KES-47 fragt: süß?",` +
		`"text":"Which \u003c!channel\u003e *part* @everyone?\n[x](https://example.com)","options":["Parser","Planner \u0026 \u003cb\u003e"],"waiting":3,"deadline":7,"link":"` + link + `","time":5}`
	if r.body != want || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s\nwant %s", r.body, want)
	}
}

func TestASignatureIsOfTheKeyTheTimeAndTheBody(t *testing.T) {
	t.Parallel()
	// Computed with: printf '5.{}' | openssl dgst -sha256 -hmac k
	const want = "t=5,v1=d066254199a6f40d63f96c33c549959d7a371ef849d13d2a85811237089b2d00"
	if got := sign("k", time.Unix(5, 0), []byte("{}")); got != want {
		t.Errorf("signed %s", got)
	}
}

// TestWhatPeopleReadIsInert: agents' words are no marks, links or mentions there.
func TestWhatPeopleReadIsInert(t *testing.T) {
	t.Parallel()
	for shape, check := range map[remote.Shape]func(r got){
		remote.Ntfy: func(r got) {
			title, err := new(mime.WordDecoder).DecodeHeader(r.Header.Get("Title"))
			if err != nil || title != letter.Title || !strings.HasPrefix(r.body, letter.Text+"\n1. Parser\n2. Planner") || r.Header.Get("Priority") != "default" || r.Header.Get("Click") != link {
				t.Errorf("%q, %v, %q, leads to %q", title, err, r.body, r.Header.Get("Click"))
			}
		},
		remote.Slack: func(r got) {
			var m struct {
				Text   string
				Mrkdwn bool
			}
			if err := json.Unmarshal([]byte(r.body), &m); err != nil || strings.ContainsAny(m.Text, "<>") || !strings.Contains(m.Text, "Which &lt;!channel&gt; *part*") || !strings.HasSuffix(m.Text, "\n"+link) || m.Mrkdwn {
				t.Errorf("%v, %q", err, r.body)
			}
		},
		remote.Discord: func(r got) {
			var m struct {
				Content string
				Allowed struct{ Parse []string } `json:"allowed_mentions"`
			}
			if err := json.Unmarshal([]byte(r.body), &m); err != nil || !strings.Contains(m.Content, `Which \<!channel\> \*part\* \@everyone?`) ||
				!strings.Contains(m.Content, `\[x\]\(`) || !strings.HasSuffix(m.Content, "\n"+link) || m.Allowed.Parse == nil || len(m.Allowed.Parse) > 0 {
				t.Errorf("%v, %q", err, r.body)
			}
		},
	} {
		url, sent := receiver(t, http.StatusOK)
		if err := New().Send(t.Context(), to(url, shape), letter); err != nil {
			t.Fatal(shape, err)
		}
		check(<-sent)
		settled := letter
		settled.Event = channel.Settled
		if err := New().Send(t.Context(), to(url, shape), settled); err != nil || len(sent) > 0 {
			t.Errorf("%s tells people what they settled: %v", shape, err)
		}
	}
}

func TestLongTextsFit(t *testing.T) {
	t.Parallel()
	long := letter
	long.Text = strings.Repeat("*ä_", 5000)
	body, _, _ := asDiscord(long)
	var m struct{ Content string }
	if err := json.Unmarshal(body, &m); err != nil || len([]rune(m.Content)) > discordMost || !strings.HasSuffix(m.Content, "…\n"+link) {
		t.Errorf("%d characters, %v", len([]rune(m.Content)), err)
	}
	if body, _, _ := asNtfy(long); len(body) > ntfyMost {
		t.Errorf("%d bytes", len(body))
	}
}

func TestAReceiverThatDoesNotTakeItIsSaid(t *testing.T) {
	t.Parallel()
	url, sent := receiver(t, http.StatusTooManyRequests, "Retry-After", "120")
	if f := failure(t, url); f.Trouble != remote.Refused || f.Detail != "HTTP 429" || f.After != 2*time.Minute {
		t.Errorf("%+v", f)
	}
	<-sent
	for status, final := range map[int]bool{http.StatusBadRequest: true, http.StatusRequestEntityTooLarge: true, http.StatusNotFound: false, http.StatusInternalServerError: false} {
		url, _ := receiver(t, status)
		if f := failure(t, url); f.Final != final {
			t.Errorf("%d: %+v", status, f)
		}
	}
	elsewhere, never := receiver(t, http.StatusOK)
	url, _ = receiver(t, http.StatusTemporaryRedirect, "Location", elsewhere)
	if f := failure(t, url); f.Detail != "HTTP 307" || len(never) > 0 {
		t.Errorf("a redirect: %+v, %d followed it", f, len(never))
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + l.Addr().String() + "/secret-topic"
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if f := failure(t, gone); f.Trouble != remote.Unreachable {
		t.Errorf("nobody listens: %+v", f)
	}
}

func TestAReceiverThatHangsIsLeft(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(hang) })
	if f := failure(t, s.URL+"/secret-topic"); f.Trouble != remote.Unreachable || f.Detail != "no answer in time" {
		t.Errorf("%+v", f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New().Send(ctx, to(s.URL, remote.JSON), letter); err == nil {
		t.Error("it took a letter of nobody")
	}
}

func TestAnAddressThatMayNotBeIsRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://169.254.169.254/secret-topic", "http://93.184.216.34/secret-topic"} {
		if f := failure(t, url); f.Trouble != remote.Forbidden {
			t.Errorf("%s: %+v", url, f)
		}
	}
}

func TestAnAddressIsCheckedBeforeItIsKept(t *testing.T) {
	t.Parallel()
	for url, host := range map[string]string{
		"https://ntfy.acme.dev/topic": "ntfy.acme.dev", "https://user:pass@ntfy.acme.dev:8443/x?y=z": "ntfy.acme.dev:8443", "http://10.0.0.2:8123/api": "10.0.0.2:8123",
		"HTTPS://ntfy.sh/x": "ntfy.sh",
		"":                  "", "ntfy.sh/x": "", "https://": "", "https:///x": "", "https://:80/x": "", "ftp://host/x": "", "javascript:alert(1)": "", "https://host/#x": "", "https://a b/": "", "https://host/" + strings.Repeat("x", mostURL): "",
	} {
		got, err := New().Check(remote.Address{URL: url, Shape: remote.JSON})
		if got != host || (host == "") != errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%.60q: %q, %v", url, got, err)
		}
	}
	if _, err := New().Check(remote.Address{URL: "https://host/", Shape: "fax"}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a shape that is none: %v", err)
	}
}
