package toolserver

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/loopbacktest"

	"github.com/mark3labs/mcp-go/server"
)

// attacked is the server as a foreign page or a stranger would meet it (S1 to
// S8, S10).
func attacked(h *house, token string) loopbacktest.Server {
	return loopbacktest.Server{
		URL: strings.TrimSuffix(h.URL(), Path),
		Authorize: func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Accept", "application/json, text/event-stream")
		},
		Routes: []string{"POST " + Path},
		Body:   helloBody,
	}
}

func TestForeignPagesReachNoTool(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	attacked(h, token).Attacks(t)
}

func TestStrangersReachNoTool(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	ended, _ := h.admit(t)
	h.Dismiss(ended)
	bearer := func(s string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+s) }
	}
	attacked(h, token).Strangers(t, map[string]func(*http.Request){
		"none":           func(r *http.Request) { r.Header.Del("Authorization") },
		"blank":          bearer(""),
		"a space":        bearer(" "),
		"cut":            bearer(token[:len(token)-1]),
		"longer":         bearer(token + "A"),
		"other case":     bearer(strings.ToLower(token)),
		"made up":        bearer(base64.RawURLEncoding.EncodeToString(make([]byte, 32))),
		"ended":          bearer(ended),
		"variable":       bearer("${BECKON_TOKEN}"),
		"two headers":    func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") },
		"another scheme": func(r *http.Request) { r.Header.Set("Authorization", "Basic "+token) },
		"no scheme":      func(r *http.Request) { r.Header.Set("Authorization", token) },
		"in the URL": func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "token=" + token + "&access_token=" + token
		},
		"in a cookie": func(r *http.Request) {
			r.Header.Del("Authorization")
			r.AddCookie(&http.Cookie{Name: "token", Value: token})
		},
	})
}

func TestARefusalSaysWhyToProgramsAndPeople(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	res := (&wire{h: h, token: "wrong"}).post(t, helloBody)
	body, err := io.ReadAll(res.Body)
	must(t, err)
	no := decode[refusal](t, string(body))
	if res.StatusCode != http.StatusUnauthorized || res.Header.Get("WWW-Authenticate") != "Bearer" ||
		no.Code != "unauthorized" || no.Message == "" || no.Error.Message != no.Message || strings.Contains(string(body), "wrong\"") {
		t.Errorf("%s %v\n%s", res.Status, res.Header, body)
	}
}

func TestTokensCanNotBeGuessedFromOneAnother(t *testing.T) {
	t.Parallel()
	s := &Server{ctx: t.Context(), callers: map[tokenHash]*caller{}}
	seen := map[string]bool{}
	for range 1000 {
		token := s.Admit(Caller{})
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil || len(raw) != 32 || seen[token] {
			t.Fatalf("token %q: %v", token, err)
		}
		seen[token] = true
	}
}

// TestOtherMethodsDoNothing: S8, and no GET stream that could swallow what
// belongs to a call.
func TestOtherMethodsDoNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodTrace} {
		res := w.do(t, w.request(t, method, askBody(1, `{}`)))
		if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "POST, DELETE" {
			t.Errorf("%s: %s, allow %q", method, res.Status, res.Header.Get("Allow"))
		}
	}
	for _, path := range []string{"/", "/health", "/mcp/", "/.well-known/oauth-protected-resource"} {
		r := w.request(t, http.MethodPost, askBody(1, `{}`))
		r.URL.Path = path
		if res := w.do(t, r); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, want 404", path, res.Status)
		}
		r = w.request(t, http.MethodPost, askBody(1, `{}`))
		r.URL.Path, r.Host = path, "evil.test"
		if res := w.do(t, r); res.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s of another host: %s, want 421", path, res.Status)
		}
	}
	if len(h.events) != 0 {
		t.Errorf("%d questions were shown", len(h.events))
	}
}

func TestOnlyThisMachineReachesTheServer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	host, _, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(h.URL(), "http://"), Path))
	must(t, err)
	if host != "127.0.0.1" {
		t.Errorf("listens on %s", host)
	}
}

// TestOneRunCanNotActForAnother is S5: neither with its own token in another's
// session, nor by another's number.
func TestOneRunCanNotActForAnother(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	tokenA, runA := h.admit(t)
	tokenB, runB := h.admit(t)
	a, b := h.dial(t, tokenA), h.dial(t, tokenB)
	b.post(t, askBody(7, `{}`))
	if q := h.shown(t); q.RunID != runB {
		t.Fatalf("B's question is shown as %s", q.RunID)
	}
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	if res := a.post(t, cancel); res.StatusCode != http.StatusAccepted {
		t.Errorf("A's own cancellation: %s", res.Status)
	}
	intruder := &wire{h: h, token: tokenA, session: b.session}
	for _, body := range []string{cancel, askBody(8, `{}`)} {
		if res := intruder.post(t, body); res.StatusCode != http.StatusNotFound {
			t.Errorf("A in B's session: %s, want 404", res.Status)
		}
	}
	if res := intruder.do(t, intruder.request(t, http.MethodDelete, "")); res.StatusCode != http.StatusNotFound {
		t.Errorf("A ends B's session: %s, want 404", res.Status)
	}
	modern := strings.Replace(cancel, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},`, 1)
	r := intruder.request(t, http.MethodPost, modern)
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	if res := intruder.do(t, r); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a protocol without sessions: %s, want 400", res.Status)
	}
	if len(h.events) != 0 || h.desk.Open(runB) != 1 || h.desk.Open(runA) != 0 {
		t.Errorf("B has %d open and A %d; want 1 and 0", h.desk.Open(runB), h.desk.Open(runA))
	}
}

func TestATokenDiesWithItsRun(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	other, otherRun := h.admit(t)
	w := h.dial(t, token)
	w.post(t, askBody(1, `{}`))
	h.shown(t)
	h.dial(t, other).post(t, askBody(1, `{}`))
	h.shown(t)
	began := time.Now()
	h.Dismiss(token)
	if res := w.post(t, askBody(2, `{}`)); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("replay: %s, want 401", res.Status)
	}
	if q := h.shown(t); q.Settlement == beckon.Open || q.Reason.String() != errDismissed.Error() {
		t.Errorf("the open question is %s because %q", q.Settlement, q.Reason)
	}
	if took := time.Since(began); took > grace/2 {
		t.Errorf("it took %v to revoke", took)
	}
	if h.desk.Open(otherRun) != 1 {
		t.Error("another run's question went with it")
	}
	h.Dismiss(token) // again, and of a stranger: nothing
	h.Dismiss("unknown")
}

// TestABlockedCallShowsAtOnceThatItLives: Claude's client gives up a call that
// has no headers after 60 s, or no progress for 300 s.
func TestABlockedCallShowsAtOnceThatItLives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ meta, first, later string }{
		"number":   {`{"progressToken":7}`, `"progressToken":7`, `"method":"notifications/progress"`},
		"string":   {`{"progressToken":"p"}`, `"progressToken":"p"`, `"method":"notifications/progress"`},
		"no token": {`{}`, ": waiting", ": waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.beat = 50 * time.Millisecond
			token, _ := h.admit(t)
			w := h.dial(t, token)
			began := time.Now()
			res := w.post(t, askBody(3, c.meta))
			if took := time.Since(began); took > grace/2 || res.Header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("headers after %v: %v", took, res.Header)
			}
			stream := bufio.NewReader(res.Body)
			if first := data(t, stream); !strings.Contains(first, c.first) {
				t.Errorf("first sign: %s", first)
			}
			last := -1.0
			for range 3 {
				sign := data(t, stream)
				if !strings.Contains(sign, c.later) {
					t.Errorf("later sign: %s", sign)
				}
				if strings.HasPrefix(sign, "data: ") {
					p := decode[progress](t, strings.TrimPrefix(sign, "data: ")).Params.Progress
					if p <= last {
						t.Errorf("progress went from %v to %v", last, p)
					}
					last = p
				}
			}
			must(t, h.desk.Answer(t.Context(), h.shown(t).ID, words("yes")))
			if end := final(t, stream); !strings.Contains(end, `"id":3`) || !strings.Contains(end, `\"3\" → \"yes\"`) {
				t.Errorf("the stream ends with %s", end)
			}
			if rest, err := io.ReadAll(stream); err != nil || strings.TrimSpace(string(rest)) != "" {
				t.Errorf("after the answer: %q, %v", rest, err)
			}
		})
	}
}

// progress is as much of a progress notification as matters.
type progress struct {
	Params struct{ Progress float64 }
}

// data returns the next data line or comment of a stream.
func data(t *testing.T, stream *bufio.Reader) string {
	t.Helper()
	for {
		if s := line(t, stream); s != "event: message" {
			return s
		}
	}
}

// final returns the line with the call's result.
func final(t *testing.T, stream *bufio.Reader) string {
	t.Helper()
	for {
		if s := data(t, stream); strings.Contains(s, `"result"`) {
			return s
		}
	}
}

func TestAClientWithoutEventsGetsPlainJSON(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	r := w.request(t, http.MethodPost, askBody(1, `{"progressToken":1}`))
	r.Header.Set("Accept", "application/json")
	go func() {
		if err := h.desk.Answer(context.WithoutCancel(t.Context()), (<-h.events).ID, words("yes")); err != nil {
			t.Error(err)
		}
	}()
	res := w.do(t, r)
	body, err := io.ReadAll(res.Body)
	if err != nil || res.Header.Get("Content-Type") != "application/json" || !strings.Contains(string(body), "yes") {
		t.Errorf("%s %s, %v", res.Header.Get("Content-Type"), body, err)
	}
}

// TestOddFramesHarmNobody is S9: each is answered as the protocol says, and
// the session goes on.
func TestOddFramesHarmNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	for name, c := range map[string]struct {
		body    string
		spoil   func(*http.Request)
		status  int
		content string
	}{
		"batch":               {"[" + askBody(1, `{}`) + "]", nil, 400, "-32700"},
		"no JSON":             {"{", nil, 400, "-32700"},
		"nothing":             {"", nil, 400, "-32700"},
		"null":                {"null", nil, 200, "-32600"},
		"another version":     {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, 200, "-32600"},
		"unknown method":      {`{"jsonrpc":"2.0","id":1,"method":"x/y"}`, nil, 200, "-32601"},
		"unknown tool":        {strings.Replace(askBody(1, `{}`), "ask_user", "rm", 1), nil, 200, "-32602"},
		"unknown notice":      {`{"jsonrpc":"2.0","method":"notifications/x"}`, nil, 202, ""},
		"cancel of nothing":   {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, nil, 202, ""},
		"stray reply":         {`{"jsonrpc":"2.0","id":5,"result":{}}`, nil, 202, ""},
		"unknown session":     {askBody(1, `{}`), func(r *http.Request) { r.Header.Set(server.HeaderKeySessionID, "made-up") }, 404, ""},
		"no session":          {askBody(1, `{}`), func(r *http.Request) { r.Header.Del(server.HeaderKeySessionID) }, 404, ""},
		"unknown MCP version": {askBody(1, `{}`), func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "1999-01-01") }, 400, ""},
		"known MCP version":   {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "2025-06-18") }, 200, "result"},
	} {
		r := w.request(t, http.MethodPost, c.body)
		if c.spoil != nil {
			c.spoil(r)
		}
		res := w.do(t, r)
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != c.status || !strings.Contains(string(body), c.content) {
			t.Errorf("%s: %s %s, want %d with %q", name, res.Status, body, c.status, c.content)
		}
	}
	if len(h.events) != 0 {
		t.Errorf("%d questions were shown", len(h.events))
	}
}

func TestTwoCallsOfOneNumberAreBothAnswered(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	streams := []*http.Response{w.post(t, askBody(4, `{}`)), w.post(t, askBody(4, `{}`))}
	open := []beckon.Question{h.shown(t), h.shown(t)}
	for i, q := range open {
		must(t, h.desk.Answer(t.Context(), q.ID, words(fmt.Sprint("answer ", i))))
	}
	ends := ""
	for _, res := range streams {
		ends += final(t, bufio.NewReader(res.Body))
	}
	if !strings.Contains(ends, "answer 0") || !strings.Contains(ends, "answer 1") {
		t.Errorf("the calls were answered %s", ends)
	}
}

func TestAnEndedSessionIsUnknown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, _ := h.admit(t)
	w := h.dial(t, token)
	if other := h.dial(t, token); other.session == w.session || len(w.session) < 20 {
		t.Errorf("sessions %q and %q", other.session, w.session)
	}
	if res := w.do(t, w.request(t, http.MethodDelete, "")); res.StatusCode != http.StatusOK {
		t.Errorf("ending it: %s", res.Status)
	}
	if res := w.post(t, askBody(1, `{}`)); res.StatusCode != http.StatusNotFound {
		t.Errorf("going on: %s, want 404", res.Status)
	}
}

// FuzzFrames: whatever an agent sends, the server lives and answers the next.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{helloBody, askBody(1, `{"progressToken":1}`), "[]", `{"jsonrpc":"2.0","id":{},"method":"tools/call","params":[]}`} {
		f.Add([]byte(seed))
	}
	s, err := Listen(Desk{
		Ask: func(_ context.Context, q beckon.Question) (beckon.Question, error) { return q, nil },
		Assume: func(context.Context, beckon.Question) (beckon.Question, error) {
			return beckon.Question{}, beckon.ErrNotFound
		},
	})
	must(f, err)
	f.Cleanup(func() { _ = s.Close(context.Background()) })
	token := s.Admit(Caller{RunID: "r"})
	f.Fuzz(func(t *testing.T, body []byte) {
		w := &wire{h: &house{Server: s}, token: token}
		w = w.h.dial(t, token)
		res := w.post(t, string(body))
		if res.StatusCode >= 500 {
			t.Errorf("%q: %s", body, res.Status)
		}
		_, _ = io.Copy(io.Discard, res.Body)
	})
}
