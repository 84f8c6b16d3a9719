package board

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/disk"
	"beckon/backend/git"
	"beckon/backend/store"
)

// Save commits what the agent of a run that succeeded changed, to the
// task's own branch, and sums up what the branch has.
func (b *Board) Save(ctx context.Context, t beckon.Task, p beckon.Project, run beckon.Run, strays []string) beckon.Work {
	t = b.Follow(ctx, t, p)
	work := beckon.Work{Changes: t.Changes}
	switch {
	case run.Kind != beckon.TaskRun:
		return work
	case t.Branch == "":
		work.Trouble = FolderGone(t)
		return work
	}
	g := b.repo(p)
	defer b.prune(ctx, p)
	strays = b.Parts.Strays(ctx, t, p, strays)
	if run.Outcome == beckon.Succeeded {
		_, _, err := g.CommitAll(ctx, git.WorktreeOf(t), subjectOf(t), Ours(ctx, g, t.Worktree))
		work.Trouble = NotCommitted(ctx, err, git.Misplaced(err))
	} else {
		work.Trouble = strayed(ctx, g, t)
	}
	if work.Trouble == nil && run.Outcome == beckon.Succeeded {
		err := b.Parts.Commit(ctx, t, p, subjectOf(t))
		work.Trouble = NotCommitted(ctx, err, git.Misplaced(err))
	}
	if work.Trouble == nil {
		work.Trouble = cmp.Or(b.elsewhere(ctx, g, t, run, strays), g.LooseSubmodules(ctx, git.WorktreeOf(t)))
	}
	if g.MadeAgain(git.WorktreeOf(t)) {
		work.Trouble = cmp.Or(work.Trouble, reason.Of(reason.MadeAgain))
	}
	changes, err := b.summary(ctx, t, p)
	if err != nil {
		slog.Error("sum up the changes", "err", err, "task", t.ID)
		return work
	}
	work.Changes = changes
	return work
}

// strayed says on a card that its agent's work is not where the task's branch
// is, of a run whose work is not committed.
func strayed(ctx context.Context, g *git.Repo, t beckon.Task) *reason.Reason {
	state, err := g.Status(ctx, git.WorktreeOf(t))
	if err != nil {
		slog.Error("look at the worktree", "err", err, "task", t.ID)
		return nil
	}
	if err := state.Err(); git.Misplaced(err) {
		return NotCommitted(ctx, err, true)
	}
	return nil
}

// elsewhere says on a card that the agent of a run worked in a worktree of its own, as the
// CLI's tools and isolated sub-agents make them, or wrote into other folders.
func (b *Board) elsewhere(ctx context.Context, g *git.Repo, t beckon.Task, run beckon.Run, strays []string) *reason.Reason {
	list, err := g.Elsewhere(ctx, git.WorktreeOf(t), time.UnixMilli(run.Started), b.folders.Dir)
	if err != nil {
		slog.Error("look for other worktrees of an agent", "err", err, "task", t.ID)
	}
	branch := ""
	for i, e := range list {
		if i == 0 {
			branch = e.Branch
		}
		strays = slices.DeleteFunc(strays, func(dir string) bool { return disk.Inside(e.Dir, dir) })
		strays = slices.Insert(strays, i, e.Dir)
	}
	if len(strays) == 0 {
		return nil
	}
	return Elsewhere(strays, branch)
}

// Settle moves the card of a run that is over and whose work is saved.
func (b *Board) Settle(ctx context.Context, taskID string, run beckon.Run, work beckon.Work) error {
	next, err := b.afterRun(ctx, run)
	if err != nil {
		return err
	}
	_, err = b.Update(ctx, taskID, func(t *beckon.Task) error {
		t.Spent = t.Spent.Add(run.Spent)
		if run.Kind != beckon.TaskRun {
			return nil
		}
		t.Changes, t.Trouble = work.Changes, work.Trouble
		if run.Outcome == beckon.Succeeded { // though not all that it began ended well
			t.Trouble = cmp.Or(work.Trouble, run.Reason)
		}
		t.Session = cmp.Or(run.Session, t.Session) // there may have been no room for it
		if t.Status != beckon.Running {
			return nil
		}
		resume, again := resumeAfter(b.Backoff, work, t.Resume, time.Now())
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

// afterRun is the column that a task goes to whose run is over. One that was
// parked at work, and not by a question that waits, waits for Beckon's next
// start: it is in the queue, which resumes it. All others are the user's to
// look at, also one whose turn the user had interrupted.
func (b *Board) afterRun(ctx context.Context, run beckon.Run) (beckon.Status, error) {
	if run.Outcome != beckon.Parked || run.Reason.Is(reason.Rested) {
		return beckon.Review, nil
	}
	open, err := b.Store.OpenQuestions(ctx)
	if err != nil || slices.ContainsFunc(open, func(q beckon.Question) bool { return q.RunID == run.ID }) {
		return beckon.Review, err
	}
	return beckon.Queued, nil
}

// settleIn is how long git may take for all tasks that an earlier Beckon left
// behind, and settlers how many of them it looks after at a time; Beckon starts only
// then.
const (
	settleIn = time.Minute
	settlers = 4
)

// SettleLeft settles every task that is still in Running although no run lives:
// Beckon may have died just after one, before its work was committed.
func (b *Board) SettleLeft(ctx context.Context) error {
	tasks, err := b.Store.TasksIn(ctx, beckon.Running)
	if err != nil {
		return err
	}
	git, cancel := context.WithTimeoutCause(ctx, settleIn, fmt.Errorf("git did not finish within %s", settleIn))
	defer cancel()
	return store.EachTogether(ctx, len(tasks), settlers, func(ctx context.Context, i int) error {
		return b.settleLeft(ctx, git, tasks[i])
	})
}

// settleLeft settles a task as the end of its last task run would have. git ends when git
// may do no more for it.
func (b *Board) settleLeft(ctx, git context.Context, t beckon.Task) error {
	p, err := b.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	runs, err := b.Store.Runs(ctx, t.ID)
	if err != nil {
		return err
	}
	last := beckon.Run{Kind: beckon.TaskRun, Outcome: beckon.Lost} // killed before there was a row
	for _, run := range runs {
		if run.Kind == beckon.TaskRun {
			last = run
		}
	}
	return b.Settle(ctx, t.ID, last, b.Save(git, t, p, last, nil))
}
