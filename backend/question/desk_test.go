package question

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

// patience is how long a test waits for what must happen, on a busy machine too.
var patience = timeout.For(60 * time.Second)

// room is a desk with a real database and a run that may ask.
type room struct {
	*Desk
	store  *store.Store
	events chan beckon.Question // in the order of their publication
	task   beckon.Task
	run    beckon.Run
}

func newRoom(t *testing.T) *room {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &room{store: s, events: make(chan beckon.Question, 10_000)}
	r.Desk = New(s, func(e beckon.Event) {
		if e.Question != nil {
			r.events <- *e.Question
		}
	})
	project := beckon.Project{Key: "KES", Name: "kestrel", Dir: t.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs}
	must(t, s.AddProject(t.Context(), &project))
	r.task = beckon.Task{ProjectID: project.ID, Title: "t", Status: beckon.Running, Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: beckon.DefaultWaitMs}
	must(t, s.CreateTask(t.Context(), &r.task))
	r.run = r.addRun(t)
	return r
}

func (r *room) addRun(t *testing.T) beckon.Run {
	t.Helper()
	run := beckon.Run{TaskID: r.task.ID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto}
	must(t, r.store.AddRun(t.Context(), &run))
	return run
}

// which is an ask with two options that waits without limit.
func (r *room) which(text string) beckon.Question {
	return beckon.Question{
		TaskID: r.task.ID, RunID: r.run.ID, Kind: beckon.Ask, Policy: beckon.Wait,
		Items: []beckon.QuestionItem{{Text: text, Options: []beckon.Option{{Label: "Planner"}, {Label: "Executor"}}}},
	}
}

func (r *room) event(t *testing.T) beckon.Question {
	t.Helper()
	select {
	case q := <-r.events:
		return q
	case <-time.After(patience):
		t.Fatal("nothing was shown")
		panic("unreachable")
	}
}

// settled is what became of an Ask.
type settled struct {
	q   beckon.Question
	err error
}

func (r *room) ask(ctx context.Context, q beckon.Question) <-chan settled {
	done := make(chan settled, 1)
	go func() {
		q, err := r.Ask(ctx, q)
		done <- settled{q, err}
	}()
	return done
}

func (r *room) row(t *testing.T, id string) beckon.Question {
	t.Helper()
	q, err := r.store.Question(t.Context(), id)
	must(t, err)
	return q
}

func wait(t *testing.T, done <-chan settled) settled {
	t.Helper()
	select {
	case s := <-done:
		return s
	case <-time.After(patience):
		t.Fatal("the agent was never woken")
		panic("unreachable")
	}
}

func say(labels ...string) beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: labels}}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnswerReachesTheAgentThatAsked(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which part?"))
	shown := r.event(t)
	if shown.Settlement != beckon.Open || shown.Deadline != 0 || r.Open(r.run.ID) != 1 {
		t.Errorf("shown %+v with %d open; want one open without a clock", shown, r.Open(r.run.ID))
	}
	must(t, r.Answer(t.Context(), shown.ID, say("Planner")))
	got := wait(t, done)
	if got.err != nil || got.q.Answer == nil || got.q.Answer.Items[0].Labels[0] != "Planner" {
		t.Fatalf("the agent heard %+v, %v; want Planner", got.q, got.err)
	}
	if got.q.Answer.By != "user" || got.q.Answer.At == 0 {
		t.Errorf("answered by %q at %d; want the user, at some time", got.q.Answer.By, got.q.Answer.At)
	}
	if r.event(t).Settlement != beckon.Answered || r.Open(r.run.ID) != 0 {
		t.Error("the card was not told that its question is answered")
	}
	must(t, r.Delivered(t.Context(), shown.ID))
	if r.event(t).Delivered == 0 || r.row(t, shown.ID).Delivered == 0 {
		t.Error("nobody knows that the answer was handed over")
	}
}

// TestNothingIsShownOrHeardThatADeathCouldUndo checks commit → publish → wake.
func TestNothingIsShownOrHeardThatADeathCouldUndo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var woken atomic.Bool
	r.publish = func(e beckon.Event) {
		row := r.row(t, e.Question.ID)
		if row.Settlement != e.Question.Settlement {
			t.Errorf("shown as %s while the row is %s", e.Question.Settlement, row.Settlement)
		}
		if e.Question.Settlement == beckon.Answered {
			time.Sleep(20 * time.Millisecond)
			if woken.Load() {
				t.Error("the agent went on before the answer was shown")
			}
		}
		r.events <- *e.Question
	}
	done := make(chan settled, 1)
	go func() {
		q, err := r.Ask(t.Context(), r.which("Which?"))
		woken.Store(true)
		done <- settled{q, err}
	}()
	must(t, r.Answer(t.Context(), r.event(t).ID, say("Planner")))
	wait(t, done)
}

func TestTheSecondOfTwoClicksIsToldWhatTheFirstSaid(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which?"))
	id := r.event(t).ID
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- r.Answer(t.Context(), id, say("Planner")) }()
	}
	first, second := <-errs, <-errs
	if first != nil {
		first, second = second, first
	}
	if first != nil || !errors.Is(second, beckon.ErrConflict) || !strings.Contains(second.Error(), "answered already: Planner") {
		t.Errorf("clicks got %v and %v; want one accepted, one told the answer", first, second)
	}
	wait(t, done)
}

func TestSilenceLetsTheAgentProceed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	q := r.which("Which?")
	q.Policy, q.WaitMs = beckon.Proceed, 40
	done := r.ask(t.Context(), q)
	shown := r.event(t)
	if shown.Deadline != shown.Asked+40 {
		t.Errorf("asked %d, deadline %d; want 40 ms between", shown.Asked, shown.Deadline)
	}
	got := wait(t, done)
	want := "No response received within 40 milliseconds — proceed using your best judgment."
	if got.err != nil || got.q.Settlement != beckon.Expired || got.q.Reason.String() != want {
		t.Errorf("the agent heard %s %q, %v", got.q.Settlement, got.q.Reason, got.err)
	}
}

func TestAPermissionThatRunsOutIsNotGiven(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	got := wait(t, r.ask(t.Context(), beckon.Question{
		TaskID: r.task.ID, RunID: r.run.ID, Kind: beckon.Permission, Policy: beckon.Proceed, WaitMs: 20,
		Permission: &beckon.PermissionRequest{Tool: "Bash", Command: "rm -r build"},
	}))
	if got.err != nil || got.q.Settlement != beckon.Expired || got.q.Answer != nil {
		t.Fatalf("got %+v, %v; want expired without an answer", got.q, got.err)
	}
	if !strings.Contains(got.q.Reason.String(), "permission denied") || strings.Contains(got.q.Reason.String(), "best judgment") {
		t.Errorf("the agent reads %q", got.q.Reason)
	}
}

func TestOnlyWhoWaitsForEverHasNoClock(t *testing.T) {
	t.Parallel()
	const asked = 1000
	for _, c := range []struct {
		policy beckon.Policy
		waitMs int64
		want   beckon.Question
	}{
		{beckon.Proceed, 60_000, beckon.Question{Policy: beckon.Proceed, WaitMs: 60_000, Deadline: asked + 60_000}},
		{beckon.Proceed, 0, beckon.Question{Policy: beckon.Proceed, WaitMs: 180_000, Deadline: asked + 180_000}},
		{beckon.Wait, 60_000, beckon.Question{Policy: beckon.Wait}},
		{beckon.Park, 60_000, beckon.Question{Policy: beckon.Park, WaitMs: 60_000, Deadline: asked + 60_000}},
		{"", 60_000, beckon.Question{Policy: beckon.Wait}},
	} {
		d := New(nil, nil)
		d.now = func() time.Time { return time.UnixMilli(asked) }
		q := d.begin(beckon.Question{Policy: c.policy, WaitMs: c.waitMs})
		if q.Policy != c.want.Policy || q.WaitMs != c.want.WaitMs || q.Deadline != c.want.Deadline {
			t.Errorf("%q: waits %d ms until %d under %q, want %+v", c.policy, q.WaitMs, q.Deadline, q.Policy, c.want)
		}
	}
}

// TestAnAgentThatGoesAwayTakesAlongOnlyWhatMakesNoSenseWithoutIt: a command
// that is not there any more cannot be allowed, but a question can be answered.
func TestAnAgentThatGoesAwayTakesAlongOnlyWhatMakesNoSenseWithoutIt(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	permission := r.which("")
	permission.Kind, permission.Items, permission.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	for _, c := range []struct {
		q    beckon.Question
		want beckon.Settlement
		say  beckon.Answer
		err  error
	}{
		{r.which("Which?"), beckon.Orphaned, say("Planner"), nil},
		{permission, beckon.Withdrawn, beckon.Answer{Verdict: beckon.AllowOnce}, beckon.ErrConflict},
	} {
		gone := errors.New("the agent went away")
		ctx, cancel := context.WithCancelCause(t.Context())
		done := r.ask(ctx, c.q)
		id := r.event(t).ID
		cancel(gone)
		got := wait(t, done)
		if !errors.Is(got.err, gone) || got.q.Settlement != c.want {
			t.Errorf("%s: got %s, %v; want %s, %v", c.q.Kind, got.q.Settlement, got.err, c.want, gone)
		}
		if e := r.event(t); e.Settlement != c.want || e.Reason.String() != gone.Error() {
			t.Errorf("%s: shown as %s because %q", c.q.Kind, e.Settlement, e.Reason)
		}
		if err := r.Answer(t.Context(), id, c.say); !errors.Is(err, c.err) {
			t.Errorf("%s: the answer afterwards got %v; want %v", c.q.Kind, err, c.err)
		}
		if c.err == nil {
			r.event(t) // answered
		}
	}
}

func TestAWithdrawnQuestionWakesItsAgent(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which?"))
	must(t, r.Withdraw(t.Context(), r.event(t).ID, reason.Said("a hook decided")))
	if got := wait(t, done); !errors.Is(got.err, ErrGone) || !strings.Contains(got.err.Error(), "a hook decided") {
		t.Errorf("err = %v; want that it is gone, and why", got.err)
	}
}

func TestADeadRunLeavesItsQuestionsToBeAnsweredLater(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	other := r.which("Of another run?")
	other.RunID = r.addRun(t).ID
	otherDone := r.ask(t.Context(), other)
	otherID := r.event(t).ID
	one := r.ask(t.Context(), r.which("One?"))
	id := r.event(t).ID
	two := r.ask(t.Context(), r.which("Two?"))
	r.event(t)

	must(t, r.Orphan(t.Context(), r.run.ID, reason.Said("the agent died")))
	for _, done := range []<-chan settled{one, two} {
		if got := wait(t, done); !errors.Is(got.err, ErrGone) || got.q.Settlement != beckon.Orphaned {
			t.Errorf("got %s, %v; want orphaned", got.q.Settlement, got.err)
		}
		if e := r.event(t); e.Settlement != beckon.Orphaned || e.Reason.String() != "the agent died" {
			t.Errorf("shown as %s because %q", e.Settlement, e.Reason)
		}
	}
	if r.Open(r.run.ID) != 0 || r.Open(other.RunID) != 1 {
		t.Errorf("%d and %d open; want 0 of the dead run, 1 of the other", r.Open(r.run.ID), r.Open(other.RunID))
	}
	must(t, r.Answer(t.Context(), id, say("Planner")))
	must(t, r.Answer(t.Context(), otherID, say("Executor")))
	wait(t, otherDone)
	if q := r.row(t, id); q.Settlement != beckon.Answered {
		t.Errorf("an orphaned question that is answered is %s", q.Settlement)
	}
}

func TestFiveAtOnceEachGetTheirOwnAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	const n = 5
	var waits [n]<-chan settled
	ids := map[string]string{}
	for i := range n {
		waits[i] = r.ask(t.Context(), beckon.Question{RunID: r.run.ID, TaskID: r.task.ID, Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: fmt.Sprint("q", i)}}})
	}
	for range n {
		q := r.event(t)
		ids[q.Items[0].Text] = q.ID
	}
	if r.Open(r.run.ID) != n {
		t.Errorf("%d open, want %d", r.Open(r.run.ID), n)
	}
	for i := n - 1; i >= 0; i-- {
		text := fmt.Sprint("q", i)
		must(t, r.Answer(t.Context(), ids[text], beckon.Answer{Items: []beckon.ItemAnswer{{Other: "a" + text}}}))
		if got := wait(t, waits[i]); got.err != nil || got.q.Answer.Items[0].Other != "a"+text {
			t.Errorf("%s heard %+v, %v", text, got.q.Answer, got.err)
		}
	}
}

// TestTheDeadlineAndTheAnswerNeverBothWin lets an answer meet the clock, the
// end of the agent, from just before to just after: the answer is heard where
// the agent waits, or delivered to it, and never both.
func TestTheDeadlineAndTheAnswerNeverBothWin(t *testing.T) {
	t.Parallel()
	shared := newRoom(t)
	const rounds, waitMs = 60, 60
	var expired atomic.Int32
	var all sync.WaitGroup
	for i := range rounds {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			q := shared.which(fmt.Sprint("round ", i))
			q.Policy, q.WaitMs = beckon.Proceed, waitMs
			r := &room{events: make(chan beckon.Question, 3)}
			r.Desk = New(shared.store, func(e beckon.Event) { r.events <- *e.Question })
			var delivered atomic.Int32
			r.Serve(Owner{DeliverAnswer: func(beckon.Question, bool) { delivered.Add(1) }})
			done := r.ask(ctx, q)
			id := r.event(t).ID
			time.Sleep(waitMs*time.Millisecond + time.Duration(i-rounds/2)*200*time.Microsecond)
			if i%5 == 0 {
				cancel()
			}
			err := r.Answer(t.Context(), id, say("Planner"))
			got := wait(t, done)
			heard := got.err == nil && got.q.Settlement == beckon.Answered
			if err != nil || heard == (delivered.Load() == 1) {
				t.Errorf("round %d: the click got %v, the agent heard %s, %v, and %d answers are delivered to it", i, err, got.q.Settlement, got.err, delivered.Load())
			}
			if err := r.Answer(t.Context(), id, say("Executor")); !errors.Is(err, beckon.ErrConflict) {
				t.Errorf("round %d: a second click got %v", i, err)
			}
			if got.q.Settlement == beckon.Expired {
				expired.Add(1)
			}
		})
	}
	all.Wait()
	t.Logf("%d of %d expired", expired.Load(), rounds)
}

func TestAQuestionThatCanNotBeRecordedIsNotShown(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	q := r.which("Which?")
	q.RunID = "unknown"
	got := wait(t, r.ask(t.Context(), q))
	if !errors.Is(got.err, beckon.ErrNotFound) || len(r.events) != 0 || r.Open("unknown") != 0 {
		t.Errorf("err %v, %d events, %d open; want not found and nothing else", got.err, len(r.events), r.Open("unknown"))
	}
}
