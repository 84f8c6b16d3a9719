package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
)

// CloseTask puts a task into Done as it is. What its base lacks stays on its
// branch and in its worktree.
func (r *Runner) CloseTask(ctx context.Context, id string) (beckon.Task, error) {
	return r.finishTask(ctx, id, 0, true)
}

// finishTask puts a task into Done. Where its base lacks some of its work that
// is ErrUnmerged, unless the user wants it closed.
func (r *Runner) finishTask(ctx context.Context, id string, rank float64, closed bool) (beckon.Task, error) {
	t, p, release, err := r.takeTo(ctx, id, beckon.Done)
	if err != nil {
		return t, err
	}
	defer release()
	resolution, err := r.resolution(ctx, t, p)
	if err != nil && !closed {
		return t, err
	}
	return r.updateTask(ctx, id, func(t *beckon.Task) error {
		if t.Resolution = resolution; err != nil {
			t.Resolution = beckon.Closed
		}
		return ranked(beckon.Done, rank)(t)
	})
}

// resolution is how a task ends whose base has all its work; ErrUnmerged says
// what the base lacks.
func (r *Runner) resolution(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.Resolution, error) {
	if t.Branch == "" {
		return "", nil
	}
	loss, err := r.repo(p).Loss(ctx, treeOf(t))
	switch {
	case errors.Is(err, beckon.ErrNotFound):
		return "", nil // the branch is gone: there is nothing to lose
	case err != nil:
		return "", fmt.Errorf("whether %s is merged cannot be found out: %w: %w", t.Key, err, beckon.ErrUnmerged)
	case loss.Commits > 0 || len(loss.Uncommitted) > 0:
		return "", fmt.Errorf("%s lacks work of %s (commits: %d, files not committed: %d): merge it, or close it as it is: %w",
			t.Base, t.Key, loss.Commits, len(loss.Uncommitted), beckon.ErrUnmerged)
	case t.Changes.Commits > 0:
		return beckon.Merged, nil // by hand
	default:
		return "", nil
	}
}

// archive puts a card away and removes its worktree, as long as all in that is
// committed. One with uncommitted work simply stays.
func (r *Runner) archive(ctx context.Context, id string, rank float64) (beckon.Task, error) {
	t, p, release, err := r.takeTo(ctx, id, beckon.Archived)
	if err != nil {
		return t, err
	}
	defer release()
	if p.Git && t.Worktree != "" {
		if err := r.repo(p).RemoveWorktree(ctx, treeOf(t)); err != nil {
			logged("kept the worktree of an archived task", err, "task", t.ID)
		}
	}
	return r.updateTask(ctx, id, ranked(beckon.Archived, rank))
}

// Restore puts an archived card back where it was. What was discarded comes
// back with it, as a branch, as long as it is kept.
func (r *Runner) Restore(ctx context.Context, id string) (beckon.Task, error) {
	t, p, release, err := r.take(ctx, id)
	if err != nil {
		return t, err
	}
	defer release()
	if t.Status != beckon.Archived {
		return t, fmt.Errorf("%s is not archived: %w", t.Key, beckon.ErrConflict)
	}
	to := t.RestoresTo
	if t.Resolution == beckon.Discarded {
		if to, err = r.bringBack(ctx, &t, p); err != nil {
			return t, err
		}
	}
	return r.updateTask(ctx, id, func(now *beckon.Task) error {
		now.Worktree, now.Branch, now.Changes, now.Trouble = t.Worktree, t.Branch, t.Changes, t.Trouble
		now.KeptRef, now.KeptUntil, now.Rank = "", 0, last()
		return now.Move(to)
	})
}

// bringBack gives a discarded task its branch again and returns the column
// that it then goes to. The worktree is made when a run needs it.
func (r *Runner) bringBack(ctx context.Context, t *beckon.Task, p beckon.Project) (beckon.Status, error) {
	branch, err := r.repo(p).Restore(ctx, t.KeptRef)
	if errors.Is(err, beckon.ErrNotFound) {
		t.Trouble = "Its discarded work was kept for 30 days and is gone."
		return beckon.Backlog, nil
	}
	if err != nil {
		return "", err
	}
	t.Worktree, t.Branch = r.treeDir(*t), branch
	t.Changes, err = r.repo(p).Summary(ctx, treeOf(*t))
	logged("sum up the changes", err, "task", t.ID)
	return beckon.Review, nil
}

// treeDir is where a task's worktree is made.
func (r *Runner) treeDir(t beckon.Task) string {
	return filepath.Join(r.worktreeDir(), strings.ToLower(t.Key)+"-"+t.ID[:6])
}
