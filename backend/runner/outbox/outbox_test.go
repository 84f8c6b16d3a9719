package outbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

const session = "29415263-59dc-4b65-bbad-00e030ce1cb9"

// desk is an outbox of a run that no process belongs to, the database that has
// its messages, and the folder in which claude keeps its record.
type desk struct {
	*Outbox
	task   beckon.Task
	record string

	claude queueing

	mu        sync.Mutex
	state     State
	delivered []string // questions
	work      sync.WaitGroup
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p := beckon.Project{
		ID: beckon.NewID(), Key: "KES", Name: "kestrel", Dir: dir, Color: 1, Mode: beckon.ModeAuto,
		Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs, Created: beckon.Now(),
	}
	if err := s.AddProject(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	d := &desk{state: State{Session: session}, record: filepath.Join(dir, "projects", "-a", session+".jsonl")}
	if err := os.MkdirAll(filepath.Dir(d.record), 0o700); err != nil {
		t.Fatal(err)
	}
	d.task = beckon.Task{ID: beckon.NewID(), ProjectID: p.ID, Title: "One", Labels: []string{}, Status: beckon.Backlog, Created: beckon.Now()}
	if err := s.CreateTask(t.Context(), &d.task); err != nil {
		t.Fatal(err)
	}
	q := NewQueues(Config{
		Store: s, Publish: func(beckon.Event) {}, Of: func(string) *Outbox { return d.Outbox },
		Heard: d.note,
		Insist: func(what, _ string, step func(context.Context) error) {
			if err := step(context.Background()); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		},
		Record: func(run beckon.Run) (agent.Record, error) {
			return claude.FindRecord([]string{"CLAUDE_CONFIG_DIR=" + dir}, run.Session)
		},
	})
	d.Outbox = q.Outbox(beckon.Run{ID: "run", TaskID: d.task.ID, Kind: beckon.TaskRun}, d)
	t.Cleanup(d.work.Wait)
	return d
}

// queueing is a claude that has in its queue what was sent to it, or has taken it.
type queueing struct{ taken bool }

func (queueing) Send(agent.Message) error                             { return nil }
func (queueing) SetMode(context.Context, beckon.PermissionMode) error { return nil }
func (c queueing) TakeBack(context.Context, string) (bool, error)     { return !c.taken, nil }

func (d *desk) note(_ context.Context, questionID, _ string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delivered = append(d.delivered, questionID)
	return nil
}

func (d *desk) heard() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.delivered)
}

func (d *desk) Session() Session                                          { return d.claude }
func (d *desk) Record(...[]byte) error                                    { return nil }
func (d *desk) BeginTurn()                                                {}
func (d *desk) CutTurn(context.Context, *reason.Reason) bool              { return true }
func (d *desk) Prompt() string                                            { return "" }
func (d *desk) ModeAfterPlan(*beckon.Answer) (none beckon.PermissionMode) { return none }
func (d *desk) Go(f func(context.Context)) bool {
	d.work.Go(func() { f(context.Background()) })
	return true
}
func (d *desk) State() State { d.mu.Lock(); defer d.mu.Unlock(); return d.state }

// write adds a line to claude's record.
func (d *desk) write(t *testing.T, line string) {
	t.Helper()
	f, err := os.OpenFile(d.record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line + "\n")
		_ = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// queue returns the texts of the task's messages as clients see them.
func (d *desk) queue(t *testing.T) []string {
	t.Helper()
	list, err := d.queues.Store.Messages(t.Context(), d.task.ID)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{}
	for _, m := range d.visible(list) {
		texts = append(texts, m.Text)
	}
	return texts
}

// handed is a message of the user's that was given to claude.
func (d *desk) handed(t *testing.T, text string) *sending {
	t.Helper()
	m := beckon.Message{ID: beckon.NewUUID(), TaskID: d.task.ID, Text: text, Sent: beckon.Now()}
	if err := d.queues.Store.AddMessage(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	s := &sending{id: m.ID, row: true, line: []byte(text), command: commandOf(text)}
	d.add(s)
	return s
}

func echo(id string) agent.Event { return agent.Heard{Given: given{message: id}} }

// given is a message, or the result of a call.
type given struct{ message, call string }

func (g given) Message() string              { return g.message }
func (g given) HasResult(callID string) bool { return g.call == callID }

func begins() agent.Event { return agent.TurnBegan{} }

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(timeout.For(20 * time.Second)); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestAMessageIsGoneOnlyWhenClaudeHasWrittenItDown: what claude printed that it
// took goes with claude if it is killed, and must be there to be sent again.
func TestAMessageIsGoneOnlyWhenClaudeHasWrittenItDown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := d.handed(t, "Hello")
	if lines := d.Unshown(begins()); len(lines) != 1 || string(lines[0]) != "Hello" {
		t.Errorf("the turn that it begins shows %q", lines)
	}
	if lines := d.Unshown(echo(s.id)); len(lines) != 0 {
		t.Errorf("the echo shows %q once more", lines)
	}
	if shown := d.queue(t); len(shown) != 0 {
		t.Errorf("the queue and the transcript show %q", shown)
	}
	d.Acknowledge(echo(s.id))
	if d.Sending() || !d.hasTaken(s.id) {
		t.Error("claude has not taken what it echoed")
	}
	if _, err := d.queues.Store.Message(t.Context(), s.id); err != nil {
		t.Fatalf("the row is gone before claude has the message: %v", err)
	}
	d.write(t, `{"type":"user","uuid":"`+s.id+`","message":{"content":"Hello"}}`)
	await(t, "the row stays although claude wrote the message down", func() bool {
		_, err := d.queues.Store.Message(t.Context(), s.id)
		return err != nil
	})
}

// TestACommandIsTakenByTheTurnThatItBegins, since claude echoes none and keeps
// no record of it.
func TestACommandIsTakenByTheTurnThatItBegins(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	command := d.handed(t, "/compact")
	next := d.handed(t, "Go on")
	if d.Command() != "/compact" {
		t.Error("no command was sent")
	}
	d.Acknowledge(begins())
	if sent := d.onTheWay(); len(sent) != 1 || sent[0].id != next.id {
		t.Errorf("%d messages are on their way", len(sent))
	}
	await(t, "the command stays in the queue", func() bool {
		_, err := d.queues.Store.Message(t.Context(), command.id)
		return err != nil
	})
}

// TestAnAnswerIsDeliveredOnlyWhenClaudeHasWrittenItDown, and not at all by the
// result of the call that a later answer overruled.
func TestAnAnswerIsDeliveredOnlyWhenClaudeHasWrittenItDown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	question := func(id, call string) beckon.Question {
		return beckon.Question{ID: id, ToolUseID: call, Proof: call, Settlement: beckon.Answered, Answer: &beckon.Answer{}}
	}
	result := func(call string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + call + `","content":"Blue"}]}}`
	}
	for _, q := range []beckon.Question{question("q1", "toolu_1"), question("q2", "toolu_2"), {ID: "q3", ToolUseID: "toolu_3", Settlement: beckon.Expired}} {
		d.Expect(q)
	}
	d.deliveryMu.Lock()
	d.forgetAnswer("q2")
	d.deliveryMu.Unlock()
	for _, call := range []string{"toolu_1", "toolu_2", "toolu_3"} {
		d.Answered(given{call: call})
	}
	if got := d.heard(); len(got) != 0 {
		t.Errorf("delivered before claude has them: %q", got)
	}
	for _, call := range []string{"toolu_2", "toolu_3", "toolu_1"} {
		d.write(t, result(call))
	}
	await(t, "the answer is not delivered", func() bool { return len(d.heard()) > 0 })
	d.work.Wait()
	if got := d.heard(); !slices.Equal(got, []string{"q1"}) {
		t.Errorf("delivered: %q", got)
	}
}

// TestWhatClaudeTookAndDidNotWriteIsNotDelivered when it was killed; a claude
// that left on its own wrote all of it.
func TestWhatClaudeTookAndDidNotWriteIsNotDelivered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		byItself, gone bool
	}{"killed": {false, false}, "left": {true, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.Silent()
			s := d.handed(t, "Hello")
			d.Acknowledge(echo(s.id))
			d.SettleTaken(c.byItself)
			if _, err := d.queues.Store.Message(t.Context(), s.id); (err != nil) != c.gone {
				t.Errorf("the row: %v; want it gone: %v", err, c.gone)
			}
		})
	}
}

func TestTheQueueCountsWhatWaitsAndHidesWhatIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.handed(t, "on its way")
	d.handed(t, "shown").shown = true
	waits := beckon.Message{ID: beckon.NewUUID(), TaskID: d.task.ID, Text: "waits"}
	if err := d.queues.Store.AddMessage(t.Context(), &waits); err != nil {
		t.Fatal(err)
	}
	if got := d.queue(t); !slices.Equal(got, []string{"on its way", "waits"}) || d.Queued() != 1 {
		t.Errorf("the queue shows %q, and %d wait", got, d.Queued())
	}
}

// TestACallThatWasAllowedIsAllowedOnce: the same call is asked about the next time, and
// behind any other one, and one of which nothing is known always.
func TestACallThatWasAllowedIsAllowedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	call := &beckon.PermissionRequest{Tool: "Bash", Digest: "of make"}
	allowed := func(p *beckon.PermissionRequest) {
		d.deliveryMu.Lock()
		defer d.deliveryMu.Unlock()
		q := beckon.Question{ID: "q", Kind: beckon.Permission, Permission: p, Answer: &beckon.Answer{Verdict: beckon.AllowOnce}}
		if err := d.prepareFor(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	allowed(call)
	if d.TakeGrant(nil) || !d.TakeGrant(call) || d.TakeGrant(call) {
		t.Error("the call is not allowed once")
	}
	allowed(call)
	if d.TakeGrant(&beckon.PermissionRequest{Tool: "Bash", Digest: "of make all"}) || d.TakeGrant(call) {
		t.Error("another call is allowed, or one behind it")
	}
	unknown := &beckon.PermissionRequest{Tool: "Bash"}
	if allowed(unknown); d.TakeGrant(unknown) {
		t.Error("a call of which nothing is known is allowed")
	}
}

// TestAMessageThatClaudeHasIsChangedByNobody: to move it would lie.
func TestAMessageThatClaudeHasIsChangedByNobody(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := d.handed(t, "Hello")
	d.Acknowledge(echo(s.id))
	if err := d.queues.Move(t.Context(), s.id, 0); err != errRead { //nolint:errorlint // The very same.
		t.Errorf("moved: %v", err)
	}
}

func TestATurnBeforeTheFirstMessageIsFollowedByNothingButThat(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rests := 0
	next := func() {
		d.Next(t.Context(), func() (over, goesOn bool) { return true, true }, func(error) { rests++ })
	}
	if next(); rests != 0 {
		t.Error("the run came to rest before its first message")
	}
	if err := d.Open(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if next(); rests != 1 {
		t.Errorf("with nothing left to say it came to rest %d times", rests)
	}
}

// TestAnAnswerThatIsChangedAgainIsToldOnce: what claude has in its queue is taken back,
// since no turn is there to be cut, and nothing else is.
func TestAnAnswerThatIsChangedAgainIsToldOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent *sending
		take bool
		want bool
	}{
		"in its queue":     {sent: &sending{id: "m", answers: []string{"q"}}, want: true},
		"taken":            {sent: &sending{id: "m", answers: []string{"q"}}, take: true},
		"another answer":   {sent: &sending{id: "m", answers: []string{"p"}}},
		"one of several":   {sent: &sending{id: "m", answers: []string{"q", "p"}}},
		"the user's words": {sent: &sending{id: "m", answers: []string{"q"}, row: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.claude.taken = c.take
			d.add(c.sent)
			if got := d.takeBackChange(t.Context(), "q"); got != c.want || d.Sending() == c.want {
				t.Errorf("taken back: %t, on its way: %t; want %t", got, d.Sending(), c.want)
			}
		})
	}
}
