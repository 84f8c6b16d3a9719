package runner

import (
	"cmp"
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
		if wait := r.lookAtQueue(r.ctx); wait > 0 {
			again = time.After(wait)
		}
	}
}

// lookAtQueue starts what can start, and returns after how long to look again without
// being woken; 0: not.
func (r *Runner) lookAtQueue(ctx context.Context) time.Duration {
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
	var away []string // executors that take no run now
	for passed := r.busy(); ; {
		full, err := r.full(ctx)
		if err != nil {
			if !errors.Is(err, errOnHold) {
				logged("count free slots", err)
			}
			return noClaude
		}
		t, ok, err := r.Store.NextQueued(ctx, append(full, away...), passed...)
		if err != nil || !ok {
			logged("find the next queued task", err)
			return noClaude
		}
		passed = append(passed, t.ID)
		p, err := r.Store.Project(ctx, t.ProjectID)
		logged("read a queued task's project", err, "task", t.ID)
		where := t.ExecutorOf(p)
		if where == "" && !r.Agents.Asked(r.ctx, r.Wake) {
			noClaude, away = true, append(away, where)
			continue
		}
		_, err = r.begin(ctx, t.ID, placement{from: beckon.Queued})
		switch {
		case errors.Is(err, errClosing), errors.Is(err, beckon.ErrDiskFull): // room on the disk wakes the queue
			return false
		case err == nil, errors.Is(err, beckon.ErrConflict): // somebody else started or moved it
		case errors.Is(err, beckon.ErrUnavailable):
			r.waitFor(ctx, t, err)
			noClaude, away = true, append(away, where) // no other task there would fare better
		default:
			logged("put back a task that cannot start", r.Cards.PutBack(ctx, t.ID, err), "task", t.ID)
		}
	}
}

// errOnHold is why no queued task starts.
var errOnHold = errors.New("the queue is on hold")

// full returns the executors without a free slot; "" is this machine.
func (r *Runner) full(ctx context.Context) (full []string, err error) {
	settings, err := r.Store.Settings.Load(ctx)
	if err != nil || settings.HoldQueue {
		return nil, cmp.Or(err, errOnHold)
	}
	slots := map[string]int{}
	if r.Executors != nil {
		if slots, err = r.Executors.Slots(ctx); err != nil {
			return nil, err
		}
	}
	slots[""] = settings.Slots
	taken := r.taskRuns()
	for id, n := range slots {
		if taken[id] >= n {
			full = append(full, id)
		}
	}
	return full, nil
}

// busy returns the tasks on which no run can begin at the moment.
func (r *Runner) busy() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Keys(r.live)), maps.Keys(r.held))
}

// waitFor notes on a queued card what it waits for.
func (r *Runner) waitFor(ctx context.Context, t beckon.Task, missing error) {
	why := beckon.ReasonOf(missing)
	if t.Trouble.Equal(why) {
		return
	}
	_, err := r.Cards.Update(ctx, t.ID, func(t *beckon.Task) error { t.Trouble = why; return nil })
	logged("note what a queued task waits for", err, "task", t.ID)
}

// taskRuns counts the live task runs on each executor: what slots are for.
func (r *Runner) taskRuns() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := map[string]int{}
	for _, run := range r.live {
		if run.row.Kind == beckon.TaskRun {
			n[run.row.Executor]++
		}
	}
	return n
}
