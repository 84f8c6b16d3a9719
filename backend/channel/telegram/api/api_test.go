package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/tests/telegramtest"
	"beckon/tests/timeout"

	"github.com/go-telegram/bot/models"
)

const mira int64 = 501

func plainText(s string) Message { return Message{Text: Text{Plain: s}} }

func started(t *testing.T) (*telegramtest.Server, *Client, *telegramtest.Person) {
	t.Helper()
	s := telegramtest.New(t)
	c := client(t, s.URL, telegramtest.Token)
	p := s.Person(mira, "Mira")
	p.Type(mira, "/start")
	return s, c, p
}

func client(t *testing.T, url, token string) *Client {
	t.Helper()
	c, err := New(url, token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestCallsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	s, c, p := started(t)
	ctx := t.Context()
	if name, err := c.Me(ctx); err != nil || name != telegramtest.BotName {
		t.Errorf("%q, %v", name, err)
	}
	forum := p.Group(-100, "Crew", true)
	topic, err := c.AddTopic(ctx, forum, "kestrel")
	if err != nil {
		t.Fatal(err)
	}
	m := Message{Text: Text{Plain: "hello", Entities: []models.MessageEntity{{Type: "bold", Length: 5}}}, Topic: topic}
	id, err := c.Send(ctx, forum, m)
	if err != nil || s.Message(forum, id).Topic != topic || len(s.Message(forum, id).Entities) != 1 {
		t.Fatalf("%v %+v", err, s.Message(forum, id))
	}
	asked, err := c.Send(ctx, forum, Message{Text: Text{Plain: "Words?"}, Below: ForceReply(strings.Repeat("x", 90)), ReplyTo: id})
	if got := s.Message(forum, asked); err != nil || !got.ForceReply || got.ReplyTo != id {
		t.Errorf("%v %+v", err, got)
	}
	for range 2 { // the second changes nothing, which is as it should be
		if err := c.Edit(ctx, forum, id, plainText("bye")); err != nil || s.Message(forum, id).Text != "bye" {
			t.Error(err)
		}
	}
	if err := errors.Join(c.Unbutton(ctx, forum, id), c.Delete(ctx, forum, id), c.SetMenu(ctx, "de", []Command{{"help", "Hilfe"}})); err != nil {
		t.Error(err)
	}
	if s.Message(forum, id).ID != 0 || len(s.Commands("de")) != 1 {
		t.Error("nothing is deleted, or no menu set")
	}
	if _, err := c.SendFile(ctx, forum, topic, "a.diff", []byte("+x")); err != nil {
		t.Error(err)
	}
}

func TestErrorsSayWhatCanBeDone(t *testing.T) {
	t.Parallel()
	s, c, p := started(t)
	s.Tolerate()
	group := p.Group(-42, "Crew", false)
	send := func(chat int64, words string) error {
		_, err := c.Send(t.Context(), chat, plainText(words))
		return err
	}
	fail := func(f telegramtest.Fault) error {
		f.Method = "sendMessage"
		s.Fail(f)
		return send(mira, "x")
	}
	s.Migrate(group, -10042)
	for name, c := range map[string]struct {
		err  error
		kind Kind
	}{
		"limited":     {fail(telegramtest.Fault{Status: 429, RetryAfter: 9}), Limited},
		"no service":  {fail(telegramtest.Fault{Status: 502, Description: "bad gateway"}), Unreachable},
		"dropped":     {fail(telegramtest.Fault{Drop: true}), Unreachable},
		"conflict":    {fail(telegramtest.Fault{Status: 409}), Conflict},
		"no token":    {fail(telegramtest.Fault{Status: 401}), BadToken},
		"not found":   {fail(telegramtest.Fault{Status: 404}), BadToken},
		"teapot":      {fail(telegramtest.Fault{Status: 418}), Refused},
		"redirected":  {fail(telegramtest.Fault{Status: 302}), Unreachable},
		"too long":    {send(mira, strings.Repeat("x", 5000)), Refused},
		"no chat":     {send(77, "x"), Refused},
		"moved":       {send(group, "x"), Moved},
		"not a token": {func() error { _, err := New(s.URL, "1:../../x"); return err }(), BadToken},
	} {
		if KindOf(c.err) != c.kind || c.err.Error() == "" {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	moved, limited := new(Error), new(Error)
	if err := send(group, "x"); !errors.As(err, &moved) || moved.MovedTo != -10042 {
		t.Error(err)
	}
	if err := fail(telegramtest.Fault{Status: 429, RetryAfter: 9}); !errors.As(err, &limited) || limited.RetryAfter != 9*time.Second || Again(err) < 9*time.Second || Again(err) > 10*time.Second {
		t.Error(err)
	}
	p.Block(mira)
	if err := send(mira, "x"); KindOf(err) != Closed {
		t.Error(err)
	}
}

// TestTheTokenIsInNoError has everything fail that can, servers that repeat the
// address included.
func TestTheTokenIsInNoError(t *testing.T) {
	t.Parallel()
	_, secret, _ := strings.Cut(telegramtest.Token, ":")
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := len(r.URL.Path) % 4; n {
		case 0:
			http.Redirect(w, r, "http://127.0.0.1:1"+r.URL.Path, http.StatusFound)
		case 1:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"ok":false,"error_code":400,"description":%q}`, r.URL.Path)
		default:
			fmt.Fprint(w, "<html>", r.URL.Path)
		}
	}))
	t.Cleanup(echo.Close)
	for _, url := range []string{echo.URL, "http://127.0.0.1:1", "http://[::1", "ftp://x"} {
		c := client(t, url, telegramtest.Token)
		ctx, cancel := context.WithTimeout(t.Context(), timeout.For(20*time.Second))
		_, err1 := c.Me(ctx)
		_, err2 := c.Send(ctx, 1, plainText("x"))
		_, err3 := c.updates(ctx, 1)
		_, err4 := c.SendFile(ctx, 1, 0, "a", []byte("x"))
		errs := []error{
			err1, err2, err3, err4, c.Edit(ctx, 1, 1, plainText("x")), c.Unbutton(ctx, 1, 1), c.Delete(ctx, 1, 1),
			c.Toast(ctx, "1", "x", false), c.SetMenu(ctx, "", nil),
		}
		cancel()
		for n, err := range errs {
			if err == nil {
				t.Errorf("call %d of %s does not fail", n, url)
				continue
			}
			if said := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(said, secret) {
				t.Errorf("call %d of %s tells the token: %s", n, url, said)
			}
			for inner := err; inner != nil; inner = errors.Unwrap(inner) {
				if strings.Contains(inner.Error(), secret) {
					t.Errorf("call %d of %s has the token within", n, url)
				}
			}
		}
	}
}

// taker polls and notes what came.
type taker struct {
	mu      sync.Mutex
	texts   []string
	handled int64
	fail    func(*models.Update) error
	paused  []time.Duration
	trouble []Kind
	changed chan struct{}
}

func (k *taker) poll(c *Client) Poll {
	c.sleep = func(ctx context.Context, d time.Duration) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.paused = append(k.paused, d)
		return ctx.Err()
	}
	return Poll{
		After: k.handled,
		Handle: func(_ context.Context, u *models.Update) error {
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.fail != nil {
				if err := k.fail(u); err != nil {
					return err
				}
			}
			if u.Message != nil {
				k.texts = append(k.texts, u.Message.Text)
			}
			return nil
		},
		Handled: func(_ context.Context, id int64) error {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.handled = id
			return nil
		},
		Trouble: func(err error) {
			k.mu.Lock()
			defer k.mu.Unlock()
			if err != nil {
				k.trouble = append(k.trouble, KindOf(err))
			}
			select {
			case k.changed <- struct{}{}:
			default:
			}
		},
	}
}

// until polls until is holds.
func (k *taker) until(t *testing.T, c *Client, is func() bool) {
	t.Helper()
	k.changed = make(chan struct{}, 1)
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(30*time.Second))
	done := make(chan error, 1)
	go func() { done <- c.Poll(ctx, k.poll(c)) }()
	for held := false; !held; {
		select {
		case <-k.changed:
		case <-ctx.Done():
			t.Error("waited in vain")
		}
		k.mu.Lock()
		held = is() || ctx.Err() != nil
		k.mu.Unlock()
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAnUpdateIsConfirmedOnlyOnceItIsHandled(t *testing.T) {
	t.Parallel()
	s, c, p := started(t)
	p.Type(mira, "one")
	p.Type(mira, "two")
	failures := 3
	k := &taker{fail: func(u *models.Update) error {
		if u.Message.Text == "one" && failures > 0 {
			failures--
			return errors.New("the disk is full")
		}
		return nil
	}}
	k.until(t, c, func() bool { return len(k.texts) == 3 })
	if want := []string{"/start", "one", "two"}; !slices.Equal(k.texts, want) || k.handled != 3 {
		t.Errorf("%q, %d", k.texts, k.handled)
	}
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(k.paused, want) {
		t.Errorf("waited %v", k.paused)
	}
	// What was handled and not confirmed comes again, and is not handled again.
	p.Type(mira, "three")
	k.until(t, c, func() bool { return len(k.texts) > 3 })
	if want := []string{"/start", "one", "two", "three"}; !slices.Equal(k.texts, want) {
		t.Errorf("%q", k.texts)
	}
	if got := s.Calls("getUpdates")[0].Form; got["timeout"] != "50" || got["allowed_updates"] != kinds {
		t.Errorf("%v", got)
	}
}

func TestThePollGoesOnForEverWhateverTheNetworkDoes(t *testing.T) {
	t.Parallel()
	s, c, p := started(t)
	s.Fail(telegramtest.Fault{Method: "getUpdates", Drop: true, Times: 4})
	s.Fail(telegramtest.Fault{Method: "getUpdates", Status: 503, Times: 5})
	s.Fail(telegramtest.Fault{Method: "getUpdates", Status: 429, RetryAfter: 100})
	p.Type(mira, "after all")
	k := &taker{}
	k.until(t, c, func() bool { return slices.Contains(k.texts, "after all") })
	for n, want := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if k.paused[n] != time.Duration(want)*time.Second {
			t.Errorf("pause %d is %v, want %d s", n, k.paused[n], want)
		}
	}
	if last := k.paused[9]; last < 100*time.Second || last > 101*time.Second {
		t.Errorf("waited %v where the service says 100 s", last)
	}
}

func TestThePollEndsWhereItIsUseless(t *testing.T) {
	t.Parallel()
	s, c, _ := started(t)
	k := &taker{}
	s.Fail(telegramtest.Fault{Method: "getUpdates", Status: 409, Times: 3})
	if err := c.Poll(t.Context(), k.poll(c)); KindOf(err) != Conflict || len(k.paused) != 2 {
		t.Errorf("%v, %v", err, k.paused)
	}
	s.Fail(telegramtest.Fault{Method: "getUpdates", Status: 401})
	if err := c.Poll(t.Context(), k.poll(c)); KindOf(err) != BadToken {
		t.Error(err)
	}
}

func TestABotWithAWebhookSaysSoAndGoesOnOnceThatIsGone(t *testing.T) {
	t.Parallel()
	s, c, _ := started(t)
	k := &taker{}
	s.SetWebhook("https://hooks.example/bot")
	k.until(t, c, func() bool {
		if len(k.trouble) > 0 {
			s.SetWebhook("")
		}
		return len(k.texts) > 0
	})
	if k.trouble[0] != Hooked {
		t.Errorf("a webhook is taken for %q", kindNames[k.trouble[0]])
	}
}

func TestAnUpdateThatCannotBeReadHoldsNothingUp(t *testing.T) {
	t.Parallel()
	calls := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			fmt.Fprint(w, `{"ok":true,"result":[{"update_id":7,"message":{"message_id":"seven"}},{"update_id":8,"message":{"message_id":8,"text":"eight"}}]}`)
			return
		}
		fmt.Fprint(w, `{"ok":true,"result":[]}`)
	}))
	t.Cleanup(service.Close)
	k := &taker{}
	k.until(t, client(t, service.URL, telegramtest.Token), func() bool { return len(k.texts) == 1 })
	if k.handled != 8 || k.texts[0] != "eight" {
		t.Errorf("%d %q", k.handled, k.texts)
	}
}
