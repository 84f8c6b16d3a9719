package board

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/git"
)

// CloseTask puts a task into Done as it is. What its base lacks stays on its
// branch and in its worktree.
func (b *Board) CloseTask(ctx context.Context, id string) (beckon.Task, error) {
	return b.finishTask(ctx, id, 0, true)
}

// finishTask puts a task into Done. Where its base lacks some of its work that
// is ErrUnmerged, unless the user wants it closed.
func (b *Board) finishTask(ctx context.Context, id string, rank float64, closed bool) (beckon.Task, error) {
	t, p, release, err := b.takeTo(ctx, id, beckon.Done)
	if err != nil {
		return t, err
	}
	defer release()
	resolution, err := b.resolution(ctx, t, p)
	if err != nil && !closed {
		return t, err
	}
	return b.Update(ctx, id, func(t *beckon.Task) error {
		if t.Resolution = resolution; err != nil {
			t.Resolution = beckon.Closed
		}
		return ranked(beckon.Done, rank)(t)
	})
}

// resolution is how a task ends whose base has all its work; ErrUnmerged says
// what the base lacks.
func (b *Board) resolution(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.Resolution, error) {
	if t.Branch == "" {
		return "", nil
	}
	lacking, err := b.Parts.Unmerged(ctx, t, p)
	if err == nil && len(lacking) > 0 {
		return "", fmt.Errorf("work of %s is not merged in %s: merge it, or close it as it is: %w", t.Key, strings.Join(lacking, ", "), beckon.ErrUnmerged)
	}
	loss, err2 := b.repo(p).Loss(ctx, git.WorktreeOf(t))
	err = errors.Join(err, err2)
	switch {
	case err != nil:
		return "", fmt.Errorf("whether %s is merged cannot be found out: %w: %w", t.Key, err, beckon.ErrUnmerged)
	case loss.Commits > 0 || len(loss.Uncommitted) > 0:
		return "", fmt.Errorf("%s lacks work of %s (commits: %d, files not committed: %d): merge it, or close it as it is: %w",
			t.Base, t.Key, loss.Commits, len(loss.Uncommitted), beckon.ErrUnmerged)
	case loss.BranchGone && loss.KeptUntil == 0:
		return "", nil // there is nothing left to lose
	case t.Changes.Commits > 0:
		return beckon.Merged, nil // by hand
	default:
		return "", nil
	}
}

// archive puts a card away and removes its worktree, as long as all in that is
// committed. One with uncommitted work simply stays.
func (b *Board) archive(ctx context.Context, id string, rank float64) (beckon.Task, error) {
	t, p, release, err := b.takeTo(ctx, id, beckon.Archived)
	if err != nil {
		return t, err
	}
	defer release()
	if p.Git && t.Worktree != "" {
		b.Clear(id)
		if err := b.repo(p).RemoveWorktree(ctx, git.WorktreeOf(t)); err != nil {
			slog.Error("kept the worktree of an archived task", "err", err, "task", t.ID)
		}
		b.Parts.Remove(ctx, t, p)
	}
	return b.Update(ctx, id, ranked(beckon.Archived, rank))
}

// Restore puts an archived card back where it was. What was discarded comes
// back with it, as a branch, as long as it is kept.
func (b *Board) Restore(ctx context.Context, id string) (beckon.Task, error) {
	t, p, release, err := b.holdTask(ctx, id)
	if err != nil {
		return t, err
	}
	defer release()
	if t.Status != beckon.Archived {
		return t, fmt.Errorf("%s is not archived: %w", t.Key, beckon.ErrConflict)
	}
	to := t.RestoresTo
	if t.Resolution == beckon.Discarded {
		if to, err = b.bringBack(ctx, &t, p); err != nil {
			return t, err
		}
	}
	back, err := b.Update(ctx, id, func(now *beckon.Task) error {
		now.Worktree, now.Branch, now.Changes, now.Trouble = t.Worktree, t.Branch, t.Changes, t.Trouble
		if now.Rank = last(); t.Resolution == beckon.Discarded {
			now.KeptRef, now.KeptUntil = "", 0
		}
		return now.Move(to)
	})
	if err == nil {
		b.forget(ctx, p, t)
	}
	return back, err
}

// forget lets go of what kept a discarded branch that its card has again; what it
// had before it was started over stays.
func (b *Board) forget(ctx context.Context, p beckon.Project, t beckon.Task) {
	if t.Branch == "" || t.KeptRef == "" || t.Resolution != beckon.Discarded {
		return
	}
	if err := b.repo(p).Forget(ctx, t.KeptRef); err != nil {
		slog.Error("let go of what was restored", "err", err, "task", t.ID) // it goes with its 30 days
	}
}

// bringBack gives a discarded task its branch again and returns the column
// that it then goes to. The worktree is made when a run needs it.
func (b *Board) bringBack(ctx context.Context, t *beckon.Task, p beckon.Project) (beckon.Status, error) {
	branch, err := b.repo(p).Restore(ctx, t.KeptRef, t.Start.Found)
	if errors.Is(err, beckon.ErrNotFound) {
		t.Trouble = reason.Of(reason.DiscardedGone)
		return beckon.Backlog, nil
	}
	if err != nil {
		return "", err
	}
	if err := b.Parts.Restore(ctx, *t, p); err != nil {
		return "", err
	}
	t.Worktree, t.Branch = b.folders.Of(*t), branch
	if t.Changes, err = b.summary(ctx, *t, p); err != nil {
		slog.Error("sum up the changes", "err", err, "task", t.ID)
	}
	return beckon.Review, nil
}
