package external

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/toolserver"
	"beckon/tests/timeout"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// patience is how long a test waits for what must happen.
var patience = timeout.For(30 * time.Second)

// house is a Beckon whose user answers by hand.
type house struct {
	*toolserver.Server
	hide  func() error
	asked chan asked
	ended chan error // why a question was closed
	hooks chan hookCall
}

type asked struct {
	beckon.Question
	answer chan string
}

// open starts a Beckon on a data folder.
func open(t *testing.T, dataDir string) *house {
	t.Helper()
	h := &house{asked: make(chan asked, 10), ended: make(chan error, 10), hooks: make(chan hookCall, 20)}
	var err error
	h.Server, err = toolserver.Listen(toolserver.Desk{
		Ask: h.ask,
		Assume: func(_ context.Context, q beckon.Question) (beckon.Question, error) {
			q.Assumption = q.RunID + " " + q.Items[0].Text + " " + q.Assumption
			return q, nil
		},
		OnAnswerWritten: func(context.Context, string) error { return nil },
		BeginExternalRun: func(context.Context) (toolserver.Caller, func(), error) {
			return toolserver.Caller{RunID: "external"}, func() {}, nil
		},
		OnHook: h.onHook,
		OnStart: func(_ context.Context, c toolserver.StartCall) (beckon.Task, error) {
			if c.Name != "nightly" {
				return beckon.Task{}, fmt.Errorf("no template is called %q: %w", c.Name, beckon.ErrNotFound)
			}
			return beckon.Task{Key: c.Project + "-7"}, nil
		},
	})
	must(t, err)
	h.hide, err = Announce(dataDir, h.Endpoint())
	must(t, err)
	t.Cleanup(func() { h.shut(t) })
	return h
}

func (h *house) ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	a := asked{q, make(chan string, 1)}
	h.asked <- a
	select {
	case text := <-a.answer:
		q.Settlement, q.Answer = beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Other: text}}}
		return q, nil
	case <-ctx.Done():
		h.ended <- context.Cause(ctx)
		return q, context.Cause(ctx)
	}
}

func (h *house) onHook(ctx context.Context, c toolserver.HookCall) json.RawMessage {
	call := hookCall{c, make(chan json.RawMessage, 1), ctx.Done()}
	h.hooks <- call
	select {
	case decision := <-call.decide:
		return decision
	case <-ctx.Done():
		return nil
	}
}

func (h *house) shut(t *testing.T) {
	t.Helper()
	if err := h.hide(); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(t, h.Close(ctx))
}

// agent is an MCP client over pipes to a `beckon mcp`. mcp-go has one stdio
// session in each process, so these tests take turns.
func agent(t *testing.T, dataDir string) *client.Client {
	t.Helper()
	fromAgent, toUs := io.Pipe()
	fromUs, toAgent := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), dataDir, fromAgent, toAgent, io.Discard) }()
	c := client.NewClient(transport.NewIO(fromUs, toUs, io.NopCloser(strings.NewReader(""))))
	t.Cleanup(func() {
		must(t, toUs.Close()) // as an agent that ends does
		select {
		case err := <-done:
			must(t, err)
		case <-time.After(patience):
			t.Error("beckon mcp outlives its client")
		}
		_ = c.Close()
	})
	must(t, c.Start(t.Context()))
	_, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125, ClientInfo: mcp.Implementation{Name: "codex", Version: "3.1"},
	}})
	must(t, err)
	return c
}

type called struct {
	result *mcp.CallToolResult
	err    error
}

func call(ctx context.Context, c *client.Client, tool string, args map[string]any, token mcp.ProgressToken) <-chan called {
	done := make(chan called, 1)
	go func() {
		req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: args}}
		if token != nil {
			req.Params.Meta = &mcp.Meta{ProgressToken: token}
		}
		result, err := c.CallTool(ctx, req)
		done <- called{result, err}
	}()
	return done
}

func ask(ctx context.Context, c *client.Client, text string) <-chan called {
	return call(ctx, c, "ask_user", map[string]any{"question": text}, nil)
}

func next[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("it never came")
		panic("unreachable")
	}
}

func (c called) text(t *testing.T) string {
	t.Helper()
	must(t, c.err)
	if len(c.result.Content) != 1 {
		t.Fatalf("content %+v, want one text", c.result.Content)
	}
	return c.result.Content[0].(mcp.TextContent).Text
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnyAgentOnTheMachineAsksAndSaysWhoItIs(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	done := ask(t.Context(), agent(t, dir), "Which?")
	q := next(t, h.asked)
	wd, err := os.Getwd()
	must(t, err)
	if q.Origin != "codex 3.1 · "+wd || q.Items[0].Text != "Which?" {
		t.Errorf("%q asks %+v", q.Origin, q.Items)
	}
	q.answer <- "this"
	got := next(t, done)
	if text := got.text(t); text != `"Which?" → "this"` || got.result.IsError || got.result.StructuredContent == nil {
		t.Errorf("the agent reads %+v", got.result)
	}
}

func TestAnAgentOutsideRecordsItsAssumptions(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	got := next(t, call(t.Context(), agent(t, dir), "record_assumption", map[string]any{"assumption": "kept it", "question": "Which?"}, nil))
	if text := got.text(t); !strings.HasSuffix(text, "external Which? kept it") {
		t.Errorf("the agent reads %q", text)
	}
}

func TestWithoutBeckonTheToolsAreListedAndSayWhatToDo(t *testing.T) {
	for name, before := range map[string]func(dir string){
		"never started": func(string) {},
		"died": func(dir string) {
			_, err := Announce(dir, toolserver.Endpoint{URL: "http://127.0.0.1:1/external", MCP: "http://127.0.0.1:1/mcp", Secret: "old"})
			must(t, err)
		},
		"a broken file": func(dir string) { must(t, os.WriteFile(filepath.Join(dir, fileName), []byte("{"), 0o600)) },
		"another on its port": func(dir string) {
			h := open(t, t.TempDir())
			d := h.Endpoint()
			d.Secret = "old"
			_, err := Announce(dir, d)
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			before(dir)
			c := agent(t, dir)
			list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
			must(t, err)
			if len(list.Tools) != 2 {
				t.Errorf("tools %+v", list.Tools)
			}
			got := next(t, ask(t.Context(), c, "Which?"))
			if text := got.text(t); !got.result.IsError || text != errAbsent.Error() {
				t.Errorf("the agent reads %q", text)
			}
		})
	}
}

func TestBeckonMayCloseAndStartAnewMeanwhile(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	c := agent(t, dir)
	done := ask(t.Context(), c, "Which?")
	next(t, first.asked)
	first.shut(t)
	got := next(t, done)
	// The last word of the old one may be lost with its connection.
	if text := got.text(t); !got.result.IsError || !strings.Contains(text, "Beckon was closed") && text != errAbsent.Error() {
		t.Errorf("while it waits, the agent reads %q", text)
	}
	got = next(t, ask(t.Context(), c, "Which?"))
	if text := got.text(t); !got.result.IsError || text != errAbsent.Error() {
		t.Errorf("afterwards it reads %q", text)
	}
	second := open(t, dir)
	done = ask(t.Context(), c, "Which?")
	next(t, second.asked).answer <- "this"
	if text := next(t, done).text(t); text != `"Which?" → "this"` {
		t.Errorf("after the start it reads %q", text)
	}
}

// TestABrokenConnectionCostsNoSecondCard: Beckon lives, and the agent does not
// notice.
func TestABrokenConnectionCostsNoSecondCard(t *testing.T) {
	h := open(t, t.TempDir())
	to, err := url.Parse(h.URL())
	must(t, err)
	posts := make(chan bool, 100) // whether each carries the call
	between := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		body, _ := io.ReadAll(r.In.Body) // what does not arrive whole is no call
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
		posts <- bytes.Contains(body, []byte("tools/call"))
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = to.Scheme, to.Host, to.Host
	}})
	t.Cleanup(between.Close)
	endpoint := h.Endpoint()
	endpoint.MCP = between.URL + to.Path
	dir := t.TempDir()
	_, err = Announce(dir, endpoint)
	must(t, err)
	done := ask(t.Context(), agent(t, dir), "Which?")
	q := next(t, h.asked)
	for !next(t, posts) {
	}
	between.CloseClientConnections()
	for !next(t, posts) { // until it is called again
	}
	q.answer <- "this"
	if text := next(t, done).text(t); text != `"Which?" → "this"` {
		t.Errorf("the agent reads %q", text)
	}
	if len(h.asked) != 0 {
		t.Error("it was asked twice")
	}
}

func TestWhatTheAgentCancelsIsClosedAtOnce(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	c := agent(t, dir)
	ask(ctx, c, "Which?")
	next(t, h.asked)
	began := time.Now()
	cancel()
	if err := next(t, h.ended); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("closed after %v: %v", time.Since(began), err)
	}
}

func TestAnAgentThatEndsTakesItsQuestionAlong(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	t.Run("agent", func(t *testing.T) {
		ask(context.WithoutCancel(t.Context()), agent(t, dir), "Which?")
		next(t, h.asked)
	})
	next(t, h.ended)
}

func TestSignsOfLifeReachTheAgentWithItsOwnToken(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	c := agent(t, dir)
	signs := make(chan any, 100)
	c.OnNotification(func(n mcp.JSONRPCNotification) { signs <- n.Params.AdditionalFields["progressToken"] })
	done := call(t.Context(), c, "ask_user", map[string]any{"question": "Which?"}, "mine")
	q := next(t, h.asked)
	if token := next(t, signs); token != "mine" {
		t.Errorf("a sign for %v", token)
	}
	q.answer <- "this"
	next(t, done).text(t)
}

func TestManyMayWaitAtOnce(t *testing.T) {
	const n = 20
	dir := t.TempDir()
	h := open(t, dir)
	c := agent(t, dir)
	calls := make([]<-chan called, n)
	for i := range n {
		calls[i] = ask(t.Context(), c, "Which?") // the same words: still n calls
	}
	for range n {
		next(t, h.asked).answer <- "this"
	}
	for _, done := range calls {
		next(t, done).text(t)
	}
}

func TestOnlyTheUserReadsWhereBeckonIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	endpoint := toolserver.Endpoint{URL: "u", MCP: "m", Secret: "t"}
	for range 2 { // over the file of one that died
		hide, err := Announce(dir, endpoint)
		must(t, err)
		if got, err := find(dir); err != nil || got != endpoint {
			t.Errorf("found %+v, %v", got, err)
		}
		info, err := os.Stat(filepath.Join(dir, fileName))
		must(t, err)
		if info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the file is %v", info.Mode())
		}
		defer func() { _ = hide() }()
	}
	hide, err := Announce(dir, endpoint)
	must(t, err)
	must(t, hide())
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
