package git

import (
	"context"

	"beckon/backend/git/diff"
)

// Lines returns the lines of files as they are in the work of w, or as they were in
// what that is compared with; see diff.Lines for what is left out.
func (r *Repo) Lines(ctx context.Context, w Worktree, before bool, paths []string) (map[string][]string, error) {
	tree, err := r.side(ctx, w, before)
	if err != nil {
		return nil, err
	}
	return diff.Lines(ctx, r.at(), tree, paths)
}

// side returns the tree of what the task of w did, or of what that is compared with.
func (r *Repo) side(ctx context.Context, w Worktree, before bool) (string, error) {
	s, _, err := r.span(ctx, w)
	if before {
		return s.from, err
	}
	return s.to, err
}
