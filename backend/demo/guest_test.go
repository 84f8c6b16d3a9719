package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/feed"
	"beckon/backend/web"
	"beckon/tests/timeout"
)

// api is what the demo's page may call.
type api struct{}

func (api) Greet(name string) (string, error) {
	if name == "" {
		return "", problem.New(problem.NoTitle, beckon.Invalid("nobody has no name"))
	}
	return "hello " + name, nil
}
func (api) Nothing() {}

// demo is a served Beckon that somebody may be a guest of.
type demo struct {
	*web.Server
	feed *feed.Feed
}

func serve(t *testing.T) demo {
	t.Helper()
	d := demo{feed: feed.New()}
	var err error
	d.Server, err = web.New(web.Config{Methods: map[string]any{"Greet": api{}.Greet, "Nothing": api{}.Nothing}, Feed: d.feed, Assets: fstest.MapFS{"index.html": {Data: []byte("<p>")}}, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		err = d.Listen("127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- d.Serve() }()
	t.Cleanup(func() {
		d.end(t)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return d
}

// end ends the demo as its process' end would.
func (d demo) end(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout.For(10*time.Second))
	defer cancel()
	if err := d.Close(ctx); err != nil {
		t.Error(err)
	}
}

func open(t *testing.T, d demo) *Guest {
	t.Helper()
	g, err := OpenGuest(t.Context(), d.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

const page = "abcdefgh12345678"

// frames fetches until so many frames came.
func frames(t *testing.T, g *Guest, n int) (all []beckon.Frame) {
	t.Helper()
	for end := time.Now().Add(timeout.For(10 * time.Second)); len(all) < n; {
		text, err := g.Frames(t.Context(), page)
		if err != nil {
			t.Fatal(err)
		}
		var some []beckon.Frame
		if err := json.Unmarshal([]byte(text), &some); err != nil {
			t.Fatalf("%v in %.200s", err, text)
		}
		if all = append(all, some...); time.Now().After(end) {
			t.Fatalf("%d frames came, want %d", len(all), n)
		}
	}
	return all
}

func wantEnded(t *testing.T, err error) {
	t.Helper()
	kind, _ := problem.From(err)
	if kind != problem.DemoEnded || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("the page does not learn that the demo has ended: %v", err)
	}
}

func TestCallsAndTheirErrorsComeThroughAsTheyAre(t *testing.T) {
	t.Parallel()
	g := open(t, serve(t))
	for _, c := range []struct {
		method, args, want string
		ok                 bool
	}{
		{"Greet", `["Ada"]`, `"hello Ada"`, true},
		{"Nothing", `[]`, "null", true},
		{"Greet", `[""]`, `"problem":"noTitle"`, false},
		{"Greet", `[`, `"code":"invalid"`, false},
		{"Missing", `[]`, `"code":"not_found"`, false},
	} {
		r, err := g.Call(t.Context(), c.method, c.args)
		if err != nil || r.OK != c.ok || !strings.Contains(r.Body, c.want) {
			t.Errorf("%s%s: %v %+v, want %v and %s", c.method, c.args, err, r, c.ok, c.want)
		}
	}
	for _, method := range []string{"../events", "Greet?x", "greet", ""} {
		if _, err := g.Call(t.Context(), method, `[]`); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q was called: %v", method, err)
		}
	}
}

func TestEachFrameComesOnceAndInOrder(t *testing.T) {
	t.Parallel()
	d := serve(t)
	g := open(t, d)
	if text, err := g.Frames(t.Context(), page); err != nil || text != "[]" {
		t.Fatalf("attached with %s %v", text, err)
	}
	if err := d.feed.Watch(page, nil); err != nil {
		t.Fatalf("the client that attached is not: %v", err)
	}
	for i := range 5 {
		d.feed.Publish(beckon.Event{Gone: fmt.Sprintf("task/%d", i)})
	}
	var gone []string
	for len(gone) < 5 {
		for _, f := range frames(t, g, 1) {
			for _, e := range f.Events {
				gone = append(gone, e.Gone)
			}
		}
	}
	if got := strings.Join(gone, " "); got != "task/0 task/1 task/2 task/3 task/4" {
		t.Errorf("came %s", got)
	}
}

func TestADemoThatIsKilledInTheMiddleIsSaidToHaveEnded(t *testing.T) {
	t.Parallel()
	d := serve(t)
	g := open(t, d)
	if _, err := g.Frames(t.Context(), page); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			_, err = g.Frames(context.Background(), page)
		}
		failed <- err
	}()
	d.end(t)
	select {
	case err := <-failed:
		wantEnded(t, err)
	case <-time.After(timeout.For(10 * time.Second)):
		t.Fatal("the page waits for frames of a demo that is gone")
	}
	_, err := g.Call(t.Context(), "Nothing", "[]")
	wantEnded(t, err)
}

func TestADemoIsLeftTwice(t *testing.T) {
	t.Parallel()
	g := open(t, serve(t))
	if _, err := g.Frames(t.Context(), page); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := g.Frames(t.Context(), page)
	wantEnded(t, err)
	_, err = g.Call(t.Context(), "Nothing", "[]")
	wantEnded(t, err)
}

func TestALinkThatWasUsedLetsNobodyIn(t *testing.T) {
	t.Parallel()
	d := serve(t)
	link := d.URL()
	if _, err := OpenGuest(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	_, err := OpenGuest(t.Context(), link)
	wantEnded(t, err)
}

func TestAPageThatFetchesNothingLosesFramesAndLearnsOfIt(t *testing.T) {
	t.Parallel()
	s := newStream(func() {}, false)
	s.mu.Lock()
	s.kept, s.lost = []string{`{"seq":9}`}, true
	s.mu.Unlock()
	if got, open := s.takeFrames(t.Context()); !open || got != "["+lostFrame+`,{"seq":9}]` {
		t.Errorf("%s %v", got, open)
	}
	var f []beckon.Frame
	if err := json.Unmarshal([]byte("["+lostFrame+"]"), &f); err != nil || !f[0].Lost {
		t.Errorf("%v %+v", err, f)
	}
}

func TestADemoIsShownToOthersUntilTheLastOfThemLeaves(t *testing.T) {
	t.Parallel()
	g := open(t, serve(t))
	const other = "zyxwvuts87654321"
	for _, client := range []string{page, other} {
		if _, err := g.Frames(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	if !g.Leave(page) {
		t.Error("nobody is left, though one page follows")
	}
	if g.Leave(other) {
		t.Error("somebody is left after the last one")
	}
	if g.Leave(page) {
		t.Error("a page that left twice brings somebody back")
	}
}

func TestAPageThatIsReloadedAgainAndAgainIsShownTheDemo(t *testing.T) {
	t.Parallel()
	g := open(t, serve(t))
	for i := range mostClients + 2 {
		if text, err := g.Frames(t.Context(), fmt.Sprintf("client%02d", i)); err != nil || text != "[]" {
			t.Fatalf("reload %d: %s %v", i, text, err)
		}
	}
	if text, err := g.Frames(t.Context(), "client00"); err != nil || text != "["+lostFrame+"]" {
		t.Errorf("a page that made room does not attach again: %s %v", text, err)
	}
}
