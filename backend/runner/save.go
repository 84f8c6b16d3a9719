package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git"
	"beckon/backend/store"
)

// saveIn is how long git may take to save a run's work, hooks and filters of
// the project included: much for a large worktree, and no more than that.
const saveIn = 10 * time.Minute

// Why git did not finish.
var (
	errSlowGit    = fmt.Errorf("git did not finish within %s", saveIn)
	errStopSaving = errors.New("you stopped it while git saved the work")
	errQuitSaving = errors.New("Beckon was quit while git saved the work")
)

// saved is a run's work once git has it: what the branch has against its base,
// and what hindered that, for the card.
type saved struct {
	changes beckon.Changes
	trouble string
	// setback is why the task goes on by itself, and resets when the limit does
	// that it met, in milliseconds.
	setback beckon.Setback
	resets  int64
}

// saveWork commits what the run's agent changed and sums it up. It ends when
// the user stops it, or Beckon ends; the work is in the worktree either way.
func (l *live) saveWork(run beckon.Run) saved {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(l.ctx), saveIn, errSlowGit)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(l.r.ctx, func() { stop(errQuitSaving) })()
	l.mu.Lock()
	l.stopSaving = stop
	l.mu.Unlock()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		work := l.r.saveWork(ctx, l.task, l.project, run)
		if work.trouble == "" || ctx.Err() != nil || !store.IsFull(l.r.Store.Room()) {
			return work
		}
		l.insist("find room for the work", run, func(context.Context) error { return l.r.Store.Room() })
		if !l.r.pauseFor(pause) {
			return work
		}
	}
}

// saveWork commits what the agent of a run that succeeded changed, to the
// task's own branch, and sums up what the branch has.
func (r *Runner) saveWork(ctx context.Context, t beckon.Task, p beckon.Project, run beckon.Run) saved {
	work := saved{changes: t.Changes}
	switch {
	case run.Kind != beckon.TaskRun:
		return work
	case t.Branch == "":
		work.trouble = folderGone(t)
		return work
	}
	g := r.repo(p)
	if run.Outcome == beckon.Succeeded {
		_, _, err := g.CommitAll(ctx, treeOf(t), t.Title, ours(g, ctx, t.Worktree))
		work.trouble = notCommitted(cutShort(ctx, err))
	} else {
		work.trouble = strayed(ctx, g, t)
	}
	changes, err := g.Summary(ctx, treeOf(t))
	if err != nil {
		logged("sum up the changes", err, "task", t.ID)
		return work
	}
	work.changes = changes
	return work
}

// cutShort returns why git was cut short, where it was, instead of the signal
// that ended it.
func cutShort(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// notCommitted says on a card why its agent's work was not committed, and
// where it is; nothing where it was.
func notCommitted(err error) string {
	var elsewhere *git.OtherBranchError
	var gone *git.WorktreeGoneError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &elsewhere), errors.As(err, &gone):
		return fmt.Sprintf("Nothing was committed: %v.", err)
	}
	return fmt.Sprintf("The work is in the worktree, but not committed: %v", err)
}

// strayed says on a card that its agent's work is not where the task's branch
// is, of a run whose work is not committed.
func strayed(ctx context.Context, g *git.Repo, t beckon.Task) string {
	state, err := g.Status(ctx, treeOf(t))
	if err != nil {
		logged("look at the worktree", err, "task", t.ID)
		return ""
	}
	if state.Condition != git.Switched && state.Condition != git.Missing {
		return ""
	}
	return notCommitted(state.Err())
}

// folderGone says on a card that the folder of a project without git is gone.
func folderGone(t beckon.Task) string {
	if t.Worktree == "" {
		return ""
	}
	if _, err := os.Lstat(t.Worktree); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return fmt.Sprintf("The project's folder %s is gone, and with it what the agent did there. Bring the folder back, or remove the project.", t.Worktree)
}

// settleTask moves the card of a run that is over and whose work is saved.
func (r *Runner) settleTask(ctx context.Context, taskID string, run beckon.Run, work saved) error {
	next, err := r.afterRun(ctx, run)
	if err != nil {
		return err
	}
	_, err = r.updateTask(ctx, taskID, func(t *beckon.Task) error {
		t.Spent = t.Spent.Add(run.Spent)
		if run.Kind != beckon.TaskRun {
			return nil
		}
		t.Changes, t.Trouble = work.changes, work.trouble
		if run.Outcome == beckon.Succeeded { // though not all that it began ended well
			t.Trouble = or(work.trouble, run.Reason)
		}
		t.Session = or(run.Session, t.Session) // there may have been no room for it
		if t.Status != beckon.Running {
			return nil
		}
		resume, again := r.resumeAfter(work, t.Resume, time.Now())
		if again {
			next = beckon.Queued
		}
		if next == beckon.Review {
			t.Rank = last() // in the queue it keeps its place, ahead of what came later
		}
		err := t.Move(next)
		t.Resume = resume
		return err
	})
	return err
}
