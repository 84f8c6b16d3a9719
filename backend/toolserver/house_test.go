package toolserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/question"
	"beckon/backend/store"
	"beckon/tests/timeout"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// patience is how long a test waits for what must happen.
var patience = timeout.For(30 * time.Second)

// house is a server in front of a real desk with a real database.
type house struct {
	*Server
	desk   *question.Desk
	store  *store.Store
	task   beckon.Task
	events chan beckon.Question
	left   chan string // external runs that ended
	owed   chan beckon.Question
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{events: make(chan beckon.Question, 10_000), left: make(chan string, 100), owed: make(chan beckon.Question, 100)}
	var err error
	h.store, err = store.Open(t.Context(), t.TempDir())
	must(t, err)
	h.desk = question.New(h.store, func(e beckon.Event) {
		if e.Question != nil {
			h.events <- *e.Question
		}
	})
	project := beckon.Project{Key: "KES", Name: "kestrel", Dir: t.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs}
	must(t, h.store.AddProject(t.Context(), &project))
	h.task = beckon.Task{ProjectID: project.ID, Title: "t", Status: beckon.Running, Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs}
	must(t, h.store.CreateTask(t.Context(), &h.task))
	h.Server, err = Listen(Desk{Ask: h.desk.Ask, OnAnswerWritten: h.desk.Delivered, Assume: h.desk.Assume, OnUndelivered: func(q beckon.Question) { h.owed <- q }, BeginExternalRun: h.beginExternalRun})
	must(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Error(err)
		}
		must(t, h.store.Close())
	})
	return h
}

// beginExternalRun gives a client a run without a task, whose questions wait.
func (h *house) beginExternalRun(ctx context.Context) (Caller, func(), error) {
	run := beckon.Run{Kind: beckon.ExternalRun}
	err := h.store.AddRun(ctx, &run)
	return Caller{RunID: run.ID, Policy: beckon.Wait}, func() { h.left <- run.ID }, err
}

// admit lets a run of its own in, whose questions wait without limit.
func (h *house) admit(t *testing.T) (token, runID string) {
	t.Helper()
	run := beckon.Run{TaskID: h.task.ID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto}
	must(t, h.store.AddRun(t.Context(), &run))
	return h.Admit(Caller{RunID: run.ID, TaskID: h.task.ID, Policy: beckon.Wait}), run.ID
}

// shown returns the next change of a question.
func (h *house) shown(t *testing.T) beckon.Question {
	t.Helper()
	select {
	case q := <-h.events:
		return q
	case <-time.After(patience):
		t.Fatal("nothing was shown")
		panic("unreachable")
	}
}

// connect returns an initialized client of mcp-go.
func (h *house) connect(t testing.TB, token string) *client.Client {
	t.Helper()
	c, err := client.NewStreamableHttpClient(h.URL(), transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token}))
	must(t, err)
	t.Cleanup(func() { _ = c.Close() }) // a session that was dismissed cannot be ended
	must(t, c.Start(t.Context()))
	_, err = c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125, ClientInfo: mcp.Implementation{Name: "test", Version: "1"},
	}})
	must(t, err)
	return c
}

// called is what became of a tool call.
type called struct {
	result *mcp.CallToolResult
	err    error
}

func callAsk(ctx context.Context, c *client.Client, args any) <-chan called {
	done := make(chan called, 1)
	go func() {
		req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "ask_user", Arguments: args}}
		result, err := c.CallTool(ctx, req)
		done <- called{result, err}
	}()
	return done
}

func wait(t *testing.T, done <-chan called) called {
	t.Helper()
	select {
	case c := <-done:
		return c
	case <-time.After(patience):
		t.Fatal("the call never came back")
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

func plain(text string) map[string]any { return map[string]any{"question": text} }

func words(s string) beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{{Other: s}}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wire is a client that knows HTTP only, to see what mcp-go's does not show.
type wire struct {
	h              *house
	token, session string
}

// dial opens a session.
func (h *house) dial(t *testing.T, token string) *wire {
	t.Helper()
	w := &wire{h: h, token: token}
	res := w.post(t, helloBody)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("initialize: %s", res.Status)
	}
	w.session = res.Header.Get(server.HeaderKeySessionID)
	return w
}

const helloBody = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// askBody is a call with the JSON-RPC id, which is its question too.
func askBody(id int, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask_user","arguments":{"question":"%d"},"_meta":%s}}`, id, id, meta)
}

func (w *wire) request(t *testing.T, method, body string) *http.Request {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, w.h.URL(), strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+w.token)
	if w.session != "" {
		r.Header.Set(server.HeaderKeySessionID, w.session)
	}
	return r
}

// post returns as soon as the headers are there.
func (w *wire) post(t *testing.T, body string) *http.Response {
	t.Helper()
	return w.do(t, w.request(t, http.MethodPost, body))
}

func (w *wire) do(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	res, err := transport.RoundTrip(r)
	must(t, err)
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// line returns the next line of a stream that is not empty.
func line(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	for {
		s, err := from.ReadString('\n')
		must(t, err)
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
