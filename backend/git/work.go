package git

import (
	"context"

	"beckon/backend/git/diff"
)

// Work returns the trees between which the work of w is, uncommitted changes included,
// and the commit that it is at.
func (r *Repo) Work(ctx context.Context, w Worktree) (t diff.Trees, head string, err error) {
	s, _, err := r.span(ctx, w)
	return diff.Trees{From: s.from, To: s.to}, s.head, err
}
