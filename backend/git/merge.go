package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	var entries []entry
	if state.Condition == Ready {
		if entries, err = r.in(w.Dir).changes(ctx); err != nil {
			return "", err
		}
	}
	p, err := r.plan(ctx, w, state, entries)
	if err != nil {
		return "", err
	}
	if p.refusal != "" {
		return "", conflict("%s", p.refusal)
	}
	if commit, err = r.at().commitTree(ctx, p.tree, message, p.base, p.tip); err != nil {
		return "", err
	}
	if p.folder != "" {
		return commit, r.advance(ctx, p, commit)
	}
	if _, err := r.at().run(ctx, "update-ref", "-m", "beckon: merge "+w.Branch, "refs/heads/"+w.Base, commit, p.base); err != nil {
		return "", conflict("%s changed while merging, try again: %w", w.Base, err)
	}
	return commit, nil
}

// between lists the paths that are only in the second tree, and those that
// are only in the first.
func (r *Repo) between(ctx context.Context, from, to string) (added, removed []string, err error) {
	fields, err := r.at().list(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to)
	if err != nil {
		return nil, nil, err
	}
	for pair := range slices.Chunk(fields, 2) {
		switch pair[0] {
		case "A":
			added = append(added, pair[1])
		case "D":
			removed = append(removed, pair[1])
		}
	}
	return added, removed, nil
}

// advance moves the base and the project's folder on to the merge. Being a
// fast-forward, git checks everything before it writes the first file; when
// writing fails on the way, as with a full disk, the files are put back.
func (r *Repo) advance(ctx context.Context, p plan, commit string) error {
	_, err := r.in(p.folder).run(ctx, "merge", "--ff-only", "--quiet", "--no-autostash", "--no-overwrite-ignore", commit)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	now, headErr := r.in(p.folder).line(ctx, "rev-parse", "HEAD")
	switch {
	case headErr == nil && now == commit:
		return nil // only git's last word was lost
	case headErr == nil && (now != p.base || refused(err)):
		return conflict("the project's folder changed while merging, so nothing was merged; try again: %w", err)
	}
	if undoErr := r.putBack(ctx, p); undoErr != nil {
		return conflict("the merge stopped half way, and some files of %s could not be put back: %w: %w", p.folder, err, undoErr)
	}
	return conflict("git could not write the files, so nothing was merged: %w", err)
}

// refused tells whether git gave up before it wrote a file: somebody was at
// work in the folder since it was looked at, and what they made is theirs.
func refused(err error) bool {
	for _, words := range []string{"Aborting", "not uptodate", "index.lock"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// putBack undoes what a failed advance wrote. The folder was clean and the
// added files were not there, so nobody else's work is touched; the index is
// written last, so it still has the files as they were.
func (r *Repo) putBack(ctx context.Context, p plan) error {
	added, _, err := r.between(ctx, p.base, p.tree)
	if err != nil {
		return err
	}
	for _, name := range added {
		if err := os.Remove(filepath.Join(p.folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	entries, err := r.in(p.folder).changes(ctx)
	if err != nil {
		return err
	}
	c := r.in(p.folder)
	for _, e := range entries {
		if !e.untracked {
			c.input += e.path + "\x00"
		}
	}
	if c.input == "" {
		return nil
	}
	_, err = c.run(ctx, "checkout-index", "--force", "-z", "--stdin")
	return err
}
