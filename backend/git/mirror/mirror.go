// Package mirror makes one worktree what another is, in another repository: its last
// commit and its files, committed or not. What git ignores stays where it is.
//
// What both have is kept under a ref in each, as a commit whose first parent is the last
// commit of the worktree and whose files are those of its folder. Before files are
// replaced they are held against that ref, so that nothing is lost that the other side
// does not have.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/diff"
	"beckon/backend/git/workdir"
)

// ErrChanged says that a worktree has what the other side does not.
var ErrChanged = errors.New("the worktree changed since both sides had the same")

// InTheWay says that what git ignores in a worktree lies where the other side has files.
// It is a kind of ErrChanged.
type InTheWay struct{ Names []string }

func (e InTheWay) Error() string {
	return "files that git ignores are in the way (" + e.Some() + ")"
}

// Some names the first of them.
func (e InTheWay) Some() string { return workdir.Some(e.Names) }

// Unwrap makes it an ErrChanged.
func (InTheWay) Unwrap() error { return ErrChanged }

// Worktree is one of the two.
type Worktree struct {
	Git    command.Git // in its folder
	Branch string      // that is checked out in it
	Ref    string      // keeps what both have
}

// TakeCommit returns the commit that the worktree amounts to. Nothing but that commit is made.
func (w Worktree) TakeCommit(ctx context.Context) (commit string, err error) {
	head, _, err := w.Git.Head(ctx)
	if err != nil {
		return "", err
	}
	tree, err := workdir.Now(ctx, w.Git)
	if err != nil {
		return "", err
	}
	if last, err := w.shared(ctx); err != nil || last.head == head && last.tree == tree {
		return last.commit, err
	}
	return workdir.CommitTree(ctx, w.Git, tree, "What "+w.Branch+" amounts to", head)
}

// Isolate has git run no filter and no merge driver in the worktree from now on, whatever
// trust its repository has: what comes from the other side may name one, and say what it
// does. The files that a filter made, as git-lfs makes large ones, become what the
// repository stores of them, as they are on the other side.
func (w Worktree) Isolate(ctx context.Context) error {
	isolated, commit, err := w.Git.Isolated()
	if err != nil || isolated && commit == "" {
		return err
	}
	if !isolated {
		if commit, err = w.TakeCommit(ctx); err != nil {
			return err
		}
		if _, err := w.Git.Run(ctx, "update-ref", "-m", "beckon: isolate",
			command.IsolatedRef(w.Git.Dir), commit); err != nil {
			return err
		}
		if err := w.Git.Isolate(commit); err != nil {
			return err
		}
	}
	names, err := w.filtered(ctx, commit)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		if err := workdir.WriteStored(ctx, w.Git, commit, names); err != nil {
			return fmt.Errorf("write files as the repository stores them: %w", err)
		}
	}
	return w.Git.Isolate("")
}

// filtered lists the files of a commit that have a filter, where any is configured.
func (w Worktree) filtered(ctx context.Context, commit string) (names []string, err error) {
	if _, err := w.Git.Run(ctx, "config", "--name-only", "--get-regexp", `^filter\.`); err != nil {
		if command.ExitCode(err) == 1 {
			err = nil // there is none
		}
		return nil, err
	}
	all, err := w.Git.Run(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	err = workdir.Filters(ctx, w.Git, all, func(name, filter string) {
		if filter != "unspecified" && filter != "unset" {
			names = append(names, name)
		}
	})
	return names, err
}

// state is such a commit, and what it stands for.
type state struct{ commit, head, tree string }

// shared returns what both have; of two that never met, nothing.
func (w Worktree) shared(ctx context.Context) (state, error) {
	commit, err := w.Shared(ctx)
	if err != nil || commit == "" {
		return state{}, err
	}
	return w.stateOf(ctx, commit)
}

func (w Worktree) stateOf(ctx context.Context, commit string) (s state, err error) {
	s.commit = commit
	if s.tree, err = w.Git.Line(ctx, "rev-parse", "--verify", commit+"^{tree}"); err == nil {
		s.head, err = w.Git.Line(ctx, "rev-parse", "--verify", commit+"^1")
	}
	return s, err
}

// Shared returns the commit that both have; of two that never met, nothing.
func (w Worktree) Shared(ctx context.Context) (commit string, err error) {
	return w.Git.Quiet(ctx, "rev-parse", "--verify", "--quiet", w.Ref)
}

// Agree notes that the other side has a commit that TakeCommit returned.
func (w Worktree) Agree(ctx context.Context, commit string) error {
	_, err := w.Git.Run(ctx, "update-ref", "-m", "beckon: mirror", w.Ref, commit)
	return err
}

// PutCommit makes the worktree what a commit of the other side's stands for, which the
// repository has by now. It is ErrChanged where the worktree has changed since both had
// the same, unless it is in the commit already.
func (w Worktree) PutCommit(ctx context.Context, commit string) error {
	to, err := w.stateOf(ctx, commit)
	if err != nil {
		return err
	}
	last, err := w.shared(ctx)
	if err != nil {
		return err
	}
	if last.commit == commit {
		return nil
	}
	if err := w.mayPut(ctx, last, to); err != nil {
		return err
	}
	// What the index does not know is not deleted, so it has to know what both have.
	if last.tree != "" {
		if _, err := w.Git.Run(ctx, "read-tree", last.commit); err != nil {
			return err
		}
	}
	if _, err := w.Git.Run(ctx, "read-tree", "--reset", "-u", "--no-recurse-submodules", commit); err != nil {
		return fmt.Errorf("write the files of the other side: %w", err)
	}
	if _, err := w.Git.Run(ctx, "update-ref", "-m", "beckon: mirror", "refs/heads/"+w.Branch, to.head); err != nil {
		return err
	}
	if _, err := w.Git.Run(ctx, "reset", "--quiet", "--mixed", "--no-recurse-submodules"); err != nil {
		return err
	}
	return w.Agree(ctx, commit)
}

// mayPut returns ErrChanged where something would be lost: commits that the other side
// does not have, or files.
func (w Worktree) mayPut(ctx context.Context, last, to state) error {
	head, _, err := w.Git.Head(ctx)
	if err != nil {
		return err
	}
	if head != last.head && head != to.head {
		if merged, err := w.contains(ctx, to.head, head); err != nil || !merged {
			return errors.Join(ErrChanged, err)
		}
	}
	tree, err := workdir.Now(ctx, w.Git)
	if err != nil {
		return err
	}
	if tree != last.tree && tree != to.tree {
		return ErrChanged
	}
	if last.tree == "" || tree == to.tree {
		return nil // a new worktree, in which nothing was ignored yet, or all of it is here
	}
	return w.roomFor(ctx, last, to)
}

// roomFor returns InTheWay where something lies here that is in no tree, since git ignores
// it, and that is not what the other side has in its place.
func (w Worktree) roomFor(ctx context.Context, last, to state) error {
	added, removed, err := diff.Names(ctx, w.Git, last.tree, to.tree)
	if err != nil {
		return err
	}
	var names []string
	for _, one := range workdir.Occupied(w.Git.Dir, added, removed) {
		at := strings.ToValidUTF8(one.At, "\uFFFD")
		if slices.Contains(names, at) {
			continue
		}
		same := false
		if one.At == one.Name {
			if same, err = w.has(ctx, one.Name, to.tree+":"+one.Name); err != nil {
				return err
			}
		}
		if !same {
			names = append(names, at)
		}
	}
	if len(names) > 0 {
		return InTheWay{names}
	}
	return nil
}

// has reports whether a file here is a blob, byte by byte.
func (w Worktree) has(ctx context.Context, name, blob string) (bool, error) {
	if info, err := os.Lstat(filepath.Join(w.Git.Dir, filepath.FromSlash(name))); err != nil || !info.Mode().IsRegular() {
		return false, nil //nolint:nilerr // it is none, or went meanwhile
	}
	want, err := w.Git.Line(ctx, "rev-parse", "--verify", blob)
	if err != nil {
		return false, err
	}
	is, err := w.Git.Line(ctx, "hash-object", "--no-filters", "--", name)
	return is == want, err
}

// contains reports whether a commit is the other or has it among its ancestors.
func (w Worktree) contains(ctx context.Context, commit, other string) (bool, error) {
	_, err := w.Git.Run(ctx, "merge-base", "--is-ancestor", other, commit)
	if command.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Has reports whether the worktree has all of a commit of the other side's: it was merged
// by hand, or is what both have.
func (w Worktree) Has(ctx context.Context, commit string) (bool, error) {
	last, err := w.shared(ctx)
	if err != nil || last.commit == commit {
		return err == nil, err
	}
	to, err := w.stateOf(ctx, commit)
	if err != nil {
		return false, err
	}
	if to.head == last.head && to.tree == last.tree {
		return true, nil
	}
	head, _, err := w.Git.Head(ctx)
	if err != nil {
		return false, err
	}
	return w.contains(ctx, head, commit)
}

// Forget drops the ref.
func (w Worktree) Forget(ctx context.Context) error {
	_, err := w.Git.Run(ctx, "update-ref", "-d", w.Ref)
	return err
}
