package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// This file makes a new worktree ready for its first run, and knows which one
// is. It copies files that git ignores, such as .env, from the repository's folder:
// it follows no link, replaces nothing, and copies nothing that git would not ignore
// in the worktree, too, where it would be committed. Done again after it was ended in
// its middle, it does the rest.

// makeReady is a worktree as those see it who run commands in it.
type makeReady struct {
	Project command.Git // in the repository's folder
	In      command.Git // in the worktree
}

// preparedMark is a file among git's own of a worktree. It goes with the worktree,
// so that one that is made again is made ready again.
const preparedMark = "beckon-prepared"

// Prepared reports whether the worktree was made ready.
func (t makeReady) Prepared(ctx context.Context) (bool, error) {
	name, err := t.mark(ctx)
	if err != nil {
		return false, err
	}
	_, err = os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// SetPrepared notes that the worktree is ready.
func (t makeReady) SetPrepared(ctx context.Context) error {
	name, err := t.mark(ctx)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func (t makeReady) mark(ctx context.Context) (string, error) {
	dir, err := t.In.Line(ctx, "rev-parse", "--absolute-git-dir")
	return filepath.Join(dir, preparedMark), err
}

// Included returns the patterns of what the repository's folder itself wants copied, by
// its .worktreeinclude.
func (t makeReady) Included() ([]string, error) {
	patterns, _, err := workdir.ReadInclude(t.Project.Dir)
	if errors.Is(err, look.ErrOdd) {
		err = problem.New(problem.CopyList, fmt.Errorf("%w: %w", err, beckon.ErrConflict), "file", workdir.IncludeFile)
	}
	return patterns, err
}

// CopyIgnored copies what the patterns mean of the files that git ignores from the
// repository's folder, and returns their paths. The patterns are those of .gitignore.
func (t makeReady) CopyIgnored(ctx context.Context, patterns []string) ([]string, error) {
	return copyIgnored(ctx, t.Project, t.In, patterns)
}
