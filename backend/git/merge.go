package git

import (
	"context"

	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// Merge merges the branch of w into its base, with a merge commit of that
// message, which it returns. Where the project's folder has the base checked
// out, its files follow. Where anything is in the way, nothing changes and the
// error wraps ErrConflict. The branch and the worktree stay. Without a folder
// it merges what the branch has, so a caller that commits first goes on to it
// after a *WorktreeGoneError.
func (r *Repo) Merge(ctx context.Context, w Worktree, message string) (commit string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.Status(ctx, w)
	if err != nil {
		return "", err
	}
	var entries []workdir.Entry
	if state.Condition == Ready {
		if entries, err = workdir.Changes(ctx, r.in(w.Dir)); err != nil {
			return "", err
		}
	}
	p, err := merge.New(ctx, r.at(), w, state, entries)
	if err != nil {
		return "", err
	}
	return p.Do(ctx, message)
}

// Unmerge takes the merge of w back, and the project's folder with it, as long as
// nothing was built on it; else the error wraps ErrConflict, and nothing changes.
func (r *Repo) Unmerge(ctx context.Context, w Worktree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return merge.Undo(ctx, r.at(), w)
}
