package toolserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// agentLine is a run's agent at the other end of a control channel.
type agentLine struct {
	*Channel
	token, runID string
	ctx          context.Context // of the run
	end          context.CancelFunc
}

// wireOf lets a run in, as grantTools does.
func (h *house) wireOf(t *testing.T) *agentLine {
	t.Helper()
	run := beckon.Run{TaskID: h.task.ID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto}
	must(t, h.store.AddRun(t.Context(), &run))
	l := &agentLine{runID: run.ID}
	l.Channel, l.token = h.Open(Caller{RunID: run.ID, TaskID: h.task.ID, Policy: beckon.Wait})
	l.ctx, l.end = context.WithCancel(t.Context())
	t.Cleanup(l.end)
	return l
}

// said is what became of a message.
type said struct {
	text string
	err  error
}

// say sends a message, whose answer comes out of the channel; writing it fails
// with broken.
func (l *agentLine) say(message string, broken error) <-chan said {
	answer, done := l.Receive(l.ctx, json.RawMessage(message)), make(chan said, 1)
	go func() {
		var text string
		err := answer(func(reply json.RawMessage) error { text = string(reply); return broken })
		done <- said{text, err}
	}()
	return done
}

func (l *agentLine) ask(id int, toolUse string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask_user","arguments":{"question":"Which?"},"_meta":{"claudecode/toolUseId":%q,"progressToken":%d}}}`, id, toolUse, id)
}

func cancelled(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"AbortError"}}`, id)
}

func heard(t *testing.T, done <-chan said) said {
	t.Helper()
	select {
	case s := <-done:
		return s
	case <-time.After(patience):
		t.Fatal("no answer")
		panic("unreachable")
	}
}

func (h *house) answerIt(t *testing.T, q beckon.Question, text string) beckon.Question {
	t.Helper()
	must(t, h.desk.Answer(t.Context(), q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: text}}}))
	return h.shown(t)
}

// TestARunAsksOverItsControlChannel as Claude does: it begins with the
// handshake, both tools are in the prompt, and the answer counts as delivered
// once it was written.
func TestARunAsksOverItsControlChannel(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l := h.wireOf(t)
	for _, step := range []struct{ message, want string }{
		{`{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.197"}},"jsonrpc":"2.0","id":0}`, `"protocolVersion":"2025-11-25"`},
		{`{"method":"notifications/initialized","jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":0,"result":{}}`},
		{`{"method":"tools/list","jsonrpc":"2.0","id":1}`, `"record_assumption"`},
		{`{"method":"nonsense","jsonrpc":"2.0","id":2}`, `"error"`},
		{`[1,2]`, `"error"`},
	} {
		got := heard(t, l.say(step.message, nil))
		if got.err != nil || !strings.Contains(got.text, step.want) {
			t.Errorf("%s was answered %s, %v", step.message, got.text, got.err)
		}
		if strings.Contains(step.message, "tools/list") && strings.Count(got.text, `"anthropic/alwaysLoad":true`) != 2 {
			t.Errorf("an agent would have to search for the tools: %s", got.text)
		}
	}
	asked := l.say(l.ask(3, "toolu_1"), nil)
	q := h.shown(t)
	if q.RunID != l.runID || q.TaskID != h.task.ID || q.ToolUseID != "toolu_1" {
		t.Errorf("asked %+v", q)
	}
	h.answerIt(t, q, "this")
	if got := heard(t, asked); got.err != nil || !strings.Contains(got.text, `"other":"this"`) {
		t.Errorf("heard %s, %v", got.text, got.err)
	}
	if q := h.shown(t); q.Delivered == 0 {
		t.Errorf("the answer was written, and is %+v", q)
	}
}

// TestACancelledCallIsClosedHoweverSoonItIsCancelled: the two messages of the
// one are read before anything is done about them.
func TestACancelledCallIsClosedHoweverSoonItIsCancelled(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l := h.wireOf(t)
	call := l.Receive(l.ctx, json.RawMessage(l.ask(7, "toolu_7")))
	heard(t, l.say(cancelled(7), nil))
	done := make(chan error, 1)
	go func() { done <- call(func(json.RawMessage) error { return nil }) }()
	select {
	case err := <-done:
		must(t, err)
	case <-time.After(patience):
		t.Fatal("the agent stopped waiting, and the call did not")
	}
	if n := h.desk.Open(l.runID); n != 0 {
		t.Errorf("%d questions are open", n)
	}
}

// TestOneRunsCancellationIsNoOthers, though both number their calls alike.
func TestOneRunsCancellationIsNoOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	a, b := h.wireOf(t), h.wireOf(t)
	askedA := a.say(a.ask(2, "toolu_a"), nil)
	h.shown(t)
	askedB := b.say(b.ask(2, "toolu_b"), nil)
	q := h.shown(t)
	heard(t, a.say(cancelled(2), nil))
	h.closed(t, a.runID)
	heard(t, askedA)
	if h.desk.Open(b.runID) != 1 {
		t.Fatal("the other run's question was closed")
	}
	h.answerIt(t, q, "mine")
	if got := heard(t, askedB); !strings.Contains(got.text, "mine") {
		t.Errorf("heard %s, %v", got.text, got.err)
	}
}

// TestACallThatIsMadeTwiceIsOneQuestion, and both are answered.
func TestACallThatIsMadeTwiceIsOneQuestion(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l := h.wireOf(t)
	first := l.say(l.ask(2, "toolu_1"), nil)
	q := h.shown(t)
	second := l.say(l.ask(3, "toolu_1"), nil)
	for deadline := time.Now().Add(patience); h.waiting() < 2 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
	}
	h.answerIt(t, q, "once")
	for _, asked := range []<-chan said{first, second} {
		if got := heard(t, asked); !strings.Contains(got.text, "once") {
			t.Errorf("heard %s, %v", got.text, got.err)
		}
	}
}

// TestAnAnswerToAnAgentThatIsGoneIsOwed, as where the agent was killed
// in that moment.
func TestAnAnswerToAnAgentThatIsGoneIsOwed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.grace = 10 * time.Millisecond
	l := h.wireOf(t)
	gone := errors.New("the agent has ended")
	asked := l.say(l.ask(2, "toolu_1"), gone)
	q := h.answerIt(t, h.shown(t), "too late")
	if got := heard(t, asked); !errors.Is(got.err, gone) {
		t.Errorf("%v", got.err)
	}
	select {
	case owed := <-h.owed:
		if owed.ID != q.ID || owed.Delivered != 0 {
			t.Errorf("owed %+v", owed)
		}
	case <-time.After(patience):
		t.Fatal("nobody hears that the agent is owed an answer")
	}
}

// TestARunThatIsOverIsHeardNoMore: neither what it asked before nor after.
func TestARunThatIsOverIsHeardNoMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l := h.wireOf(t)
	asked := l.say(l.ask(2, "toolu_1"), nil)
	h.shown(t)
	l.end()
	h.Dismiss(l.token)
	heard(t, asked)
	if q := h.shown(t); q.Settlement == beckon.Open {
		t.Errorf("the question of a run that is over is %+v", q)
	}
	if got := heard(t, l.say(l.ask(3, "toolu_2"), nil)); !errors.Is(got.err, beckon.ErrConflict) {
		t.Errorf("a run that is over was answered %s, %v", got.text, got.err)
	}
	if n := h.desk.Open(l.runID); n != 0 {
		t.Errorf("%d questions are open", n)
	}
}
