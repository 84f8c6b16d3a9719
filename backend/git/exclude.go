package git

import (
	"context"

	"beckon/backend/git/workdir"
)

// Exclude has git ignore the patterns in all worktrees of the repository,
// without touching a file that is committed; see workdir.Exclude.
func (r *Repo) Exclude(ctx context.Context, worktree string, patterns ...string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return workdir.Exclude(ctx, r.in(worktree), patterns...)
}

// Tracked reports whether the repository itself has the file; see
// workdir.Tracked.
func (r *Repo) Tracked(ctx context.Context, worktree, file string) bool {
	return workdir.Tracked(ctx, r.in(worktree), file)
}
