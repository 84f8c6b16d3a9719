// Package checkpoint reads what a worktree is at one moment, and makes it that again: the
// commit of its branch, its files and its index, without what git ignores. Nothing that git
// would not have is overwritten. The caller keeps the trees from git's clean-up and keeps
// others out of the worktree.
package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Read returns what the worktree in a folder is. A worktree in which a file is in conflict has
// no such state, nor one whose commit changes meanwhile: the error wraps beckon.ErrConflict.
func Read(ctx context.Context, folder command.Git) (s reviewing.WorkState, err error) {
	head, tree, err := folder.Head(ctx)
	if err != nil {
		return s, err
	}
	entries, err := workdir.Changes(ctx, folder)
	if err != nil {
		return s, err
	}
	s = reviewing.WorkState{Head: head, Tree: tree, Staged: tree}
	if slices.ContainsFunc(entries, func(e workdir.Entry) bool { return e.Unmerged }) {
		return s, command.Refuse(reason.Of(reason.WorktreeInTheMiddle, "dir", folder.Dir, "what", "merge"))
	}
	if len(entries) > 0 {
		if s.Tree, err = workdir.Snapshot(ctx, folder, entries); err != nil {
			return s, err
		}
	}
	if slices.ContainsFunc(entries, func(e workdir.Entry) bool { return e.Staged || e.Dropped }) {
		if s.Staged, err = workdir.Staged(ctx, folder); err != nil {
			return s, err
		}
	}
	after, _, err := folder.Head(ctx)
	if err == nil && (after != head || head == "") {
		err = command.Conflict("the commit of %s changed while it was read", folder.Dir)
	}
	return s, err
}

// Mover makes a worktree what it was at another moment.
type Mover struct {
	Repo, Folder command.Git
	Branch       string
	Step         func(name string) // called before each step; may be nil
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
// git ignores, or a repository inside of it, would be lost, or a file is hidden from git.
func (m Mover) Check(ctx context.Context, from, to reviewing.WorkState) error {
	hidden, err := workdir.Overlooked(ctx, m.Folder)
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		return command.Refuse(reason.Of(reason.RewindHidden, "files", workdir.Some(workdir.Paths(hidden))))
	}
	if there, err := m.Repo.Quiet(ctx, "rev-parse", "--verify", "--quiet", to.Head+"^{commit}"); err != nil || there == "" {
		if err == nil {
			err = command.Refuse(reason.Of(reason.CheckpointGone))
		}
		return err
	}
	all, err := changes(ctx, m.Repo, from.Tree, to.Tree)
	if err != nil {
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

// Move takes the worktree from one state to another. Died in the middle it has parts of both;
// called again, with what its files are by then as from, it goes on. The branch must be at
// one of both commits.
func (m Mover) Move(ctx context.Context, from, to reviewing.WorkState) error {
	all, err := changes(ctx, m.Repo, from.Tree, to.Tree)
	if err != nil {
		return err
	}
	var removed, written []string
	for _, c := range all {
		if c.removed {
			removed = append(removed, c.path)
		} else {
			written = append(written, c.path)
		}
	}
	at, _, err := m.Folder.Head(ctx)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"index", func() error { return m.readTree(ctx, to.Tree) }},
		{"remove", func() error { return m.remove(removed) }},
		{"write", func() error { return m.write(ctx, written) }},
		{"branch", func() error { return m.setBranch(ctx, at, to.Head) }},
		{"staged", func() error { return m.readTree(ctx, to.Staged) }},
	} {
		if m.Step != nil {
			m.Step(step.name)
		}
		if err := step.do(); err != nil {
			return err
		}
	}
	return m.verify(ctx, to)
}

// verify compares what the worktree is with what it should be.
func (m Mover) verify(ctx context.Context, want reviewing.WorkState) error {
	is, err := Read(ctx, m.Folder)
	if err == nil && is != want {
		err = command.Refuse(reason.Of(reason.RewindDiffers, "dir", m.Folder.Dir))
	}
	return err
}

// readTree makes a tree the index, whatever that was. No file changes.
func (m Mover) readTree(ctx context.Context, tree string) error {
	_, err := m.Folder.Run(ctx, "read-tree", "--reset", tree)
	return err
}

// setBranch moves the branch, unless somebody moved it meanwhile.
func (m Mover) setBranch(ctx context.Context, from, to string) error {
	if from == to {
		return nil
	}
	_, err := m.Repo.Run(ctx, "update-ref", "-m", "beckon: taken back to a decision", "refs/heads/"+m.Branch, to, from)
	return err
}

// remove removes files, and the folders that are empty then.
func (m Mover) remove(names []string) error {
	root, err := os.OpenRoot(m.Folder.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, name := range names {
		if err := root.Remove(filepath.FromSlash(name)); err != nil && !gone(root, name) {
			return err
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if root.Remove(filepath.FromSlash(dir)) != nil {
				break // it has something else
			}
		}
	}
	return nil
}

// gone reports whether no such file is there.
func gone(root *os.Root, name string) bool {
	_, err := root.Lstat(filepath.FromSlash(name))
	return err != nil
}

// write writes files as the index has them.
func (m Mover) write(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	c := m.Folder
	c.Input = strings.Join(names, "\x00") + "\x00"
	_, err := c.Run(ctx, "checkout-index", "--force", "--index", "-q", "-z", "--stdin")
	return err
}
