package review

import (
	"context"
	"errors"
	"fmt"
	"os"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// This file shows where the branch of a task and its base do not go together, and
// lets the user resolve that in the task's worktree. The base is never touched, and the
// branch only once all of it is resolved.

// ConflictFinder finds conflicts of tasks.
type ConflictFinder struct {
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Committed has work done while no agent starts on a task, after what one left is
	// committed; Hold only keeps agents away.
	Committed func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error
	Hold      func(ctx context.Context, taskID string) (release func(), err error)
	// Note has the card follow at the next start where Beckon is killed before Update.
	Note func(ctx context.Context, taskID string) error
	// Update counts the changes of a task again, whose branch has all of its base.
	Update func(ctx context.Context, taskID string) (beckon.Task, error)
}

// Of returns the files in which a task's branch conflicts with its base, and where.
func (f ConflictFinder) Of(ctx context.Context, taskID string) ([]reviewing.Conflict, error) {
	t, p, err := f.read(ctx, taskID)
	if err != nil || t.Branch == "" || !p.Git {
		return []reviewing.Conflict{}, err
	}
	return merge.Conflicts(ctx, command.Git{Dir: p.Dir, Trusted: p.Trusted}, workdir.Worktree{Branch: t.Branch, Base: t.Base})
}

// Begin has the base merged into a task's worktree as far as that goes, for the user to
// resolve the rest there.
func (f ConflictFinder) Begin(ctx context.Context, taskID string) error {
	return f.Committed(ctx, taskID, func(t beckon.Task, p beckon.Project) error {
		return merge.Begin(ctx, folder(t, p), workdir.Worktree{Base: t.Base})
	})
}

// ByHand reports whether the user resolves a task's conflicts, and in which files git
// still has one.
func (f ConflictFinder) ByHand(ctx context.Context, taskID string) (reviewing.ByHand, error) {
	by := reviewing.ByHand{Files: []string{}}
	t, p, err := f.read(ctx, taskID)
	if err != nil || t.Worktree == "" || t.Branch == "" {
		return by, err
	}
	if _, err := os.Lstat(t.Worktree); err != nil {
		return by, nil // there is nothing under way in a folder that is gone
	}
	doing, err := workdir.InProgress(ctx, folder(t, p))
	if err != nil || doing != "merge" {
		return by, err
	}
	left, err := merge.Left(ctx, folder(t, p))
	by.On, by.Files = true, append(by.Files, left...)
	return by, err
}

// Finish commits what the user resolved to the task's branch.
func (f ConflictFinder) Finish(ctx context.Context, taskID string) (beckon.Task, error) {
	if err := f.held(ctx, taskID, func(t beckon.Task, p beckon.Project) error { return f.finish(ctx, t, p) }); err != nil {
		return beckon.Task{}, err
	}
	return f.Update(ctx, taskID)
}

func (f ConflictFinder) finish(ctx context.Context, t beckon.Task, p beckon.Project) error {
	if err := f.Note(ctx, t.ID); err != nil {
		return err
	}
	return merge.Finish(ctx, folder(t, p), fmt.Sprintf("Merge %s into %s", t.Base, t.Branch))
}

// Take resolves conflicts by the sides that the user took. Where that are all, they are
// committed to the task's branch; else the rest is left to the user in the worktree, as after
// Begin. Where it fails, the worktree is as before.
func (f ConflictFinder) Take(ctx context.Context, taskID string, taken []reviewing.TakenSides) (reviewing.ByHand, error) {
	by := reviewing.ByHand{Files: []string{}}
	err := f.Committed(ctx, taskID, func(t beckon.Task, p beckon.Project) error {
		if err := hasFolder(t); err != nil {
			return err
		}
		doing, err := workdir.InProgress(ctx, folder(t, p))
		if err == nil && doing != "" {
			err = problem.New(problem.ByHandAlready, fmt.Errorf("a %s is under way in the worktree: %w", doing, beckon.ErrConflict))
		}
		w := workdir.Worktree{Branch: t.Branch, Base: t.Base}
		if err == nil {
			err = merge.Begin(ctx, folder(t, p), w)
		}
		if err != nil {
			return err
		}
		err = merge.Take(ctx, command.Git{Dir: p.Dir, Trusted: p.Trusted}, folder(t, p), w, taken)
		var left []string
		if err == nil {
			left, err = merge.Left(ctx, folder(t, p))
		}
		if err == nil && len(left) == 0 {
			err = f.finish(ctx, t, p)
		}
		if err != nil {
			err = errors.Join(err, merge.Abandon(context.WithoutCancel(ctx), folder(t, p)))
		}
		return err
	})
	if err != nil {
		return by, err
	}
	if by, err = f.ByHand(ctx, taskID); err == nil && !by.On {
		_, err = f.Update(ctx, taskID)
	}
	return by, err
}

// Abandon takes away what was resolved; branch and worktree are as before Begin.
func (f ConflictFinder) Abandon(ctx context.Context, taskID string) error {
	return f.held(ctx, taskID, func(t beckon.Task, p beckon.Project) error { return merge.Abandon(ctx, folder(t, p)) })
}

func (f ConflictFinder) held(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error {
	release, err := f.Hold(ctx, taskID)
	if err != nil {
		return err
	}
	defer release()
	t, p, err := f.read(ctx, taskID)
	if err == nil {
		err = hasFolder(t)
	}
	if err != nil {
		return err
	}
	return work(t, p)
}

// hasFolder returns why nothing can be resolved in a task's worktree: it has none, or that is gone.
func hasFolder(t beckon.Task) error {
	if t.Worktree != "" {
		if _, err := os.Lstat(t.Worktree); err == nil {
			return nil
		}
	}
	return problem.New(problem.NoWorktree, fmt.Errorf("%s has no worktree: %w", t.Key, beckon.ErrNotFound), "key", t.Key)
}

func (f ConflictFinder) read(ctx context.Context, taskID string) (beckon.Task, beckon.Project, error) {
	t, err := f.Task(ctx, taskID)
	if err != nil {
		return t, beckon.Project{}, err
	}
	p, err := f.Project(ctx, t.ProjectID)
	return t, p, err
}

// folder is git in the worktree of a task.
func folder(t beckon.Task, p beckon.Project) command.Git {
	return command.Git{Dir: t.Worktree, Trusted: p.Trusted}
}
