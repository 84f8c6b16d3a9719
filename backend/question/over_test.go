package question

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// TestWhoComesBackFindsNoClockHeld, however fast the two followed each other:
// the screen is unlocked while what its lock began is still under way.
func TestWhoComesBackFindsNoClockHeld(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for n := range 20 {
		r.ask(t.Context(), r.timed(fmt.Sprintf("Question %d?", n), beckon.Proceed, 3_600_000))
		r.event(t)
	}
	back := make(chan error, 1)
	begun := false
	r.publish = func(beckon.Event) { // with the first clock that is held
		if begun {
			return
		}
		begun = true
		go func() { back <- r.PauseAll(t.Context(), false) }()
		for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end) && r.isAway(); time.Sleep(time.Millisecond) {
		}
	}
	must(t, r.PauseAll(t.Context(), true))
	must(t, <-back)
	open, err := r.store.OpenQuestions(t.Context())
	must(t, err)
	for _, q := range open {
		if q.HeldMs != 0 {
			t.Fatalf("%q is held, and nothing is paused", q.Items[0].Text)
		}
	}
}

func (r *room) isAway() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paused
}

// TestWhatARunWaitsOnIsWithdrawnToTheLast: one question that cannot be, and one
// that is just being shown, keep none of the others open.
func TestWhatARunWaitsOnIsWithdrawnToTheLast(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	unrecorded := r.begin(cleanQuestion(r.which("Unrecorded?")))
	r.enter(&unrecorded, &waiter{runID: r.run.ID, settled: make(chan beckon.Question, 1)})
	late, w := r.begin(cleanQuestion(r.which("Late?"))), &waiter{runID: r.run.ID, settled: make(chan beckon.Question, 1)}
	w.showing.Lock()
	r.enter(&late, w)
	all := []<-chan settled{}
	for n := range 10 {
		all = append(all, r.ask(t.Context(), r.which(fmt.Sprintf("Question %d?", n))))
		r.event(t)
	}
	done := make(chan error, 1)
	go func() { done <- r.WithdrawAll(t.Context(), r.run.ID, reason.Said("stopped")) }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait for the one that is being shown: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	must(t, r.store.AddQuestion(t.Context(), late))
	w.showing.Unlock()
	if err := <-done; !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("err = %v; want that one was never recorded", err)
	}
	for _, one := range all {
		if got := wait(t, one); !errors.Is(got.err, ErrGone) {
			t.Errorf("%q: %v", got.q.Items[0].Text, got.err)
		}
	}
	if q := r.row(t, late.ID); q.Settlement != beckon.Withdrawn {
		t.Errorf("the one that was just shown is %s", q.Settlement)
	}
}

// orphaned asks a question and lets its run die.
func (r *room) orphaned(t *testing.T, text string) string {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	done := r.ask(ctx, r.which(text))
	id := r.event(t).ID
	cancel(errors.New("the agent died"))
	wait(t, done)
	if q := r.event(t); q.Settlement != beckon.Orphaned {
		t.Fatalf("the question is %s", q.Settlement)
	}
	return id
}

// TestAQuestionOfACardThatIsOverWaitsNoMore, and says why; one that an agent
// still waits on is that agent's.
func TestAQuestionOfACardThatIsOverWaitsNoMore(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.orphaned(t, "Which?")
	live := r.ask(t.Context(), r.which("Live?"))
	liveID := r.event(t).ID
	must(t, r.WithdrawTask(t.Context(), r.task.ID, reason.Said("The card was archived.")))
	if q := r.event(t); q.ID != id || q.Settlement != beckon.Withdrawn || q.Reason.String() != "The card was archived." || q.Settled == 0 {
		t.Errorf("shown as %+v", q)
	}
	if open, err := r.store.OpenQuestions(t.Context()); err != nil || len(open) != 1 || open[0].ID != liveID {
		t.Errorf("%d questions wait, %v; want the one with an agent", len(open), err)
	}
	if err := r.Answer(t.Context(), id, say("Planner")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("answered all the same: %v", err)
	}
	must(t, r.Answer(t.Context(), liveID, say("Planner")))
	wait(t, live)
}

func TestAnOrphanedQuestionCanBeDismissed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.orphaned(t, "Which?")
	must(t, r.Dismiss(t.Context(), id))
	if q := r.event(t); q.Settlement != beckon.Withdrawn || q.Reason == nil {
		t.Errorf("dismissed, it is %s because %q", q.Settlement, q.Reason)
	}
	if err := r.Dismiss(t.Context(), id); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("dismissed twice: %v", err)
	}
	done := r.ask(t.Context(), r.which("Live?"))
	live := r.event(t).ID
	if err := r.Dismiss(t.Context(), live); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a question that an agent waits on was dismissed: %v", err)
	}
	must(t, r.Answer(t.Context(), live, say("Planner")))
	wait(t, done)
}
