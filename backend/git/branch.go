package git

import (
	"context"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/git/merge"
)

// Branch is the branch of a worktree, for those who finish what was begun with it.
type Branch struct {
	r *Repo
	w Worktree
}

// BranchOf returns the branch of a task.
func (r *Repo) BranchOf(t beckon.Task) Branch { return Branch{r, WorktreeOf(t)} }

// Merged returns what the base was after it got the branch as it is, by a merge that
// Merge did; empty where it has none.
func (b Branch) Merged(ctx context.Context) (commit string, err error) {
	base, tip, err := b.tips(ctx)
	if err != nil || base == "" || tip == "" {
		return "", err
	}
	done, err := merge.Landed(ctx, b.r.at(), base, tip)
	return done.To, err
}

// Taken returns the newest commit of the base that the branch has, none where either
// is gone.
func (b Branch) Taken(ctx context.Context) (commit string, err error) {
	base, tip, err := b.tips(ctx)
	if err != nil || base == "" || tip == "" {
		return "", err
	}
	return b.r.at().Quiet(ctx, "merge-base", base, tip)
}

// Update is Repo.Update.
func (b Branch) Update(ctx context.Context, message string) (taken string, err error) {
	return b.r.Update(ctx, b.w, message)
}

// Content names what the files of the work amount to, untracked ones included and
// ignored ones not: the same files have the same name, committed or not.
func (b Branch) Content(ctx context.Context) (tree string, err error) {
	s, _, err := b.r.end(ctx, b.w)
	return s.to, err
}

// Summary is Repo.Summary.
func (b Branch) Summary(ctx context.Context) (beckon.Changes, error) { return b.r.Summary(ctx, b.w) }

// Behind counts the commits of the base that the branch lacks; none where either is gone.
func (b Branch) Behind(ctx context.Context) (int, error) {
	base, tip, err := b.tips(ctx)
	if err != nil || base == "" || tip == "" {
		return 0, err
	}
	count, err := b.r.at().Line(ctx, "rev-list", "--count", base, "^"+tip)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(count)
}

func (b Branch) tips(ctx context.Context) (base, tip string, err error) {
	if base, err = b.r.at().Branch(ctx, b.w.Base); err == nil {
		tip, err = b.r.at().Branch(ctx, b.w.Branch)
	}
	return base, tip, err
}
