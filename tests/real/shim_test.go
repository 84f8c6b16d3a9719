//go:build linux

package real

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/executor/shim"
	"beckon/backend/toolserver"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// far is a claude beyond a link, with the tools of a Beckon.
type far struct {
	t      *testing.T
	agent  *shim.Agent
	tools  *toolserver.Channel
	asked  chan beckon.Question
	answer chan string
	linked chan struct{}  // has a token when there is another link
	all    sync.WaitGroup // of calls

	mu   sync.Mutex
	link io.ReadWriteCloser // that stands
	cuts int
}

// bridge dials a link to a shim on this machine.
type bridge struct {
	io.Reader
	io.WriteCloser
	cmd *exec.Cmd
}

func (b bridge) Close() error { _ = b.cmd.Process.Kill(); return b.WriteCloser.Close() }

func (f *far) dial(env []string) shim.Dial {
	return func(context.Context) (io.ReadWriteCloser, error) {
		cmd := exec.Command(fixture.Beckon(), "shim")
		cmd.Env = env
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		defer w.Close()
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		go cmd.Wait()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.link = bridge{r, stdin, cmd}
		select {
		case f.linked <- struct{}{}:
		default:
		}
		return f.link, nil
	}
}

// cut breaks the link that stands.
func (f *far) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.link != nil {
		f.link.Close()
		f.cuts++
	}
}

func (f *far) send(v any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = f.agent.Send(context.Background(), text)
	}
	if err != nil && !errors.Is(err, shim.ErrEnded) {
		f.t.Error(err)
	}
}

// ask waits for the person, who is the test.
func (f *far) ask(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	f.asked <- q
	select {
	case text := <-f.answer:
		q.Settlement, q.Answer = beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: text}}}
		return q, nil
	case <-ctx.Done():
		return q, context.Cause(ctx)
	}
}

// hear acts on a line as a run does.
func (f *far) hear(text []byte) (result bool) {
	m, err := claude.DecodeMessage(text)
	if err != nil {
		f.t.Errorf("%.200s: %v", text, err)
	}
	switch {
	case m.Kind == claude.ControlResponse && bytes.Contains(text, []byte(`"init"`)):
		f.send(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "Go."}})
	case m.Request != nil && m.Request.Subtype == claude.MCPMessage:
		answer := f.tools.Receive(f.t.Context(), m.Request.Message)
		f.all.Go(func() {
			_ = answer(func(reply json.RawMessage) error {
				f.send(map[string]any{"type": claude.ControlResponse, "response": map[string]any{
					"subtype": "success", "request_id": m.Request.ID, "response": map[string]any{"mcp_response": reply},
				}})
				return nil
			})
		})
	}
	return m.Result != nil
}

// TestAClaudeElsewhereAsksThoughTheLinkIsCutAgainAndAgain: after each line, and
// while the question is open. It has nothing of Beckon's but its own stdin and
// stdout; the model hears the answer once, and nothing is left there.
func TestAClaudeElsewhereAsksThoughTheLinkIsCutAgainAndAgain(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	log := filepath.Join(home, "api.ndjson")
	model := fixture.Model(t, home, fixture.Script{Turns: []fixture.Turn{
		{"tool": toolserver.AskUserName, "input": map[string]any{"question": "Which greeting?"}}, {"text": "Done."},
	}}, log)
	settings := filepath.Join(home, "settings.json")
	if err := claude.WriteAllowed(settings, []string{"mcp__beckon"}); err != nil {
		t.Fatal(err)
	}
	f := &far{t: t, asked: make(chan beckon.Question, 10), answer: make(chan string), linked: make(chan struct{}, 1)}
	server, err := toolserver.Listen(toolserver.Desk{Ask: f.ask, OnAnswerWritten: func(context.Context, string) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close(context.Background()) })
	f.tools, _ = server.Open(toolserver.Caller{RunID: "far"})

	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + home}
	f.agent = shim.Start(f.dial(env), "far", shim.Job{
		Path: fixture.Claude(), Args: cli.Options{Settings: settings}.Args(), Dir: client.Repository(t, map[string]string{"README.md": "x"}),
		Env: []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=sk-test", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"},
	}, func(error) {})
	t.Cleanup(f.agent.End)
	f.send(map[string]any{"type": claude.ControlRequest, "request_id": "init", "request": map[string]any{"subtype": "initialize", "sdkMcpServers": []string{"beckon"}}})
	go func() {
		<-f.asked
		for range 2 { // the link that follows is away, too, as the person answers
			select {
			case <-f.linked:
			default:
			}
			f.cut()
			<-f.linked
		}
		f.cut()
		f.answer <- "Good day"
		f.cut()
	}()
	for last := int64(0); ; {
		l, err := f.agent.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if last++; l.N != last {
			t.Fatalf("line %d came as %d", last, l.N)
		}
		if f.hear(l.Text) {
			f.agent.CloseInput()
		}
		f.agent.Ack(l.N)
		f.cut()
	}
	f.all.Wait()
	t.Logf("%d cuts", f.cuts)
	if exit := f.agent.Exit(); exit.Code != 0 || exit.Trouble != "" || len(f.asked) != 0 {
		t.Errorf("it ended with %+v, and asked %d times more", exit, len(f.asked))
	}
	told, err := os.ReadFile(log)
	if n := strings.Count(string(told), `"type":"tool_result"`); err != nil || n != 1 || !strings.Contains(string(told), "Good day") {
		t.Errorf("the model heard %d results, %v: %.3000s", n, err, told)
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		left, err := os.ReadDir(filepath.Join(home, shim.Folder, "shims"))
		if err == nil && len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal(fmt.Sprint("the shim is still there: ", left, err))
		}
	}
}
