package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Mover makes a worktree what it was at another moment.
type Mover struct {
	Repo, Folder command.Git
	Branch       string
	Step         func(name string) // called before each step; may be nil
	// Since is when this Beckon began: a lock of git's index that is older was left by one that died.
	Since time.Time
}

// change is a path that differs between two trees.
type change struct {
	path           string
	added, removed bool
	link           bool // it is a repository of its own on one side
}

// changes lists what differs between two trees.
func changes(ctx context.Context, c command.Git, from, to string) (all []change, err error) {
	fields, err := c.List(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", from, to)
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(fields); i += 2 {
		about := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(about) != 5 {
			return nil, fmt.Errorf("git says %.100q of what differs, which is unknown", fields[i])
		}
		const nothing, link = "000000", "160000"
		all = append(all, change{
			path: fields[i+1], added: about[0] == nothing, removed: about[1] == nothing,
			link: about[0] == link || about[1] == link,
		})
	}
	return all, nil
}

// Check returns why the worktree cannot be taken from one state to another, if so: a file that
// git ignores, or may have ignored then, or a repository inside of it, would be lost, a file is
// hidden from git, or git is at work there. The files of the tree ours, which may be empty, were
// written by an earlier Move, and none of them was there before.
func (m Mover) Check(ctx context.Context, from, to reviewing.WorkState, ours string) error {
	gitDir, err := m.Folder.GitDir(ctx)
	if err == nil {
		err = lockIn(gitDir).check()
	}
	if err != nil {
		return err
	}
	hidden, err := workdir.Overlooked(ctx, m.Folder)
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		return command.Refuse(reason.Of(reason.RewindHidden, "files", workdir.Some(workdir.Paths(hidden))))
	}
	for _, object := range []string{to.Head + "^{commit}", to.Tree + "^{tree}", to.Staged + "^{tree}"} {
		if there, err := m.Repo.Quiet(ctx, "rev-parse", "--verify", "--quiet", object); err != nil || there == "" {
			return cmp.Or(err, command.Refuse(reason.Of(reason.CheckpointGone)))
		}
	}
	all, err := changes(ctx, m.Repo, from.Tree, to.Tree)
	if err == nil {
		err = m.checkSparse(ctx, all, from, to)
	}
	if err != nil {
		return err
	}
	if err := m.checkAside(all); err != nil {
		return err
	}
	var added, removed, links []string
	for _, c := range all {
		switch {
		case c.link:
			links = append(links, c.path)
		case c.added:
			added = append(added, c.path)
		case c.removed:
			removed = append(removed, c.path)
		}
	}
	nested, err := workdir.NestedRepos(ctx, m.Repo, m.Folder.Dir)
	if err != nil {
		return err
	}
	if links = append(links, nested...); len(links) > 0 {
		return command.Refuse(reason.Of(reason.RewindNested, "files", workdir.Some(links)))
	}
	if err := m.checkIgnored(ctx, to.Tree, ours, removed); err != nil {
		return err
	}
	var occupied []string
	for _, o := range workdir.Occupied(m.Folder.Dir, added, removed) {
		if !m.makesRoom(o.At, removed) {
			occupied = append(occupied, o.At)
		}
	}
	if len(occupied) > 0 {
		return command.Refuse(reason.Of(reason.RewindIgnored, "files", workdir.Some(occupied)))
	}
	return nil
}

// checkAside refuses where the folder's name is taken in which files are meanwhile.
func (m Mover) checkAside(all []change) error {
	_, err := os.Lstat(filepath.Join(m.Folder.Dir, asideDir))
	taken := !errors.Is(err, fs.ErrNotExist)
	for _, c := range all {
		taken = taken || c.path == asideDir || strings.HasPrefix(c.path, asideDir+"/")
	}
	if taken {
		return command.Refuse(reason.Of(reason.RewindAside, "dir", filepath.Join(m.Folder.Dir, asideDir)))
	}
	return nil
}

// makesRoom reports whether a folder has nothing but files that are removed.
func (m Mover) makesRoom(folder string, removed []string) bool {
	info, err := os.Lstat(filepath.Join(m.Folder.Dir, filepath.FromSlash(folder)))
	if err != nil || !info.IsDir() {
		return false
	}
	root := filepath.Join(m.Folder.Dir, filepath.FromSlash(folder))
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(m.Folder.Dir, name)
		if err == nil && !slices.Contains(removed, filepath.ToSlash(below)) {
			err = fs.ErrExist
		}
		return err
	}) == nil
}

// checkSparse refuses where git keeps a file out of the folder (skip-worktree) that differs
// between two states: it would be written although nobody wants it there.
func (m Mover) checkSparse(ctx context.Context, all []change, from, to reviewing.WorkState) error {
	lines, err := m.Folder.List(ctx, "ls-files", "-v", "-z")
	if err != nil {
		return err
	}
	out := map[string]bool{}
	for _, line := range lines {
		if tag, name, _ := strings.Cut(line, " "); strings.EqualFold(tag, "s") {
			out[name] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	staged, err := changes(ctx, m.Repo, from.Staged, to.Staged)
	if err != nil {
		return err
	}
	var kept []string
	for _, c := range slices.Concat(all, staged) {
		if out[c.path] && !slices.Contains(kept, c.path) {
			kept = append(kept, c.path)
		}
	}
	if len(kept) > 0 {
		return command.Refuse(reason.Of(reason.RewindSparse, "files", workdir.Some(kept)))
	}
	return nil
}
