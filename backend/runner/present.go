package runner

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Present returns a run as it is now: the row of a live one lags behind.
func (r *Runner) Present(run beckon.Run) beckon.Run {
	l := r.liveRun(run.TaskID)
	if l == nil || l.run.ID != run.ID {
		return run
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// Log returns the transcript of a live run, nil before it has one; it may be
// closed meanwhile.
func (r *Runner) Log(run beckon.Run) (log *transcript.Log, live bool) {
	if l := r.liveRun(run.TaskID); l != nil && l.run.ID == run.ID {
		return l.openedLog(), true
	}
	return nil, false
}

// State returns what is in no row, or what its row lags behind, as events: the
// disk, the floods, the queues of messages.
func (r *Runner) State(ctx context.Context) ([]beckon.Event, error) {
	queues, err := r.queues.Events(ctx)
	return append([]beckon.Event{r.disk.Event(), {Floods: r.Desk.Floods()}}, queues...), err
}
