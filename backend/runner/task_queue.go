package runner

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"beckon/backend/beckon"
)

// claudeAgain is how long the queue waits before it looks again for a claude
// that was missing.
const claudeAgain = 3 * time.Second

// queue starts queued tasks in their order while slots are free. It looks
// whenever it is woken: a task was queued, a run ended, the slots changed. No
// event tells that claude was installed, so while a task waits for that alone
// it looks on its own.
func (r *Runner) queue() {
	var again <-chan time.Time
	for {
		select {
		case _, open := <-r.kick:
			if !open {
				return
			}
		case <-again:
		}
		again = nil
		if wait := r.look(r.ctx); wait > 0 {
			again = time.After(wait)
		}
	}
}

// look starts what can start, and returns after how long to look again without
// being woken; 0: not.
func (r *Runner) look(ctx context.Context) time.Duration {
	paused, again := r.pause(ctx)
	if paused {
		return again
	}
	if r.startQueued(ctx) && (again == 0 || again > claudeAgain) {
		return claudeAgain
	}
	return again
}

// startQueued starts what can start, and reports whether nothing but claude,
// or its version, is missing. Tasks that a chat, an ending run or a merge has
// at the moment are passed over; the end of it wakes the queue.
func (r *Runner) startQueued(ctx context.Context) (noClaude bool) {
	for passed := r.busy(); r.slotFree(ctx); {
		t, ok, err := r.Store.NextQueued(ctx, passed...)
		if err != nil || !ok {
			logged("find the next queued task", err)
			return false
		}
		passed = append(passed, t.ID)
		if !r.askedVersion() {
			return true
		}
		_, err = r.begin(ctx, t.ID, placement{from: beckon.Queued})
		switch {
		case errors.Is(err, errClosing), errors.Is(err, beckon.ErrDiskFull): // room on the disk wakes the queue
			return false
		case err == nil, errors.Is(err, beckon.ErrConflict): // somebody else started or moved it
		case errors.Is(err, beckon.ErrUnavailable):
			r.waitFor(ctx, t, err)
			return true // no other task would fare better
		default:
			logged("put back a task that cannot start", r.Cards.PutBack(ctx, t.ID, err), "task", t.ID)
		}
	}
	return false
}

// slotFree reports whether another queued task may start: the queue is not on hold, and has a slot.
func (r *Runner) slotFree(ctx context.Context) bool {
	settings, err := r.Store.Settings(ctx)
	logged("read settings", err)
	return err == nil && !settings.HoldQueue && r.taskRuns() < settings.Slots
}

// busy returns the tasks on which no run can begin at the moment.
func (r *Runner) busy() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Keys(r.live)), maps.Keys(r.held))
}

// waitFor notes on a queued card what it waits for.
func (r *Runner) waitFor(ctx context.Context, t beckon.Task, missing error) {
	if t.Trouble == missing.Error() {
		return
	}
	_, err := r.Cards.Update(ctx, t.ID, func(t *beckon.Task) error { t.Trouble = missing.Error(); return nil })
	logged("note what a queued task waits for", err, "task", t.ID)
}

// taskRuns counts the live task runs: what slots are for.
func (r *Runner) taskRuns() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, l := range r.live {
		if l.run.Kind == beckon.TaskRun {
			n++
		}
	}
	return n
}
