package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/beckon"
	"beckon/tests/timeout"
)

func TestMain(m *testing.M) { scripted.Main(m) }

// deadline is how long anything here may take.
var deadline = timeout.For(30 * time.Second)

// conversation is a process whose lines are collected.
type conversation struct {
	*testing.T
	*cli.Process
	lines chan claude.Message // decoded, but for control_response
	raw   chan string         // those that cannot be decoded
}

// converse starts an agent that plays script and reads all it says.
func converse(t *testing.T, script string) *conversation {
	t.Helper()
	return start(t, scripted.Options(t, script))
}

func start(t *testing.T, o cli.Options) *conversation {
	t.Helper()
	p, err := cli.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{t, p, make(chan claude.Message, 10000), make(chan string, 100)}
	go c.read()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		_ = p.Stop(ctx)
	})
	return c
}

func (c *conversation) read() {
	defer close(c.lines)
	for {
		lines, err := c.Next()
		if err != nil {
			return
		}
		for _, l := range lines {
			m, err := claude.DecodeMessage(l.Raw)
			if err != nil {
				c.raw <- string(l.Raw)
				continue
			}
			c.lines <- m
		}
	}
}

func (c *conversation) tell(text string) {
	c.Helper()
	if err := c.Send(claude.UserMessage{Text: text}); err != nil {
		c.Fatal(err)
	}
}

// until returns the next message that fits.
func (c *conversation) until(what string, fits func(claude.Message) bool) claude.Message {
	c.Helper()
	late := time.After(deadline)
	for {
		select {
		case m, ok := <-c.lines:
			if !ok {
				c.Fatalf("the agent ended before %s; stderr: %s", what, c.Wait().Stderr)
			}
			if fits(m) {
				return m
			}
		case <-late:
			c.Fatalf("no %s within %v", what, deadline)
		}
	}
}

func (c *conversation) result() claude.Result {
	c.Helper()
	return *c.until("result", func(m claude.Message) bool { return m.Result != nil }).Result
}

func (c *conversation) request() *claude.Request {
	c.Helper()
	return c.until("request", func(m claude.Message) bool { return m.Request != nil }).Request
}

func (c *conversation) toolResult() claude.Block {
	c.Helper()
	m := c.until("tool result", func(m claude.Message) bool {
		return m.Kind == claude.UserLine && m.Speech.Content[0].Type == claude.ToolResultBlock
	})
	return m.Speech.Content[0]
}

// ended waits for the end of the process.
func (c *conversation) ended() cli.Exit {
	c.Helper()
	select {
	case <-c.Exited():
	case <-time.After(deadline):
		c.Fatalf("the agent still lives after %v", deadline)
	}
	return c.Wait()
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	t.Cleanup(cancel)
	return ctx
}

func TestAgentAnswersAndLeavesWhenInputCloses(t *testing.T) {
	t.Parallel()
	c := converse(t, "text You said ${message}.\nturn\ntext And ${message}.")
	i, err := c.Initialize(within(t), "")
	if err != nil {
		t.Fatal(err)
	}
	if i.PID != c.PID() || len(i.Models) == 0 {
		t.Errorf("initialized %+v, want the pid %d and models", i, c.PID())
	}
	c.tell("hello")
	if r := c.result(); r.Text != "You said hello." || r.IsError || r.TotalCostUSD == 0 {
		t.Errorf("result %+v", r)
	}
	c.tell("more <&>")
	second := c.result()
	if second.Text != "And more <&>." {
		t.Errorf("result %+v", second)
	}
	if want := second.TotalCostUSD / 2; second.ModelUsage["claude-opus-4-8[1m]"].CostUSD/2 != want ||
		second.Tokens() != 2*1050 {
		t.Errorf("cost and tokens are not those of both turns: %+v", second)
	}
	c.CloseInput()
	if e := c.ended(); e.Code != 0 || e.Signal != "" {
		t.Errorf("exit %+v", e)
	}
	if err := c.Send(claude.UserMessage{Text: "too late"}); !errors.Is(err, agent.ErrEnded) ||
		!errors.Is(err, beckon.ErrConflict) {
		t.Errorf("sending after the end: %v", err)
	}
	if _, err := c.Control(within(t), "mcp_status", nil); !errors.Is(err, agent.ErrEnded) {
		t.Errorf("control after the end: %v", err)
	}
}

func TestLongAndBrokenLinesArriveWhole(t *testing.T) {
	t.Parallel()
	p, err := cli.Start(t.Context(),
		scripted.Options(t, "big 100KB\nbig 5MB\nsay @odd\nsay not json\nflood 2000 700\ncrash 3\n"+
			"-- odd --\n{\"type\":\"assistant\",\"x\":\"\xff\xfe\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send(claude.UserMessage{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	var texts []int
	var odd, garbage int
	for {
		lines, err := p.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		for _, l := range lines {
			switch {
			case bytes.Contains(l.Raw, []byte("\xff\xfe")):
				odd++
			case l.Kind == claude.UnknownLine:
				garbage++
				if string(l.Raw) != "not json" {
					t.Errorf("garbage is %.40q", l.Raw)
				}
			case l.Kind == claude.AssistantLine:
				m, err := claude.DecodeMessage(l.Raw)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, len(m.Speech.Content.Text()))
			}
		}
	}
	if odd != 1 || garbage != 1 {
		t.Errorf("%d lines of invalid UTF-8 and %d of garbage, want one each", odd, garbage)
	}
	if len(texts) != 2002 || texts[0] != 100<<10 || texts[1] != 5<<20 || texts[2001] != 700 {
		t.Errorf("%d texts, the first of %v bytes", len(texts), texts[:min(3, len(texts))])
	}
	if e := p.Wait(); e.Code != 3 {
		t.Errorf("exit %+v, want code 3", e)
	}
}

func TestEndOfStderrIsKept(t *testing.T) {
	t.Parallel()
	c := converse(t, "errflood 3MB\nstderr the last words\ncrash 7")
	c.tell("go")
	e := c.ended()
	if e.Code != 7 || len(e.Stderr) != 64<<10 || !strings.HasSuffix(e.Stderr, "again\nthe last words\n") {
		t.Errorf("code %d, %d bytes of stderr ending in %q", e.Code, len(e.Stderr), e.Stderr[max(0, len(e.Stderr)-30):])
	}
}

func TestSignalThatEndedTheAgentIsTold(t *testing.T) {
	t.Parallel()
	c := converse(t, "kill")
	c.tell("go")
	if e := c.ended(); e.Code != -1 || e.Signal != "killed" {
		t.Errorf("exit %+v", e)
	}
}

func TestStartTellsWhyItFailed(t *testing.T) {
	t.Parallel()
	o := scripted.Options(t, "")
	o.Path = t.TempDir() + "/claude"
	if _, err := cli.Start(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing executable: %v", err)
	}
	if err := os.WriteFile(o.Path, []byte("#!/nonexistent\n"), 0o700); err != nil { //nolint:gosec // It is to be executable.
		t.Fatal(err)
	}
	if _, err := cli.Start(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing interpreter: %v", err)
	}
}

func TestInvalidMessagesAreNeverWritten(t *testing.T) {
	t.Parallel()
	c := converse(t, "text ${message}")
	if err := c.Send(claude.UserMessage{Text: "x", Priority: "now"}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("priority now: %v", err)
	}
	broken := claude.Block{Type: "tool_use", Input: json.RawMessage("{")}
	if err := c.Send(claude.UserMessage{Blocks: []claude.Block{broken}}); err == nil {
		t.Error("a block of broken JSON was sent")
	}
	if err := c.Decide("1", claude.Allow{}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("allow without input: %v", err)
	}
	c.tell("two\nlines, \xff and \u2028")
	if r := c.result(); r.Text != "two\nlines, \ufffd and \u2028" {
		t.Errorf("result %q", r.Text)
	}
}

func TestQuestionIsAnsweredInTheRunningTurn(t *testing.T) {
	t.Parallel()
	c := converse(t, `ask @ask
text Got ${answer}.
-- ask --
{"questions":[
	 {"question":"Database?","header":"DB","multiSelect":false,"options":[{"label":"A","description":"","preview":"| a |"},{"label":"B","description":""}]},
	 {"question":"Features?","header":"F","multiSelect":true,"options":[{"label":"Auth","description":""},{"label":"Export","description":""}]}],"unknown":1}`)
	c.tell("go")
	r := c.request()
	ask, err := claude.DecodeAsk(r.Input)
	if err != nil {
		t.Fatal(err)
	}
	if r.ToolName != claude.AskTool || len(ask.Questions) != 2 || !ask.Questions[1].MultiSelect {
		t.Fatalf("request %+v, questions %+v", r, ask.Questions)
	}
	err = c.Decide(r.ID, claude.Allow{UpdatedInput: ask.Answered([]claude.AskAnswer{
		{Labels: []string{"A"}, Notes: "for now"}, {Labels: []string{"Auth", "Export"}, Other: "please"},
	})})
	if err != nil {
		t.Fatal(err)
	}
	const want = `"Database?"="A" selected preview:` + "\n| a | notes: for now, " + `"Features?"="Auth, Export, please".`
	if b := c.toolResult(); b.IsError || b.ToolUseID != r.ToolUseID || !strings.Contains(b.Content.Text(), want) {
		t.Errorf("the agent was told %q (error: %v)", b.Content.Text(), b.IsError)
	}
	if r := c.result(); r.Text != "Got A; Auth, Export, please." {
		t.Errorf("result %q", r.Text)
	}
}

func TestParallelQuestionsAreMatchedByID(t *testing.T) {
	t.Parallel()
	c := converse(t, "parallel\nask One? | 1\nask Two? | 2\nend\ntext done")
	c.tell("go")
	requests := []*claude.Request{c.request(), c.request()}
	for _, i := range []int{1, 0} { // not in the order asked
		ask, err := claude.DecodeAsk(requests[i].Input)
		if err != nil {
			t.Fatal(err)
		}
		answer := ask.Answered([]claude.AskAnswer{{Labels: []string{"to " + ask.Questions[0].Question}}})
		if err := c.Decide(requests[i].ID, claude.Allow{UpdatedInput: answer}); err != nil {
			t.Fatal(err)
		}
		b := c.toolResult()
		if want := `"` + ask.Questions[0].Question + `"="to ` + ask.Questions[0].Question +
			`"`; b.ToolUseID != requests[i].ToolUseID ||
			!strings.Contains(b.Content.Text(), want) {
			t.Errorf("%s was told %q", requests[i].ToolUseID, b.Content.Text())
		}
	}
	c.result()
}

func TestDenialReachesTheAgentAndTheFileIsNotWritten(t *testing.T) {
	t.Parallel()
	o := scripted.Options(t, `permit Write {"file_path":"secret.txt","content":"x"}`+"\n"+
		`permit Write {"file_path":"fine.txt","content":"x"}`+"\ntext ${answer}")
	c := start(t, o)
	c.tell("go")
	r := c.request()
	if err := c.Decide(r.ID, claude.Deny{Message: "not that one"}); err != nil {
		t.Fatal(err)
	}
	if b := c.toolResult(); !b.IsError || b.Content.Text() != "not that one" {
		t.Errorf("the agent was told %+v", b)
	}
	r = c.request()
	p, err := claude.DecodePermission(r.Suggestions[1])
	if err != nil || p.Mode != "acceptEdits" || p.Destination != "session" || r.BlockedPath == "" {
		t.Errorf("suggestion %+v, %v; blocked path %q", p, err, r.BlockedPath)
	}
	if err := c.Decide(r.ID, claude.Allow{UpdatedInput: r.Input, UpdatedPermissions: r.Suggestions[1:]}); err != nil {
		t.Fatal(err)
	}
	mode := c.until("new mode", func(m claude.Message) bool {
		return m.Subtype == claude.StatusChanged && m.System.Mode != ""
	})
	if mode.System.Mode != "acceptEdits" {
		t.Errorf("mode %q", mode.System.Mode)
	}
	if end := c.result(); len(end.Denials) != 1 || end.Text != "allow" {
		t.Errorf("result %+v", end)
	}
	if _, err := os.Stat(o.Dir + "/secret.txt"); err == nil {
		t.Error("the denied file was written")
	}
	if _, err := os.Stat(o.Dir + "/fine.txt"); err != nil {
		t.Error(err)
	}
}

func TestControlRequestsAreAnsweredWhileATurnRuns(t *testing.T) {
	t.Parallel()
	c := converse(t, "sleep 30s")
	c.tell("go")
	c.until("init", func(m claude.Message) bool { return m.Subtype == claude.Init })
	if _, err := c.Control(within(t), "set_permission_mode", map[string]any{"mode": "plan"}); err != nil {
		t.Error(err)
	}
	if servers, err := c.MCPServers(within(t)); err != nil || len(servers) != 0 {
		t.Errorf("servers %v, %v", servers, err)
	}
	if _, err := c.Control(within(t), "no_such_thing", nil); err == nil || !strings.Contains(err.Error(), "Unsupported") {
		t.Errorf("unknown request: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	<-short.Done()
	if _, err := c.Control(short, "mcp_status", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("late reply: %v", err)
	}
}

func TestAPIFailureIsAFailure(t *testing.T) {
	t.Parallel()
	c := converse(t, "error 429 Too many")
	c.tell("go")
	r := c.result()
	if !r.IsError || r.APIErrorStatus != 429 || r.Interrupted() || !strings.Contains(r.Text, "Too many") {
		t.Errorf("result %+v", r)
	}
	c.CloseInput()
	if e := c.ended(); e.Code != 1 {
		t.Errorf("exit %+v", e)
	}
}
