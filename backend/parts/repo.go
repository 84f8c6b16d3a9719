package parts

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/merge"
	"beckon/backend/git/spare"
	"beckon/backend/git/workdir"
)

// Repo is the repository of a part; *git.Repo implements it.
type Repo interface {
	AddWorktree(ctx context.Context, dir, branch, base string) (workdir.Worktree, error)
	// AddNamedWorktree is AddWorktree for a name that is the user's, and takes no number.
	AddNamedWorktree(ctx context.Context, dir, branch, base string) (workdir.Worktree, error)
	RestoreWorktree(ctx context.Context, w workdir.Worktree) error
	// RemoveWorktree takes the folder away and leaves the branch.
	RemoveWorktree(ctx context.Context, w workdir.Worktree) error
	// TakeBackWorktrees removes what AddWorktree was killed over.
	TakeBackWorktrees(ctx context.Context, dir, found string) error
	// Complete fills what a new worktree lacks.
	Complete(ctx context.Context, w workdir.Worktree) (lacks map[string][]string)
	Reconnect(ctx context.Context, w workdir.Worktree) error
	Renamed(ctx context.Context, w workdir.Worktree) (branch string, err error)
	CommitAll(ctx context.Context, w workdir.Worktree, message string, except []string) (commit string, ok bool, err error)

	Summary(ctx context.Context, w workdir.Worktree) (beckon.Changes, error)
	Diff(ctx context.Context, w workdir.Worktree, v reviewing.View) (beckon.ReviewDiff, error)
	Loss(ctx context.Context, w workdir.Worktree) (beckon.Loss, error)

	// Discard takes worktree and branch away, and keeps them; the token is that of the Loss.
	Discard(ctx context.Context, w workdir.Worktree, token string) error
	// CheckDiscard returns why Discard would refuse, and changes nothing.
	CheckDiscard(ctx context.Context, w workdir.Worktree, token string) error
	Discarded(ctx context.Context) ([]spare.TrashKept, error)
	// Restore makes the branch of a discarded one again; Forget lets go of what kept it.
	Restore(ctx context.Context, ref, found string) (branch string, err error)
	Forget(ctx context.Context, ref string) error

	// Prepare makes a merge and moves nothing; Land moves the base to it.
	Prepare(ctx context.Context, w workdir.Worktree, way reviewing.MergeWay, message string) (merge.Record, error)
	Land(ctx context.Context, w workdir.Worktree, prepared merge.Record) error
	// Unmerge takes a merge back, Remerge does it again.
	Unmerge(ctx context.Context, w workdir.Worktree) error
	Remerge(ctx context.Context, w workdir.Worktree) error
	// MergedAs returns what the base was after it got the branch; empty where it has not.
	MergedAs(ctx context.Context, w workdir.Worktree) (commit string, err error)
	// MergedAt is MergedAs for the branch as it was at a commit; moved says that it is another
	// by now.
	MergedAt(ctx context.Context, w workdir.Worktree, at string) (commit string, moved bool, err error)
}
