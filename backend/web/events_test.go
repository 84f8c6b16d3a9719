package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

const (
	clientID = "abcdefgh12345678"
	// writeTimeout is when the server gives a page up that does not read.
	writeTimeout = 10 * time.Second
)

// dial opens a client's socket with b's cookie and key.
func (b browser) dial(s site, id string, headers http.Header) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(b.t.Context(), timeout.For(10*time.Second))
	b.t.Cleanup(cancel)
	conn, res, err := websocket.Dial(ctx, s.base()+"/events?client="+id, &websocket.DialOptions{
		HTTPClient: b.http, HTTPHeader: headers, Subprotocols: []string{"beckon." + b.key},
	})
	if err == nil {
		b.t.Cleanup(func() { _ = conn.CloseNow() })
	}
	return conn, res, err
}

func (b browser) socket(s site) *websocket.Conn {
	b.t.Helper()
	conn, _, err := b.dial(s, clientID, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return conn
}

// frame waits for the next frame.
func frame(t *testing.T, conn *websocket.Conn) beckon.Frame {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), writeTimeout/2)
	defer cancel()
	kind, text, err := conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var f beckon.Frame
	if err := json.Unmarshal(text, &f); err != nil || kind != websocket.MessageText {
		t.Fatalf("%v %s: %v", kind, text, err)
	}
	return f
}

func TestAPageSeesWhatItWatchesFromTheMomentItsSocketIsOpen(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := visitor(t, s).socket(s)
	if err := s.feed.Watch(clientID, []string{"t"}); err != nil {
		t.Fatal(err) // the socket was open before the client was attached
	}
	s.feed.Publish(beckon.Event{TaskID: "t", Entry: &beckon.Entry{ID: "e", Text: "<hello>"}})
	f := frame(t, conn)
	if len(f.Events) != 1 || f.Events[0].Entry.Text != "<hello>" || f.Seq != s.feed.Seq() {
		t.Errorf("got %+v", f)
	}
}

func TestSocketsAreRefusedBeforeTheUpgrade(t *testing.T) {
	t.Parallel()
	s := start(t)
	known, stranger := visitor(t, s), newBrowser(t)
	stranger.key = known.key
	keyless := known
	keyless.key = ""
	for name, c := range map[string]struct {
		who     browser
		id      string
		headers http.Header
		status  int
	}{
		"no cookie":        {stranger, clientID, nil, 401},
		"no key":           {keyless, clientID, nil, 401},
		"foreign origin":   {known, clientID, http.Header{"Origin": {"http://evil.test"}}, 403},
		"no origin at all": {known, clientID, http.Header{"Origin": {"null"}}, 403},
		"another port":     {known, clientID, http.Header{"Origin": {"http://127.0.0.1:1"}}, 403},
		"cross-site":       {known, clientID, http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"no client":        {known, "", nil, 400},
		"short client":     {known, "abc", nil, 400},
		"strange client":   {known, "ABCDEFGH12345678", nil, 400},
	} {
		conn, res, err := c.who.dial(s, c.id, c.headers)
		if err == nil {
			t.Errorf("%s: the socket opened", name)
			_ = conn.CloseNow()
			continue
		}
		if res == nil || res.StatusCode != c.status {
			t.Errorf("%s: %v, want %d", name, err, c.status)
		}
	}
}

func TestAPageThatLeavesIsForgotten(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := visitor(t, s).socket(s)
	if err := s.feed.Watch(clientID, []string{"t"}); err != nil {
		t.Fatal(err)
	}
	_ = conn.CloseNow()
	for deadline := time.Now().Add(timeout.For(10 * time.Second)); s.feed.Watched("t"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("its transcript is still folded")
		}
	}
}

// TestAPageThatSaysWhatItHasTakenSetsThePace, and one that says anything else is gone.
func TestAPageThatSaysWhatItHasTakenSetsThePace(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"x", "-1", "", "123456789012345678901", "1 2"} {
		s := start(t)
		conn := visitor(t, s).socket(s)
		say := func(word string) {
			t.Helper()
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(word)); err != nil {
				t.Fatal(err)
			}
		}
		say("0") // which no frame has
		s.feed.Publish(beckon.Event{Task: &beckon.Task{ID: "1"}})
		first := frame(t, conn)
		s.feed.Publish(beckon.Event{Task: &beckon.Task{ID: "2"}})
		say(strconv.FormatInt(first.Seq, 10))
		frame(t, conn)
		say(word)
		ctx, cancel := context.WithTimeout(t.Context(), writeTimeout/2)
		if _, _, err := conn.Read(ctx); err == nil || ctx.Err() != nil {
			t.Errorf("after %q: %v", word, err)
		}
		cancel()
	}
}

// A page that never reads fills its socket; the other one must not notice.
func TestAPageThatDoesNotReadDelaysNoOther(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	b.socket(s) // reads nothing
	other, _, err := b.dial(s, "other0000000", nil)
	if err != nil {
		t.Fatal(err)
	}
	other.SetReadLimit(64 << 20)
	brief := strings.Repeat("x", 200<<10)
	for i := range 50 {
		s.feed.Publish(beckon.Event{Task: &beckon.Task{ID: "t", Number: i, Brief: brief}})
		for frame(t, other).Events[0].Task.Number != i {
		}
	}
}

func TestClosingEndsTheSockets(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := visitor(t, s).socket(s)
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(5*time.Second))
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(ctx); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the socket of a closed server: %v", err)
	}
	if err := s.feed.Watch(clientID, nil); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("its client is still attached: %v", err)
	}
}

// A client that speaks, and then does not even say goodbye.
func TestAPageThatTalksDelaysNoQuit(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := visitor(t, s)
	conn, err := net.DialTimeout("tcp", s.Addr(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(timeout.For(10 * time.Second))); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base()+"/events?client="+clientID, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.authorize(s)(r)
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	} {
		r.Header.Set(name, value)
	}
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	if res, err := http.ReadResponse(in, r); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", res, err)
	}
	if _, err := conn.Write([]byte("\x81\x82\x00\x00\x00\x00hi")); err != nil {
		t.Fatal(err)
	}
	_, _ = in.ReadByte() // once the server has heard it
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(20*time.Second))
	defer cancel()
	began := time.Now()
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > timeout.For(3*time.Second) {
		t.Errorf("closing took %v", took)
	}
}
