package runner

import (
	"context"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
)

// saveIn is how long git may take to save a run's work, hooks and filters of
// the project included: much for a large worktree, and no more than that.
const saveIn = 10 * time.Minute

// Why git did not finish.
var (
	errSlowGit    = reason.Of(reason.SlowGit, "time", saveIn.String()).Err()
	errStopSaving = reason.Of(reason.StoppedSaving).Err()
	errQuitSaving = reason.Of(reason.QuitSaving).Err()
)

// saveWork commits what the run's agent changed and sums it up. It ends when
// the user stops it, or Beckon ends; the work is in the worktree either way.
func (run *agentRun) saveWork(row beckon.Run) beckon.Work {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(run.ctx), saveIn, errSlowGit)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(run.r.ctx, func() { stop(errQuitSaving) })()
	run.mu.Lock()
	run.stopSaving = stop
	run.mu.Unlock()
	strays := run.strays.Folders(time.UnixMilli(run.row.Started))
	for {
		work := run.r.Cards.Save(ctx, run.task, run.project, row, strays)
		if work.Trouble == nil || ctx.Err() != nil || !store.IsFull(run.r.Store.Room()) {
			return work
		}
		run.insist("find room for the work", row, func(context.Context) error { return run.r.Store.Room() })
		if !run.r.disk.Pause(time.Second) {
			return work
		}
	}
}

// insist does a step of the run's end until it is done.
func (run *agentRun) insist(what string, row beckon.Run, step func(context.Context) error) {
	run.r.disk.Insist(what, row.ID, step)
}
