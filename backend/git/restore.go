package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// RestoreWorktree checks the branch of w out again in its folder, where the
// folder is missing or was never filled. The error wraps ErrNotFound where
// the branch is gone.
func (r *Repo) RestoreWorktree(ctx context.Context, w Worktree) error {
	defer r.alone(w)()
	state, err := r.Status(ctx, w)
	if err != nil {
		return err
	}
	switch state.Condition {
	case Missing:
	case Gone, Broken:
		return state.Err()
	default:
		return nil
	}
	if err := r.registerFolder(ctx, w); err != nil {
		return err
	}
	err = r.isolateAgain(ctx, w)
	// The files are written outside the repository's lock: a large checkout
	// would keep every other task of the project waiting.
	if err == nil {
		err = workdir.Fill(ctx, r.in(w.Dir))
	}
	if err == nil {
		_, err = r.at().Run(ctx, "worktree", "unlock", "--", w.Dir)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("restore worktree %s: %w", w.Dir, err), r.takeFolderBack(ctx, w))
	}
	return nil
}

// isolateAgain has git run no filter in a worktree that was isolated before its folder went.
func (r *Repo) isolateAgain(ctx context.Context, w Worktree) error {
	was, err := r.at().Quiet(ctx, "rev-parse", "--verify", "--quiet", command.IsolatedRef(w.Dir))
	if err != nil || was == "" {
		return err
	}
	return r.in(w.Dir).Isolate("")
}

// registerFolder makes the worktree of w without its files, locked.
func (r *Repo) registerFolder(ctx context.Context, w Worktree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.unregister(ctx, w, false); err != nil {
		return err
	}
	if err := r.checkOut(ctx, w, "--lock", "--reason", workdir.Filling); err != nil {
		return fmt.Errorf("restore worktree %s: %w", w.Dir, err)
	}
	return nil
}

// checkOut makes the folder of w a worktree of its branch, without its files; how is what
// git worktree add is to be called with besides.
func (r *Repo) checkOut(ctx context.Context, w Worktree, how ...string) error {
	if other, err := workdir.CheckedOut(ctx, r.at(), w.Branch); err != nil {
		return err
	} else if other != "" {
		return branchInUse(w.Branch, other)
	}
	if err := os.MkdirAll(filepath.Dir(w.Dir), 0o700); err != nil {
		return err
	}
	_, err := r.at().Run(ctx, slices.Concat(
		[]string{"worktree", "add", "--quiet", "--no-checkout"}, how, []string{"--", w.Dir, w.Branch})...)
	return err
}

// takeFolderBack removes a worktree that could not be filled. Its branch has
// all that was to be in it.
func (r *Repo) takeFolderBack(ctx context.Context, w Worktree) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unregister(ctx, w, true)
}
