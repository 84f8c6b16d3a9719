package runner

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Present returns a run as it is now: the row of a live one lags behind.
func (r *Runner) Present(row beckon.Run) beckon.Run {
	if run := r.runOf(row.TaskID, row.ID); run != nil {
		return run.snapshot()
	}
	return row
}

// Log returns the transcript of a live run, nil before it has one; it may be
// closed meanwhile.
func (r *Runner) Log(row beckon.Run) (log *transcript.Log, live bool) {
	if run := r.runOf(row.TaskID, row.ID); run != nil {
		return run.view.Log(), true
	}
	return nil, false
}

// State returns what is in no row, or what its row lags behind, as events: the
// disk, the floods, the queues of messages.
func (r *Runner) State(ctx context.Context) ([]beckon.Event, error) {
	queues, err := r.queues.Events(ctx)
	return append([]beckon.Event{r.disk.Event(), {Floods: r.Desk.Floods()}}, queues...), err
}
