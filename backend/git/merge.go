package git

import (
	"context"
	"strings"

	"beckon/backend/beckon/merging"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// Merge takes the branch of w into its base in that way, with that message where
// the way makes a commit of its own, and returns what the base is then. Where the
// project's folder has the base checked out, its files follow. Where anything is in the way, nothing changes and the
// error wraps ErrConflict. The branch and the worktree stay. Without a folder
// it merges what the branch has, so a caller that commits first goes on to it
// after a *WorktreeGoneError.
func (r *Repo) Merge(ctx context.Context, w Worktree, way merging.Way, message string) (commit string, err error) {
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
	return p.Do(ctx, way, message)
}

// Update brings what the base of w has by now into its branch and its worktree,
// whose changes must be committed. Where anything is in the way, nothing changes and
// the error wraps ErrConflict.
func (r *Repo) Update(ctx context.Context, w Worktree, message string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.Status(ctx, w)
	if err == nil {
		err = state.Err()
	}
	if err != nil {
		return err
	}
	return merge.Update(ctx, r.in(w.Dir), w, message)
}

// Unmerge takes the merge of w back, and the project's folder with it, as long as
// nothing was built on it; else the error wraps ErrConflict, and nothing changes.
func (r *Repo) Unmerge(ctx context.Context, w Worktree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return merge.Undo(ctx, r.at(), w)
}

// Commits returns what the commits of w say that its base lacks, the oldest first.
// Merges among them are left out.
func (r *Repo) Commits(ctx context.Context, w Worktree) ([]merging.Commit, error) {
	base, err := r.at().Branch(ctx, w.Base)
	if err != nil {
		return nil, err
	}
	tip, err := r.at().Branch(ctx, w.Branch)
	if err != nil || tip == "" || base == "" {
		return nil, err
	}
	const form = "--format=%s%x1f%(trailers:key=Co-authored-by,valueonly,unfold,separator=%x1e)"
	fields, err := r.at().List(ctx, "log", "--reverse", "--topo-order", "--no-merges", "--no-show-signature", "--encoding=UTF-8", "-z", form, base+".."+tip)
	list := make([]merging.Commit, 0, len(fields))
	for _, field := range fields {
		subject, names, _ := strings.Cut(strings.ToValidUTF8(field, "\uFFFD"), "\x1f")
		c := merging.Commit{Subject: subject}
		for name := range strings.SplitSeq(names, "\x1e") {
			if name = strings.TrimSpace(name); name != "" {
				c.Authors = append(c.Authors, name)
			}
		}
		list = append(list, c)
	}
	return list, err
}
