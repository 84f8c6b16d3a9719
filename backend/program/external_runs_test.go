package program

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/api"
	"beckon/backend/beckon"
	"beckon/backend/external"
	"beckon/backend/toolserver"
	"beckon/backend/web"
	"beckon/tests/runnertest"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// outsider is an MCP client over pipes to a `beckon mcp` for a data folder. A
// process has room for one, so only one test may have it.
func outsider(t *testing.T, data, name string) *client.Client {
	t.Helper()
	fromAgent, toUs := io.Pipe()
	fromUs, toAgent := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- external.Serve(context.Background(), data, fromAgent, toAgent, io.Discard) }()
	c := client.NewClient(transport.NewIO(fromUs, toUs, io.NopCloser(strings.NewReader(""))))
	t.Cleanup(func() {
		toUs.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		c.Close()
	})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125, ClientInfo: mcp.Implementation{Name: name, Version: "3.1"},
	}}); err != nil {
		t.Fatal(err)
	}
	return c
}

// ask has a client ask one plain question, and sends what it reads.
func ask(t *testing.T, c *client.Client, text string) <-chan string {
	read := make(chan string, 1)
	go func() {
		result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{
			Name: "ask_user", Arguments: map[string]any{"question": text},
		}})
		if err != nil {
			read <- err.Error()
			return
		}
		read <- result.Content[0].(mcp.TextContent).Text
	}()
	return read
}

func heard(t *testing.T, read <-chan string) string {
	t.Helper()
	select {
	case text := <-read:
		return text
	case <-time.After(runnertest.Patience):
		t.Fatal("the agent never heard")
		panic("unreachable")
	}
}

func TestAnAgentStartedElsewhereIsAnsweredHere(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	d := openAt(t, data, claudeFinder("none"))
	c := outsider(t, data, "co\u202edex\n")
	read := ask(t, c, "Which colour?")
	q := d.Question("Which colour?")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if q.Origin != "codex 3.1 · "+wd || q.TaskID != "" || q.Deadline != 0 {
		t.Errorf("it is shown as from %q, of task %q, until %d", q.Origin, q.TaskID, q.Deadline)
	}
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "Blue"}}}); err != nil {
		t.Fatal(err)
	}
	if text := heard(t, read); text != `"Which colour?" → "Blue"` {
		t.Errorf("it reads %q", text)
	}
	d.Until("delivery", func() bool { return d.Asked[len(d.Asked)-1].Delivered != 0 })

	read = ask(t, c, "Which size?")
	q = d.Question("Which size?")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	if text := heard(t, read); !strings.Contains(text, "Beckon was closed") && !strings.Contains(text, "Beckon is not running") {
		t.Errorf("when Beckon closes it reads %q", text)
	}
	if _, err := os.Stat(filepath.Join(data, "mcp.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Beckon's address is left behind: %v", err)
	}

	d = openAt(t, data, claudeFinder("none"))
	if after, err := d.p.store.Question(t.Context(), q.ID); err != nil || after.Settlement != beckon.Withdrawn || after.Origin != q.Origin {
		t.Errorf("the question of before is %+v, %v", after, err)
	}
	live, err := d.p.store.LiveRuns(t.Context())
	if err != nil || len(live) != 0 {
		t.Errorf("runs are still alive: %+v, %v", live, err)
	}
	read = ask(t, c, "Which shape?")
	q = d.Question("Which shape?")
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "Round"}}}); err != nil {
		t.Fatal(err)
	}
	if text := heard(t, read); !strings.Contains(text, "Round") {
		t.Errorf("after the start it reads %q", text)
	}
}

// TestNoAgentReachesThePagesMethods is S5 and S21: whatever token an agent
// can have or find, it answers nothing, approves nothing, reads nothing.
func TestNoAgentReachesThePagesMethods(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "data"), claudeFinder("none"))
	s, err := web.New(web.Config{Methods: api.Methods(d.API), Feed: d.p.feed, Assets: built().Page, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(context.Background()), <-served); err != nil {
			t.Error(err)
		}
	})
	_, port, err := net.SplitHostPort(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"a run's":        d.p.tools.Admit(toolserver.Caller{RunID: "run"}),
		"the endpoint's": string(d.p.tools.Endpoint().Secret),
	} {
		for _, method := range []string{"AnswerQuestion", "Attach", "Questions", "Transcript", "MoveTask", "EditProject", "SaveSettings"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+s.Addr()+"/rpc/"+method+"?token="+token, strings.NewReader("[]"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Beckon-Key", token)
			r.AddCookie(&http.Cookie{Name: "beckon-" + port, Value: token})
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s token at %s: %s, want 401", name, method, res.Status)
			}
		}
	}
}
