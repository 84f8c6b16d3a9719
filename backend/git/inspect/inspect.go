// Package inspect looks at a folder before its user trusts it: which repository
// it is, where work could start from, and everything in it that would steer or
// run something. Nothing that is in the folder runs, only small plain files are
// opened, and a look ends within seconds.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// Found is what Folder sees.
type Found struct {
	// Dir is the repository's top-level folder, or the folder itself where
	// there is no repository; absolute, symbolic links resolved.
	Dir string
	Git bool // false: runs work in Dir itself, nothing can be merged or discarded
	// Branch is checked out in Dir; empty without git and on no branch.
	Branch string
	// Base is the branch proposed to start from: the one that origin calls its
	// main one, else main or master, else Branch.
	Base     string
	Branches []string // local ones, the newest commit first, at most 200
	// Brings lists what would run or steer something once the project is
	// trusted.
	Brings []beckon.Brought
}

// MaxBranches is how many branches Folder lists.
const MaxBranches = 200

// Deadline is how long a look may take. It ends before Beckon gives up
// waiting for the calls that are at work when it is quit.
const Deadline = 8 * time.Second

// Folder looks at the folder dir without running anything that is in it. It
// opens only small plain files, and it ends within seconds. The error wraps
// ErrInvalid where dir cannot be a project, and ErrConflict where it could be
// one if the user did what the error says.
func Folder(ctx context.Context, dir string) (Found, error) { return FolderWithin(ctx, Deadline, dir) }

// FolderWithin is Folder with another deadline.
func FolderWithin(ctx context.Context, deadline time.Duration, dir string) (Found, error) {
	limited, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	found, err := inspect(limited, dir)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return Found{}, command.Conflict("looking at %s took longer than %d seconds: something in it blocks git, or the disk is slow; "+
			"see whether git status ends there, and add it again", dir, int(deadline.Seconds()))
	}
	return found, err
}

func inspect(ctx context.Context, dir string) (Found, error) {
	dir, err := resolve(dir)
	if err != nil {
		return Found{}, err
	}
	if err := checkMetadata(ctx, dir); err != nil {
		return Found{}, err
	}
	top, err := topLevel(ctx, dir)
	if err != nil {
		return Found{}, err
	}
	if top == "" {
		files, err := bringsFiles(dir)
		return Found{Dir: dir, Branches: []string{}, Brings: files.list()}, err
	}
	c := command.Git{Dir: top}
	found := Found{Dir: top, Git: true}
	if found.Branch, err = c.Quiet(ctx, "symbolic-ref", "-q", "--short", "HEAD"); err != nil {
		return Found{}, err
	}
	found.Branches, err = branches(ctx, c)
	if err != nil {
		return Found{}, err
	}
	if len(found.Branches) == 0 {
		err := fmt.Errorf("the repository in %s has no branch with a commit yet, and a worktree can only start from one: "+
			"run git commit --allow-empty -m start there and add it again: %w", top, beckon.ErrConflict)
		return Found{}, problem.New(problem.NoCommit, err, "dir", top)
	}
	if found.Base, err = base(ctx, c, found); err != nil {
		return Found{}, err
	}
	found.Brings, err = brings(ctx, c)
	return found, err
}

// resolve returns dir as an absolute path without symbolic links.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", problem.New(problem.NoFolder, fmt.Errorf("there is no folder %s: %w", dir, beckon.ErrInvalid), "dir", dir)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", err, beckon.ErrInvalid)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", fmt.Errorf("%w: %w", err, beckon.ErrInvalid)
	}
	if !info.IsDir() {
		return "", problem.New(problem.NotFolder, fmt.Errorf("%s is not a folder: %w", dir, beckon.ErrInvalid), "dir", dir)
	}
	return abs, nil
}

// topLevel returns the top-level folder of the repository that dir is in, or
// nothing where it is in none.
func topLevel(ctx context.Context, dir string) (string, error) {
	c := command.Git{Dir: dir, Above: true}
	out, err := c.Line(ctx, "rev-parse", "--is-bare-repository", "--is-inside-work-tree")
	switch {
	case err == nil && strings.HasPrefix(out, "true"):
		err := fmt.Errorf("%s is a bare repository, with no files to work on: add a clone of it: %w", dir, beckon.ErrInvalid)
		return "", problem.New(problem.Bare, err, "dir", dir)
	case err == nil && strings.HasSuffix(out, "false"):
		err := fmt.Errorf("%s is inside a .git folder: add the folder above it: %w", dir, beckon.ErrInvalid)
		return "", problem.New(problem.InsideGit, err, "dir", dir)
	case err != nil && strings.Contains(err.Error(), "not a git repository (or any"):
		return "", nil
	case err != nil && errors.Is(err, beckon.ErrUnavailable):
		return "", err
	case err != nil && ctx.Err() == nil:
		return "", fmt.Errorf("git cannot read the repository in %s: %w: %w", dir, err, beckon.ErrConflict)
	case err != nil:
		return "", err
	}
	top, err := c.Line(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	return resolve(top)
}

// branches lists the local branches, the newest commit first.
func branches(ctx context.Context, c command.Git) ([]string, error) {
	out, err := c.Line(ctx, "for-each-ref", "--sort=-committerdate", "--count="+strconv.Itoa(MaxBranches),
		"--format=%(refname:lstrip=2)", "refs/heads/")
	if err != nil || out == "" {
		return []string{}, err
	}
	return strings.Split(out, "\n"), nil
}

// base proposes the branch that work starts from and is merged into: one that no other
// worktree has checked out, where there is such a branch, since nothing is merged into those.
func base(ctx context.Context, c command.Git, found Found) (string, error) {
	origin, err := c.Quiet(ctx, "symbolic-ref", "-q", "refs/remotes/origin/HEAD")
	if err != nil {
		return "", err
	}
	first := ""
	for _, name := range []string{strings.TrimPrefix(origin, "refs/remotes/origin/"), "main", "master", found.Branch} {
		commit, err := c.Branch(ctx, name)
		if err != nil {
			return "", err
		}
		if commit == "" {
			continue
		}
		dir, err := workdir.CheckedOut(ctx, c, name)
		if err != nil {
			return "", err
		}
		if dir == "" || look.Same(dir, found.Dir) {
			return name, nil
		}
		first = cmp.Or(first, name)
	}
	return cmp.Or(first, found.Branches[0]), nil
}
