//go:build linux || darwin

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/executor/calls"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// This file puts files that git ignores, such as .env, into a worktree here. They come in a
// repository of their own, which is removed with all that it has once they are there: nothing
// of them stays among the project's objects. As on the other side, nothing is replaced, no
// link is followed, and a file that git would not ignore here stays away.

const (
	// accompanied is the file, in git's folder of a worktree, that says that it has them.
	accompanied = "beckon-along"
	// missedMost is how many files are named that were not put there.
	missedMost = 20
)

// meeting is where a task's files are pushed to.
func (w Workspace) meeting(t calls.Task) string {
	return filepath.Join(w.repo(t.ProjectID), "beckon-along", t.ID)
}

// accompanied returns the mark of a worktree that has its files.
func (w Workspace) accompanied(ctx context.Context, t calls.Task) (string, error) {
	if err := mustBe(id.MatchString, t.ProjectID, t.ID); err != nil {
		return "", err
	}
	own, err := w.git(w.worktree(t)).GitDir(ctx)
	return filepath.Join(own, accompanied), err
}

// meet makes the repository that a task's files are pushed to, unless it has them.
func (w Workspace) meet(ctx context.Context, t calls.Task) (calls.Meeting, error) {
	mark, err := w.accompanied(ctx, t)
	if err != nil {
		return calls.Meeting{}, err
	}
	if _, err := os.Stat(mark); err == nil {
		return calls.Meeting{}, nil
	}
	dir := w.meeting(t)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return calls.Meeting{}, err
	}
	_, err = w.git(dir).Run(ctx, "init", "--quiet", "--bare", "--template=", dir)
	return calls.Meeting{Dir: dir}, err
}

// putAlong puts what was pushed into a task's worktree.
func (w Workspace) putAlong(ctx context.Context, p calls.Files) (missed calls.Missed, err error) {
	mark, err := w.accompanied(ctx, p.Task)
	if err = errors.Join(err, mustBe(command.IsCommit, p.Commit)); err != nil {
		return missed, err
	}
	dir := w.meeting(p.Task)
	from, git := w.git(dir), w.git(w.worktree(p.Task))
	names, err := from.List(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", p.Commit)
	if err != nil {
		return missed, err
	}
	ignored, err := workdir.CheckIgnored(ctx, git, names)
	if err != nil {
		return missed, err
	}
	meant := map[string]bool{}
	for _, name := range ignored {
		meant[name] = true
	}
	root, err := os.OpenRoot(git.Dir)
	if err != nil {
		return missed, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	missed.Paths = []string{}
	for _, name := range names {
		put := false
		if meant[name] {
			if put, err = w.putFile(ctx, root, p, name); err != nil {
				return missed, err
			}
		}
		if !put && len(missed.Paths) < missedMost {
			missed.Paths = append(missed.Paths, name)
		}
	}
	return missed, errors.Join(os.WriteFile(mark, nil, 0o600), os.RemoveAll(dir))
}

// putFile puts one of the files at its place, if there is nothing. It is there whole or not at
// all.
func (w Workspace) putFile(ctx context.Context, root *os.Root, p calls.Files, name string) (put bool, err error) {
	at := filepath.FromSlash(name)
	if !filepath.IsLocal(at) {
		return false, fmt.Errorf("%.80q leads out of the worktree", name)
	}
	if _, err := root.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
		return false, nil // something is there, or where one of its folders should be
	}
	entry, err := w.git(w.meeting(p.Task)).Line(ctx, "ls-tree", p.Commit, "--", name)
	if err != nil {
		return false, err
	}
	mode := fs.FileMode(0o600)
	if strings.HasPrefix(entry, "100755 ") {
		mode = 0o700
	}
	if err := root.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return false, err
	}
	beside := at + ".beckon-" + p.ID
	out, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return false, err
	}
	err = w.git(w.meeting(p.Task)).Stream(ctx, func(blob io.Reader) error { _, err := io.Copy(out, blob); return err }, "cat-file", "blob", p.Commit+":"+name)
	if err = errors.Join(err, out.Close()); err == nil {
		err = root.Rename(beside, at)
	}
	if err != nil {
		_ = root.Remove(beside)
	}
	return err == nil, err
}
