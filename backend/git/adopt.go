package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// This file gives a task a branch that it does not name itself: one that the user named,
// one that is there, or one that a remote has. A branch that was there before stays where
// the task found it when the task's work is discarded.

// AddNamedWorktree is AddWorktree for a branch that the user named: it takes no number,
// and where the name is taken it refuses with ErrConflict.
func (r *Repo) AddNamedWorktree(ctx context.Context, dir, branch, base string) (Worktree, error) {
	taken := func() error {
		err := command.Conflict("a branch %s is there already: start from it, or choose another name", branch)
		return problem.New(problem.BranchTaken, err, "branch", branch)
	}
	if commit, err := r.at().Branch(ctx, branch); err != nil {
		return Worktree{}, err
	} else if commit != "" {
		return Worktree{}, taken()
	}
	w, err := r.AddWorktree(ctx, dir, branch, base)
	if err == nil && w.Branch != branch { // somebody made it meanwhile
		return Worktree{}, errors.Join(taken(), r.takeBack(ctx, w))
	}
	return w, err
}

// AdoptBranch checks a branch that is there out in the folder dir, which it makes, under
// a number where the folder exists. It refuses with ErrConflict where the branch is
// checked out elsewhere, or has no commit in common with the branch base, and with
// ErrNotFound where one of the two is gone.
func (r *Repo) AdoptBranch(ctx context.Context, dir, branch, base string) (Worktree, error) {
	if !filepath.IsAbs(dir) {
		return Worktree{}, fmt.Errorf("worktree folder %q is not absolute: %w", dir, beckon.ErrInvalid)
	}
	w, err := r.adopted(ctx, Worktree{Dir: dir, Branch: branch, Base: base})
	if err == nil {
		w, err = r.registerAdopted(ctx, w)
	}
	if err != nil {
		return Worktree{}, err
	}
	if err := workdir.Fill(ctx, r.in(w.Dir)); err != nil {
		return Worktree{}, errors.Join(fmt.Errorf("check out %s: %w", w.Dir, err), r.takeBack(ctx, w))
	}
	return w, nil
}

// adopted looks at a branch before it is checked out: where it stands, and from which
// commit of its base it grew.
func (r *Repo) adopted(ctx context.Context, w Worktree) (Worktree, error) {
	base, err := r.at().Branch(ctx, w.Base)
	if err == nil {
		w.Found, err = r.at().Branch(ctx, w.Branch)
	}
	switch {
	case err != nil:
		return w, err
	case w.Found == "":
		return w, problem.New(problem.BranchGone, fmt.Errorf("the branch %s is gone: %w", w.Branch, beckon.ErrNotFound), "branch", w.Branch)
	case base == "":
		return w, baseGone(w.Base)
	}
	if w.BaseCommit, err = r.at().Quiet(ctx, "merge-base", base, w.Found); err == nil && w.BaseCommit == "" {
		err = command.Conflict("%s and %s have no commit in common: choose another branch to compare with", w.Branch, w.Base)
		err = problem.New(problem.BranchUnrelated, err, "branch", w.Branch, "base", w.Base)
	}
	return w, err
}

func (r *Repo) registerAdopted(ctx context.Context, w Worktree) (Worktree, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.Dir = freeDir(w.Dir)
	return w, r.checkOut(ctx, w, "--force") // a folder of that name may have been deleted behind git's back
}

// Forward has a local branch have the commit that was fetched of a remote: the branch is
// made where there is none, and moved forward where it is behind. It refuses with
// ErrConflict where both have commits of their own, or where a folder has the branch
// checked out that would have to move.
func (r *Repo) Forward(ctx context.Context, branch, remote, fetched string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	here, err := r.at().Branch(ctx, branch)
	if err != nil {
		return err
	}
	return r.forward(ctx, Worktree{Branch: branch, BaseCommit: fetched, Found: here}, remote)
}

// forward has the branch of w, which is at Found, have the commit BaseCommit.
func (r *Repo) forward(ctx context.Context, w Worktree, remote string) error {
	if w.Found == "" {
		return r.at().NewBranch(ctx, w.Branch, w.BaseCommit, remote)
	}
	common, err := r.at().Quiet(ctx, "merge-base", w.Found, w.BaseCommit)
	switch {
	case err != nil:
		return err
	case common == w.BaseCommit: // it has all of it
		return nil
	case common != w.Found:
		err := command.Conflict("%s has commits here and others on %s: bring them together, or name a new branch", w.Branch, remote)
		return problem.New(problem.BranchDiverged, err, "branch", w.Branch, "remote", remote)
	}
	if other, err := workdir.CheckedOut(ctx, r.at(), w.Branch); err != nil {
		return err
	} else if other != "" {
		return branchInUse(w.Branch, other)
	}
	_, err = r.at().Run(ctx, "update-ref", "refs/heads/"+w.Branch, w.BaseCommit, w.Found)
	return err
}

// baseGone is the error of a branch that was to be started from, or compared with.
func baseGone(base string) error {
	return fmt.Errorf("the base branch %s is gone: choose another in the project's settings: %w", base, beckon.ErrNotFound)
}
