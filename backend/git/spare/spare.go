// Package spare keeps worktrees ready before anyone needs them, with all files
// written: one that is needed is moved to its place and gets its branch there. A
// spare is on no branch and locked, and is used or removed only while it is as it was
// made; one that somebody worked in stays where it is. Killed anywhere in between, it
// leaves at most a folder that the next Fill removes. What was discarded is kept as well,
// for thirty days.
package spare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

const (
	// reason is why a spare is locked, from its first moment to its last.
	reason = "beckon: kept ready"
	// mark is a file among git's own of a spare whose files are all written. It names
	// the commit that they are of.
	mark = "beckon-spare"
	// wanted is how many are kept.
	wanted = 2
)

// Spares are those of one repository. TakeSpare, Fill and Clear of one folder must not
// meet: the caller holds them apart by Alone.
type Spares struct {
	Git command.Git // in the repository's folder
	Dir string      // the folder that they are in
	// Alone takes the lock of the folder, or returns nil where it is taken and wait
	// is not asked for.
	Alone func(wait bool) (release func())
}

// one is a spare as it stands.
type one struct {
	workdir.ListedWorktree
	gitDir string
	commit string // that its files are of; empty: they are not all written
}

// list returns what is locked as a spare, wherever it is.
func (s Spares) list(ctx context.Context) ([]one, error) {
	all, err := workdir.ListWorktrees(ctx, s.Git)
	if err != nil {
		return nil, err
	}
	var list []one
	for _, e := range all {
		if !e.Locked || e.Reason != reason {
			continue
		}
		spare := one{ListedWorktree: e}
		if spare.gitDir, err = s.Git.In(e.Dir).GitDir(ctx); err != nil {
			spare.gitDir = "" // its folder is gone
		} else if text, err := os.ReadFile(filepath.Join(spare.gitDir, mark)); err == nil {
			spare.commit = strings.TrimSpace(string(text))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		list = append(list, spare)
	}
	return list, nil
}

// inPlace reports whether a spare is where Fill makes them.
func (s Spares) inPlace(e one) bool {
	rel, err := filepath.Rel(s.Dir, e.Dir)
	return err == nil && filepath.IsLocal(rel)
}

// untouched reports whether nobody worked in a spare since it was made.
func (s Spares) untouched(ctx context.Context, e one) (bool, error) {
	if InUse(e.Dir) != "" {
		return false, nil
	}
	branch, commit, changed, err := workdir.Standing(ctx, s.Git.In(e.Dir))
	return err == nil && branch == e.Branch && commit == e.commit && !changed, err
}

// ready lists the spares in their place whose files are all written, as their own files
// say: git is asked about the one that is taken.
func (s Spares) ready() []one {
	folders, _ := os.ReadDir(s.Dir) // where there is no folder there is no spare
	var list []one
	for _, folder := range folders {
		spare := one{ListedWorktree: workdir.ListedWorktree{Dir: filepath.Join(s.Dir, folder.Name())}}
		text, err := look.ReadMetadata(filepath.Join(spare.Dir, ".git"))
		if err != nil {
			continue
		}
		spare.gitDir = look.Within(spare.Dir, strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir: ")))
		locked, err := look.ReadMetadata(filepath.Join(spare.gitDir, "locked"))
		commit, err2 := look.ReadMetadata(filepath.Join(spare.gitDir, mark))
		if err == nil && err2 == nil && strings.TrimSpace(string(locked)) == reason {
			spare.commit = strings.TrimSpace(string(commit))
			list = append(list, spare)
		}
	}
	return list
}

// TakeSpare moves a spare to the folder dir and brings its files to the commit. The caller
// then attaches a branch, or removes it. False where none is available.
func (s Spares) TakeSpare(ctx context.Context, dir, commit string) (bool, error) {
	for _, e := range s.ready() {
		if ok, err := s.untouched(ctx, e); err == nil && ok && e.commit != "" {
			return true, s.move(ctx, e, dir, commit)
		}
	}
	return false, nil
}

func (s Spares) move(ctx context.Context, e one, dir, commit string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if _, err := s.Git.Run(ctx, "worktree", "move", "--force", "--force", "--", e.Dir, dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(e.gitDir, mark)); err != nil {
		return err
	}
	if e.commit == commit {
		return nil
	}
	_, err := s.Git.In(dir).Run(ctx, "reset", "--hard", "--quiet", "--no-recurse-submodules", commit)
	return err
}

// Attach puts a spare that was taken on its branch, which is at the same commit, and
// makes it a worktree like any other.
func (s Spares) Attach(ctx context.Context, dir, branch string) error {
	if _, err := s.Git.In(dir).Run(ctx, "symbolic-ref", "-m", "beckon: a worktree that was kept ready", "HEAD",
		"refs/heads/"+branch); err != nil {
		return err
	}
	_, err := s.Git.Run(ctx, "worktree", "unlock", "--", dir)
	return err
}

// GiveUp removes a spare that was taken and could not be made a worktree.
func (s Spares) GiveUp(ctx context.Context, dir string) error {
	_, err := s.Git.Run(ctx, "worktree", "remove", "--force", "--force", "--", dir)
	return err
}

// Fill makes as many spares of a branch as are wanted, brings those that are there to
// its last commit, and removes what an earlier Fill or TakeSpare left in its middle. The
// files are written without the lock, so that others are taken meanwhile.
func (s Spares) Fill(ctx context.Context, branch string) error {
	commit, err := s.Git.Branch(ctx, branch)
	if err != nil {
		return err
	}
	if commit == "" {
		return fmt.Errorf("the base branch %s is gone: choose another in the project's settings: %w",
			branch, beckon.ErrNotFound)
	}
	have, err := s.tidy(ctx, commit)
	for ; err == nil && have < wanted; have++ {
		err = s.add(ctx, commit)
	}
	return err
}

// tidy returns how many spares there are at the commit once the rest was brought
// there or removed.
func (s Spares) tidy(ctx context.Context, commit string) (have int, err error) {
	defer s.Alone(true)()
	list, err := s.list(ctx)
	if err != nil {
		return 0, err
	}
	for _, e := range list {
		if e.commit == commit {
			have++
			continue
		}
		if ok, err := s.removable(ctx, e); err != nil || !ok {
			slog.Warn("a worktree that was kept ready is not as it was made, so it stays", "dir", e.Dir, "err", err)
			continue
		}
		if e.commit == "" {
			err = s.GiveUp(ctx, e.Dir)
		} else if err = s.refresh(ctx, e, commit); err == nil {
			have++
		}
		if err != nil {
			return have, err
		}
	}
	return have, nil
}

// refresh brings the files of a spare to another commit. It is no spare meanwhile.
func (s Spares) refresh(ctx context.Context, e one, commit string) error {
	if err := os.Remove(filepath.Join(e.gitDir, mark)); err != nil {
		return err
	}
	if _, err := s.Git.In(e.Dir).Run(ctx, "reset", "--hard", "--quiet", "--no-recurse-submodules", commit); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(e.gitDir, mark), []byte(commit+"\n"), 0o600)
}

// removable reports whether nothing would be lost with a spare, whole or not. One
// that is not all written is in its place, where only Fill makes them; or it was being
// taken, and has files of commits that are elsewhere.
func (s Spares) removable(ctx context.Context, e one) (bool, error) {
	switch {
	case e.gitDir == "":
		return true, nil
	case e.commit == "" && s.inPlace(e):
		return InUse(e.Dir) == "", nil
	case e.commit != "" && e.Branch != "":
		return false, nil
	case e.commit == "": // a branch was made with it, and is kept
		e.commit, _, _ = s.Git.In(e.Dir).Head(ctx)
	}
	if ok, err := s.untouched(ctx, e); err != nil || !ok {
		return false, err
	}
	left, err := workdir.Unreached(ctx, s.Git, s.Git.In(e.Dir), false, "")
	return err == nil && len(left) == 0, err
}

// add makes a spare.
func (s Spares) add(ctx context.Context, commit string) (err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.Dir, "ready-")
	if err != nil {
		return err
	}
	if err := s.register(ctx, dir, commit); err != nil {
		return errors.Join(err, os.Remove(dir))
	}
	c := s.Git.In(dir)
	err = workdir.Fill(ctx, c)
	gitDir, err2 := c.GitDir(ctx)
	if err = errors.Join(err, err2); err == nil {
		err = os.WriteFile(filepath.Join(gitDir, mark), []byte(commit+"\n"), 0o600)
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return errors.Join(fmt.Errorf("make a worktree ready: %w", err), s.GiveUp(ctx, dir))
	}
	return nil
}

func (s Spares) register(ctx context.Context, dir, commit string) error {
	defer s.Alone(true)()
	_, err := s.Git.Run(ctx, "worktree", "add", "--quiet", "--no-checkout", "--detach", "--lock", "--reason",
		reason, "--", dir, commit)
	return err
}

// Clear removes the spares. What somebody worked in stays.
func (s Spares) Clear(ctx context.Context) error {
	defer s.Alone(true)()
	list, err := s.list(ctx)
	if err != nil {
		return err
	}
	for _, e := range list {
		if ok, err := s.removable(ctx, e); err != nil || !ok {
			slog.Warn("a worktree that was kept ready is not as it was made, so it stays", "dir", e.Dir, "err", err)
			continue
		}
		if err := s.GiveUp(ctx, e.Dir); err != nil {
			return err
		}
	}
	return nil
}
