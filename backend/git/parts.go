package git

import (
	"context"
	"errors"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/starting"
	"beckon/backend/git/inspect"
	"beckon/backend/git/spare"
	"beckon/backend/git/workdir"
)

// The types of the parts, for those who import this package.
type (
	// Worktree is where a task's runs work, and the branch they work on.
	Worktree = workdir.Worktree
	// Condition is the state of a worktree.
	Condition = workdir.Condition
	// State is what Status finds.
	State = workdir.State
	// OtherBranchError is what CommitAll and Merge return where the folder
	// shows something else than the task's branch.
	OtherBranchError = workdir.OtherBranchError
	// WorktreeGoneError is what CommitAll returns where the folder does not
	// exist.
	WorktreeGoneError = workdir.WorktreeGoneError
	Tree              = makeReady // a worktree for those who run commands in it
	// Discarded is a branch that was discarded and can be brought back.
	Discarded = spare.TrashKept
	// Found is what Inspect sees in a folder.
	Found = inspect.Found
)

// The conditions; see package worktree.
const (
	Ready    = workdir.Ready
	Missing  = workdir.Missing
	Gone     = workdir.Gone
	Broken   = workdir.Broken
	Busy     = workdir.Busy
	Switched = workdir.Switched
)

// Inspect looks at the folder dir without running anything in it; see inspect.Folder.
func Inspect(ctx context.Context, dir string) (Found, error) { return inspect.Folder(ctx, dir) }

// FindBranches finds branches by a part of their names; see inspect.Branches.
func (r *Repo) FindBranches(ctx context.Context, text, base string, most int) (starting.BranchSearch, error) {
	return inspect.Branches(ctx, r.at(), text, base, most)
}

// Offer returns what a folder has for its worktrees; see inspect.Offer.
func Offer(ctx context.Context, of Found) beckon.Offer { return inspect.Offer(ctx, of) }

// Tree returns the worktree w for those who run commands in it.
func (r *Repo) Tree(w Worktree) Tree { return Tree{Project: r.at(), In: r.in(w.Dir)} }

// Status reports whether a task can go on in its worktree.
func (r *Repo) Status(ctx context.Context, w Worktree) (State, error) {
	return workdir.Status(ctx, r.at(), w)
}

// Renamed returns the branch that w is on in place of its own, which is gone; see worktree.Renamed.
func (r *Repo) Renamed(ctx context.Context, w Worktree) (string, error) {
	return workdir.Renamed(ctx, r.at(), w)
}

// Branches returns the names of the repository's branches.
func (r *Repo) Branches(ctx context.Context) ([]string, error) {
	names, err := r.at().Line(ctx, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/")
	return strings.Fields(names), err
}

// Misplaced reports whether an error says that the worktree does not show the
// task's branch, or that one of both is gone.
func Misplaced(err error) bool {
	var elsewhere *OtherBranchError
	var gone *WorktreeGoneError
	var without *workdir.BranchGoneError
	return errors.As(err, &elsewhere) || errors.As(err, &gone) || errors.As(err, &without)
}

// Files lists what a person could mean in the folder dir of the repository.
func (r *Repo) Files(ctx context.Context, dir string) ([]string, error) {
	return knownFiles(ctx, r.in(dir))
}
