package merge

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/git/workdir"
)

// Do merges, with a merge commit of that message, which it returns. Where
// anything is in the way by now, nothing changes and the error wraps
// ErrConflict.
func (p Plan) Do(ctx context.Context, message string) (commit string, err error) {
	if p.Refusal != "" {
		return "", command.Conflict("%s", p.Refusal)
	}
	if commit, err = workdir.CommitTree(ctx, p.repo, p.tree, message, p.base, p.tip); err != nil {
		return "", err
	}
	if p.moves {
		return commit, p.advance(ctx, commit)
	}
	if _, err := p.repo.Run(ctx, "update-ref", "-m", "beckon: merge "+p.w.Branch, "refs/heads/"+p.w.Base, commit, p.base); err != nil {
		return "", command.Conflict("%s changed while merging, try again: %w", p.w.Base, err)
	}
	return commit, nil
}

// advance moves the base and the project's folder on to the merge. Being a
// fast-forward, git checks everything before it writes the first file; when
// writing fails on the way, as with a full disk, the files are put back.
func (p Plan) advance(ctx context.Context, commit string) error {
	_, err := p.repo.Run(ctx, "merge", "--ff-only", "--quiet", "--no-autostash", "--no-overwrite-ignore", commit)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	now, headErr := p.repo.Line(ctx, "rev-parse", "HEAD")
	switch {
	case headErr == nil && now == commit:
		return nil // only git's last word was lost
	case headErr == nil && (now != p.base || refused(err)):
		return command.Conflict("the project's folder changed while merging, so nothing was merged; try again: %w", err)
	}
	if undoErr := p.putBack(ctx); undoErr != nil {
		return command.Conflict("the merge stopped half way, and some files of %s could not be put back: %w: %w", p.repo.Dir, err, undoErr)
	}
	return command.Conflict("git could not write the files, so nothing was merged: %w", err)
}

// refused reports whether git gave up before it wrote a file: a person was
// at work in the folder since it was looked at, and what they made is theirs.
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
func (p Plan) putBack(ctx context.Context) error {
	added, _, err := diff.Trees(ctx, p.repo, p.base, p.tree)
	if err != nil {
		return err
	}
	for _, name := range added {
		if err := os.Remove(filepath.Join(p.repo.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	entries, err := workdir.Changes(ctx, p.repo)
	if err != nil {
		return err
	}
	c := p.repo
	for _, e := range entries {
		if !e.Untracked {
			c.Input += e.Path + "\x00"
		}
	}
	if c.Input == "" {
		return nil
	}
	_, err = c.Run(ctx, "checkout-index", "--force", "-z", "--stdin")
	return err
}
