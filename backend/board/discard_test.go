package board

import (
	"context"
	"testing"

	"beckon/backend/beckon"
)

// ending is agents of which one is just about to be over.
type ending struct {
	nobody
	over bool
}

func (e *ending) AwaitEnd(context.Context, string) error { e.over = true; return nil }

func (e *ending) Live(string) (beckon.RunKind, bool) { return beckon.TaskRun, !e.over }

// TestWhatDiscardingLosesIsSaidAsSoonAsTheCardIsInReview: its run is released a
// moment later.
func TestWhatDiscardingLosesIsSaidAsSoonAsTheCardIsInReview(t *testing.T) {
	t.Parallel()
	b, p := newSlowly(t)
	b.delayed.Store(true) // nothing is delayed here
	b.Join(&ending{})
	task := beckon.Task{ID: beckon.NewID(), ProjectID: p.ID, Title: "One", Labels: []string{}, Status: beckon.Review, Created: beckon.Now()}
	if err := b.Store.CreateTask(t.Context(), &task); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Loss(t.Context(), task.ID); err != nil {
		t.Errorf("a click in that moment is refused: %v", err)
	}
}
