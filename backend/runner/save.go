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
func (l *agentRun) saveWork(run beckon.Run) beckon.Work {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(l.ctx), saveIn, errSlowGit)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(l.r.ctx, func() { stop(errQuitSaving) })()
	l.mu.Lock()
	l.stopSaving = stop
	l.mu.Unlock()
	strays := l.strayed()
	for {
		work := l.r.Cards.Save(ctx, l.task, l.project, run, strays)
		if work.Trouble == nil || ctx.Err() != nil || !store.IsFull(l.r.Store.Room()) {
			return work
		}
		l.insist("find room for the work", run, func(context.Context) error { return l.r.Store.Room() })
		if !l.r.disk.Pause(time.Second) {
			return work
		}
	}
}

// insist does a step of the run's end until it is done.
func (l *agentRun) insist(what string, run beckon.Run, step func(context.Context) error) {
	l.r.disk.Insist(what, run.ID, step)
}
