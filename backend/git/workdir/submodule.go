package workdir

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// This file fills the submodules of a worktree from those that the project's folder has
// filled: each becomes a linked worktree of the same repository. Nothing is fetched, nothing
// is stored twice, and commits that are made there are the project's.

// FillSubmodules fills those submodules of the worktree to that the folder from has filled, if
// that is trusted, and the submodules of those. It returns the names of those that stay empty.
// Their files are written while others may have the lock, which keeps two from adding worktrees
// to one repository.
func FillSubmodules(ctx context.Context, from, to command.Git, lock sync.Locker) (empty []string, err error) {
	known, err := checkedOut(ctx, to)
	for _, name := range known {
		here, there := inSubmodule(from, name), inSubmodule(to, name)
		inside, readErr := os.ReadDir(there.Dir)
		if readErr != nil || len(inside) > 0 {
			continue
		}
		filled, fillErr := fillSubmodule(ctx, here, there, submodule{to, name, lock})
		if err = errors.Join(err, fillErr); !filled {
			empty = append(empty, strings.ToValidUTF8(name, "\uFFFD"))
			continue
		}
		more, fillErr := FillSubmodules(ctx, here, there, lock)
		err = errors.Join(err, fillErr)
		for _, inner := range more {
			empty = append(empty, path.Join(name, inner))
		}
	}
	return empty, err
}

// checkedOut lists the paths of the submodules of the commit that a worktree is at.
func checkedOut(ctx context.Context, c command.Git) ([]string, error) {
	if !look.Exists(c.Dir, ".gitmodules") {
		return nil, nil // the folder has what the commit has
	}
	known, err := Submodules(ctx, c, "HEAD")
	return slices.DeleteFunc(known, func(name string) bool {
		return !filepath.IsLocal(filepath.FromSlash(name)) // .gitmodules may say anything
	}), err
}

func inSubmodule(c command.Git, name string) command.Git {
	return c.In(filepath.Join(c.Dir, filepath.FromSlash(name)))
}

// submodule is one of a worktree.
type submodule struct {
	of   command.Git
	name string
	lock sync.Locker
}

// fillSubmodule fills one from the project's folder of it. False where that has none, or not
// the commit.
func fillSubmodule(ctx context.Context, from, to command.Git, s submodule) (bool, error) {
	info, err := os.Lstat(from.Dir)
	if !from.Trusted || err != nil || !info.IsDir() || !look.Exists(from.Dir, ".git") {
		return false, nil
	}
	commit, err := s.of.Quiet(ctx, "rev-parse", "--verify", "--quiet", "HEAD:"+s.name)
	if err != nil || commit == "" {
		return false, err
	}
	if has, err := from.Quiet(ctx, "rev-parse", "--verify", "--quiet", commit+"^{commit}"); err != nil || has == "" {
		return false, err
	}
	// --force: a folder of that name may have been deleted behind git's back.
	s.lock.Lock()
	_, err = from.Run(ctx, "worktree", "add", "--quiet", "--force", "--no-checkout", "--detach", "--", to.Dir, commit)
	s.lock.Unlock()
	if err != nil {
		return false, err
	}
	if err := Fill(ctx, to); err != nil {
		_, removeErr := from.Run(context.WithoutCancel(ctx), "worktree", "remove", "--force", "--", to.Dir)
		return false, errors.Join(fmt.Errorf("fill %s: %w", to.Dir, err), removeErr, os.MkdirAll(to.Dir, 0o755))
	}
	return true, nil
}

// linkedTo returns the repository that a submodule in its folder shares with the project's; empty
// where it is one of its own, and would go with the worktree.
func linkedTo(ctx context.Context, c command.Git) string {
	if !look.Exists(c.Dir, ".git") {
		return ""
	}
	common, own, err := c.Dirs(ctx)
	if err != nil || common == own {
		return ""
	}
	return common
}

// ChangedSubmodules lists the submodules of a worktree that have changes which no commit in them
// holds: no commit of the worktree can.
func ChangedSubmodules(ctx context.Context, c command.Git) (names []string, err error) {
	known, err := checkedOut(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, name := range known {
		if sub := inSubmodule(c, name); look.Exists(sub.Dir, ".git") {
			changed, err := isChanged(ctx, sub)
			if err != nil {
				return nil, err
			}
			if changed {
				names = append(names, strings.ToValidUTF8(name, "\uFFFD"))
			}
		}
	}
	return names, nil
}

func isChanged(ctx context.Context, c command.Git) (bool, error) {
	changed, err := c.Run(ctx, "status", "--porcelain", "--untracked-files=all", "--ignore-submodules=none")
	return changed != "", err
}

// Unkept returns those of the repositories inside a worktree, by their names, that would be lost
// with it: all but submodules that share the project's repository and have no change that is
// not committed.
func Unkept(ctx context.Context, c command.Git, nested []string) ([]string, error) {
	if len(nested) == 0 || !look.Exists(c.Dir, ".gitmodules") {
		return nested, nil
	}
	known, err := checkedOut(ctx, c)
	if err != nil {
		return nil, err
	}
	unkept := []string{}
	for _, name := range nested {
		sub := inSubmodule(c, name)
		if slices.Contains(known, name) && linkedTo(ctx, sub) != "" {
			changed, err := isChanged(ctx, sub)
			if err != nil {
				return nil, err
			}
			if !changed {
				continue
			}
		}
		unkept = append(unkept, name)
	}
	return unkept, nil
}

// EmptySubmodules takes the filled submodules of a worktree away that Unkept does not name, for
// the worktree is to be removed. The repository of each keeps the commit that it was at.
func EmptySubmodules(ctx context.Context, c command.Git) error {
	known, err := checkedOut(ctx, c)
	if err != nil {
		return nil //nolint:nilerr // of a worktree that is broken nothing is known, and git says so
	}
	for _, name := range known {
		sub := inSubmodule(c, name)
		common := linkedTo(ctx, sub)
		if common == "" {
			continue
		}
		if err := EmptySubmodules(ctx, sub); err != nil {
			return err
		}
		if err := keepCommit(ctx, sub); err != nil {
			return err
		}
		if _, err := c.In(common).Run(ctx, "worktree", "remove", "--", sub.Dir); err != nil {
			return fmt.Errorf("empty the submodule %s: %w", sub.Dir, err)
		}
		if err := os.Mkdir(sub.Dir, 0o755); err != nil { // as git has it of one that is empty
			return err
		}
	}
	return nil
}

// keepCommit has a ref keep the commit that a submodule is at, where none does.
func keepCommit(ctx context.Context, c command.Git) error {
	commit, _, err := c.Head(ctx)
	if err != nil || commit == "" {
		return err
	}
	ref, err := c.Line(ctx, "for-each-ref", "--count=1", "--contains", commit, "--format=%(refname)")
	if err != nil || ref != "" {
		return err
	}
	_, err = c.Run(ctx, "update-ref", keptModule+commit, commit)
	return err
}

// keptModule is where the refs are that keep commits of submodules.
const keptModule = "refs/beckon/submodule/"
