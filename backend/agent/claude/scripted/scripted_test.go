package scripted_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
	"beckon/tests/timeout"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func TestMain(m *testing.M) { scripted.Main(m) }

var deadline = timeout.For(30 * time.Second)

// run plays a script's turns, one message each, answers no question, and
// returns all that was said.
func run(t *testing.T, o cli.Options, messages ...string) []claude.Message {
	t.Helper()
	p, err := cli.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = p.Stop(ctx) })
	defer stop()
	var said []claude.Message
	send := func() {
		if len(messages) == 0 {
			p.CloseInput()
			return
		}
		if err := p.Send(claude.UserMessage{Text: messages[0]}); err != nil {
			t.Error(err)
		}
		messages = messages[1:]
	}
	send()
	for {
		lines, err := p.Next()
		if err != nil {
			break
		}
		for _, l := range lines {
			m, err := claude.DecodeMessage(l.Raw)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, m)
			if m.Result != nil {
				send()
			}
		}
	}
	if e := p.Wait(); e.Stderr != "" {
		t.Errorf("stderr: %s", e.Stderr)
	}
	return said
}

// results returns the texts of the results.
func results(said []claude.Message) string {
	var texts []string
	for _, m := range said {
		if m.Result != nil {
			texts = append(texts, m.Result.Text)
		}
	}
	return strings.Join(texts, " / ")
}

func TestScriptReallyChangesFiles(t *testing.T) {
	t.Parallel()
	o := scripted.Options(t, `-- script --
think Hm.
write sub/a.txt @a
edit sub/a.txt two "2 and \"more\""
read sub/a.txt
run cat sub/a.txt | wc -l; exit 3
run wc -l < sub/a.txt
text It has ${answer} lines.
-- a --
one
two
three
`)
	said := run(t, o, "go")
	data, err := os.ReadFile(filepath.Join(o.Dir, "sub/a.txt"))
	if err != nil || string(data) != "one\n2 and \"more\"\nthree\n" {
		t.Errorf("file %q, %v", data, err)
	}
	var patch string
	var failed int
	for _, m := range said {
		if m.Kind != claude.UserLine || m.Speech.Content[0].Type != claude.ToolResultBlock {
			continue
		}
		var r claude.FileResult
		if json.Unmarshal(m.Speech.ToolUseResult, &r) == nil && len(r.Patch) == 1 {
			patch = strings.Join(r.Patch[0].Lines, "|")
		}
		if m.Speech.Content[0].IsError {
			failed++
		}
	}
	if patch != ` one|-two|+2 and "more"| three` {
		t.Errorf("patch %q", patch)
	}
	if failed != 1 {
		t.Errorf("%d failed calls, want the exit 3", failed)
	}
	if got := results(said); got != "It has 3 lines." {
		t.Errorf("results %q", got)
	}
}

func TestTurnsFollowEachOther(t *testing.T) {
	t.Parallel()
	said := run(t, scripted.Options(t, "text one\nturn\n\n# a comment\ntext two: ${message}\nturn\nreplay rec\n"+
		`-- rec --
{"type":"assistant","message":{"content":[{"type":"text","text":"recorded"}]},"session_id":"old"}
{"type":"result","subtype":"success","is_error":false,"result":"recorded","session_id":"old"}
`), "1", "2", "3", "4")
	if got := results(said); got != "one / two: 2 / recorded / Done." {
		t.Errorf("results %q", got)
	}
	session := said[0].SessionID
	for _, m := range said {
		if m.SessionID != "" && m.SessionID != session {
			t.Errorf("session %q in %+v", m.SessionID, m)
		}
	}
}

func TestNoTwoLinesOfAFloodAreOne(t *testing.T) {
	t.Parallel()
	said := run(t, scripted.Options(t, "flood 3 100\nflood 5 @mix\nclock 4 1ms\n"+
		`-- mix --
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a_000000000000","name":"Bash","input":{}}]},"uuid":"a-000000000000"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a_000000000000","content":"done"}]},"uuid":"u-000000000000"}
`), "go")
	seen, calls, asked := map[string]bool{}, 0, time.Now()
	for _, m := range said {
		if m.Speech == nil {
			continue
		}
		seen[m.UUID] = true
		b := m.Speech.Content[0]
		if strings.HasSuffix(m.UUID, "000000000001") && (b.ID == "a_000000000001" || b.ToolUseID == "a_000000000001") {
			calls++
		}
		if ns, err := strconv.ParseInt(string(b.Text), 10, 64); err == nil &&
			asked.Sub(time.Unix(0, ns)).Abs() > time.Minute {
			t.Errorf("the clock said %d", ns)
		}
	}
	if want := 1 + 3 + 5 + 4; len(seen) != want || calls != 2 {
		t.Errorf("%d different lines, want %d; %d with the second number, want 2", len(seen), want, calls)
	}
}

func TestScriptIsChosenByTheMessage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.txtar": "text default",
		"b.txtar": "match: (?i)health\ntext health",
		"c.txtar": "match: health\nresume: yes\ntext resumed",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("-- script --\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := scripted.Options(t, "")
	o.Env[0] = "BECKON_AGENT_SCRIPTS=" + dir
	resumed := o
	resumed.Resume = beckon.NewUUID()
	for _, c := range []struct {
		o       cli.Options
		message string
		want    string
	}{
		{o, "Add a Health check", "health"},
		{o, "anything", "default"},
		{o, "health", "health"},
		{resumed, "health", "resumed"},
	} {
		if got := results(run(t, c.o, c.message)); got != c.want {
			t.Errorf("%q got %q, want %q", c.message, got, c.want)
		}
	}
}

func TestMistakeInAScriptIsNamed(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"juggle 3":       `unknown step "juggle 3"`,
		"parallel":       "parallel without end",
		"write a @none":  `no file "none" in the archive`,
		"ask_user {}":    "the host named no server",
		"sleep a while":  "invalid duration",
		"edit a b":       "3 arguments wanted",
		"expect nothing": "stdin ended without it",
	} {
		p, err := cli.Start(t.Context(), scripted.Options(t, script))
		if err != nil {
			t.Fatal(err)
		}
		_ = p.Send(claude.UserMessage{Text: "go"}) // it may be gone by then
		p.CloseInput()
		for _, err := p.Next(); err == nil; _, err = p.Next() {
		}
		if e := p.Wait(); e.Code != 1 || !strings.Contains(e.Stderr, want) {
			t.Errorf("%s: exit %d, %s", script, e.Code, e.Stderr)
		}
	}
}

// asked is what a server was asked by tools/call.
type asked struct {
	arguments any
	meta      map[string]any
	token     any
}

// toolServer is an MCP server whose ask_user answers with reply, and keeps
// the caller waiting forever without one.
func toolServer(reply string) (s *server.MCPServer, calls chan asked, cancelled chan error) {
	calls, cancelled = make(chan asked, 1), make(chan error, 1)
	s = server.NewMCPServer("beckon", "1")
	s.AddTool(mcp.NewTool("ask_user"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls <- asked{r.Params.Arguments, r.Params.Meta.AdditionalFields, r.Params.Meta.ProgressToken}
		if reply == "" {
			<-ctx.Done()
			cancelled <- ctx.Err()
			return nil, ctx.Err()
		}
		return mcp.NewToolResultText(reply), nil
	})
	return s, calls, cancelled
}

// host starts an agent that hears "go" and for which s answers as the server
// "beckon". What it says comes out of the channel, until its end.
func host(t *testing.T, o cli.Options, s *server.MCPServer) (*cli.Process, <-chan claude.Message) {
	t.Helper()
	p, err := cli.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan claude.Message, 1000)
	go func() {
		defer close(said)
		for {
			lines, err := p.Next()
			if err != nil {
				return
			}
			for _, l := range lines {
				m, err := claude.DecodeMessage(l.Raw)
				if err != nil {
					t.Error(err)
				}
				if m.Request != nil && m.Request.Subtype == claude.MCPMessage && m.Request.ToolServer == "beckon" {
					go reply(t, p, s, *m.Request)
				}
				said <- m
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	if _, err := p.Initialize(ctx, "", "beckon"); err != nil {
		t.Fatal(err)
	}
	if err := p.Send(claude.UserMessage{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	return p, said
}

// reply has s answer a message, and answers notifications too.
func reply(t *testing.T, p *cli.Process, s *server.MCPServer, r claude.Request) {
	text := []byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)
	if answer := s.HandleMessage(context.Background(), r.Message); answer != nil {
		var err error
		if text, err = json.Marshal(answer); err != nil {
			t.Error(err)
		}
	}
	if err := p.AnswerTool(r.ID, text); err != nil && !errors.Is(err, agent.ErrEnded) {
		t.Error(err)
	}
}

func TestAskUserGoesOverTheControlChannelAsTheCLIsDoes(t *testing.T) {
	t.Parallel()
	s, calls, _ := toolServer("SQLite")
	p, lines := host(t, scripted.Options(t, `ask_user {"question":"Which?"}`+"\ntext Using ${answer}."), s)
	var said []claude.Message
	for m := range lines {
		if said = append(said, m); m.Kind == claude.ResultLine {
			p.CloseInput()
		}
	}
	if got := results(said); got != "Using SQLite." {
		t.Errorf("results %q", got)
	}
	var id string
	for _, m := range said {
		if m.Kind == claude.AssistantLine && m.Speech.Content[0].Name == "mcp__beckon__ask_user" {
			id = m.Speech.Content[0].ID
		}
	}
	a := <-calls
	if a.token == nil || id == "" || a.meta["claudecode/toolUseId"] != id {
		t.Errorf("asked %+v for the call %q", a, id)
	}
	if in, ok := a.arguments.(map[string]any); !ok || in["question"] != "Which?" {
		t.Errorf("arguments %v", a.arguments)
	}
}

func TestInterruptCancelsTheCallOnTheServer(t *testing.T) {
	t.Parallel()
	s, calls, cancelled := toolServer("")
	p, _ := host(t, scripted.Options(t, `ask_user {"question":"Which?"}`), s)
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	select {
	case <-calls:
	case <-ctx.Done():
		t.Fatal("no call")
	}
	servers, err := p.MCPServers(ctx)
	if err != nil || len(servers) != 1 || servers[0].Status != "connected" {
		t.Errorf("servers %+v, %v", servers, err)
	}
	if err := p.Interrupt(ctx); err != nil {
		t.Fatal(err)
	}
	select {
	case <-cancelled:
	case <-ctx.Done():
		t.Error("the server's handler still waits")
	}
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// TestACallIsOverWithStdin: the CLI says the same of it as of a permission.
func TestACallIsOverWithStdin(t *testing.T) {
	t.Parallel()
	s, calls, _ := toolServer("")
	p, lines := host(t, scripted.Options(t, `ask_user {"question":"Which?"}`+"\ntext Went on."), s)
	select {
	case <-calls:
	case <-time.After(deadline):
		t.Fatal("no call")
	}
	p.CloseInput()
	var said []claude.Message
	for m := range lines {
		said = append(said, m)
	}
	if got := results(said); got != "Went on." {
		t.Errorf("results %q", got)
	}
}

func TestMessagesDuringATurnAreHeardAtTheNextTool(t *testing.T) {
	t.Parallel()
	o := scripted.Options(t, "run echo x > started; while ! test -f go; do sleep 0.01; done\nexpect tabs\ntext heard")
	p, err := cli.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan []claude.Message, 1)
	go func() {
		var all []claude.Message
		for {
			lines, err := p.Next()
			if err != nil {
				said <- all
				return
			}
			for _, l := range lines {
				if m, err := claude.DecodeMessage(l.Raw); err == nil {
					all = append(all, m)
				}
			}
		}
	}()
	for _, text := range []string{"go", "use tabs"} {
		if err := p.Send(claude.UserMessage{Text: text}); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(o.Dir, "started")); err == nil {
				break
			}
		}
	}
	if err := os.WriteFile(filepath.Join(o.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.CloseInput()
	select {
	case all := <-said:
		if got := results(all); got != "heard" {
			t.Errorf("results %q, want one for both messages", got)
		}
	case <-time.After(deadline):
		t.Error("the agent does not end")
	}
}
