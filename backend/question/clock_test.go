package question

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
)

// wall is a wall clock that a test sets.
type wall struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (w *wall) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.ahead)
}

func (w *wall) jump(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ahead += d
}

func (r *room) timed(text string, policy beckon.Policy, waitMs int64) beckon.Question {
	q := r.which(text)
	q.Policy, q.WaitMs = policy, waitMs
	return q
}

func TestAHeldClockNeverDecides(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t)
		done := r.ask(t.Context(), r.timed("Which?", beckon.Proceed, 300))
		id := r.event(t).ID
		time.Sleep(100 * time.Millisecond)
		must(t, r.Hold(t.Context(), id, true))
		held := r.event(t)
		if held.Deadline != 0 || held.HeldMs != 200 {
			t.Fatalf("held with deadline %d and %d ms left; want none and what was left", held.Deadline, held.HeldMs)
		}
		if row := r.row(t, id); row.HeldMs != held.HeldMs || row.Deadline != 0 {
			t.Errorf("the row has %d ms left until %d", row.HeldMs, row.Deadline)
		}
		time.Sleep(time.Hour)
		select {
		case got := <-done:
			t.Fatalf("it was decided while it was held: %+v", got.q)
		default:
		}
		before := time.Now().UnixMilli()
		must(t, r.Hold(t.Context(), id, false))
		if q := r.event(t); q.HeldMs != 0 || q.Deadline != before+held.HeldMs {
			t.Errorf("it goes on until %d with %d held; want %d ms from %d", q.Deadline, q.HeldMs, held.HeldMs, before)
		}
		if got := wait(t, done); got.q.Settlement != beckon.Expired || got.q.Settled != before+held.HeldMs {
			t.Errorf("it became %s %d ms after it went on; want expired after %d", got.q.Settlement, got.q.Settled-before, held.HeldMs)
		}
		if err := r.Hold(t.Context(), id, true); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("holding a settled question: %v", err)
		}
	})
}

func TestWhoIsAwayFindsEveryClockHeld(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.ask(t.Context(), r.timed("Before?", beckon.Proceed, 60_000))
	before := r.event(t).ID
	r.ask(t.Context(), r.timed("By hand?", beckon.Proceed, 60_000))
	byHand := r.event(t).ID
	must(t, r.Hold(t.Context(), byHand, true))
	must(t, r.PauseAll(t.Context(), true))
	r.ask(t.Context(), r.timed("After?", beckon.Park, 60_000))
	r.ask(t.Context(), r.which("For ever?"))
	held := map[string]bool{}
	for _, q := range r.open4(t) {
		held[q.Items[0].Text] = q.Deadline == 0 && q.HeldMs > 0
	}
	if !held["Before?"] || !held["By hand?"] || !held["After?"] || held["For ever?"] {
		t.Errorf("held: %v; want all that have a clock", held)
	}
	must(t, r.PauseAll(t.Context(), false))
	for _, q := range r.open4(t) {
		held[q.Items[0].Text] = q.HeldMs > 0
	}
	if held["Before?"] || !held["By hand?"] || held["After?"] || r.row(t, before).Deadline == 0 {
		t.Errorf("still held: %v; want the one alone that was held by hand", held)
	}
}

// open4 waits until four questions are recorded, and returns them.
func (r *room) open4(t *testing.T) []beckon.Question {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if qs, err := r.store.OpenQuestions(t.Context()); err == nil && len(qs) == 4 {
			return qs
		}
	}
	t.Fatal("four questions were never there")
	return nil
}

func TestASleepingMachineHoldsTheClock(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var clock wall
	r.now = clock.now
	done := r.ask(t.Context(), r.timed("Which?", beckon.Proceed, 30_000))
	asked := r.event(t)
	clock.jump(time.Hour)
	woken := r.event(t) // the desk looks each second
	if slept := woken.Deadline - asked.Deadline; woken.Settlement != beckon.Open || slept < time.Hour.Milliseconds() || slept > time.Hour.Milliseconds()+5000 {
		t.Fatalf("after an hour's sleep it is %s and its deadline moved by %d ms", woken.Settlement, slept)
	}
	// A timer that rings at the very waking finds the sleep too.
	clock.jump(time.Hour)
	w := r.waiterOf(asked.ID)
	must(t, r.expire(t.Context(), w, asked))
	if q := r.row(t, asked.ID); q.Settlement != beckon.Open {
		t.Errorf("the alarm of the waking made it %s", q.Settlement)
	}
	must(t, r.Answer(t.Context(), asked.ID, say("Planner")))
	wait(t, done)
}

// Whatever finds the sleep first, no alarm of the waking decides before the
// clocks have their time back.
func TestNoAlarmOfTheWakingIsQuickerThanTheClocks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var clock wall
	r.now = clock.now
	asked := make([]beckon.Question, 9)
	for i := range asked {
		r.ask(t.Context(), r.timed(fmt.Sprintf("Which of %d?", i), beckon.Proceed, 30_000))
		asked[i] = r.event(t)
	}
	slow := r.waiterOf(asked[0].ID)
	slow.clock.mu.Lock() // as if somebody held it at that moment
	clock.jump(time.Hour)
	var found, rang sync.WaitGroup
	found.Go(r.checkSleep)
	for !r.awake() {
		time.Sleep(time.Millisecond)
	}
	for _, q := range asked[1:] {
		rang.Go(func() { _ = r.expire(t.Context(), r.waiterOf(q.ID), q) })
	}
	time.Sleep(20 * time.Millisecond) // what decides too early does so by now
	slow.clock.mu.Unlock()
	found.Wait()
	rang.Wait()
	for _, q := range asked {
		if now := r.row(t, q.ID); now.Settlement != beckon.Open {
			t.Errorf("%s after the waking", now.Settlement)
		}
	}
}

// awake reports whether somebody has found that the clocks went on.
func (r *room) awake() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now().UnixMilli()-r.seen < time.Minute.Milliseconds()
}

func TestAParkedQuestionStaysAndItsAgentIsNotToldToGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t)
		parkedRuns := make(chan beckon.Question, 1)
		delivered := make(chan beckon.Question, 1)
		r.Serve(Owner{Park: func(q beckon.Question) { parkedRuns <- q }, DeliverAnswer: func(q beckon.Question, _ bool) { delivered <- q }})
		ctx, interrupt := contextWithCause(t)
		done := r.ask(ctx, r.timed("Which?", beckon.Park, 40))
		id := r.event(t).ID
		if q := r.event(t); q.Settlement != beckon.Orphaned || q.Reason.String() != "Parked: nobody answered within 40 ms. The answer resumes the agent." {
			t.Fatalf("it became %s because %q", q.Settlement, q.Reason)
		}
		if q := <-parkedRuns; q.RunID != r.run.ID {
			t.Errorf("the run %s was parked, want %s", q.RunID, r.run.ID)
		}
		synctest.Wait()
		select {
		case got := <-done:
			t.Errorf("the agent was told %v before it was interrupted", got.err)
		default:
		}
		interrupt(errors.New("parked"))
		wait(t, done)
		must(t, r.Answer(t.Context(), id, say("Planner")))
		if q := <-delivered; q.ID != id || q.Settlement != beckon.Answered {
			t.Errorf("delivered %+v; want the answer", q)
		}
	})
}
