package checkpoint

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// Left puts right what a Move left that died: its lock of the index, and files that it had taken
// out of the way. Nobody else may move the worktree.
func (m Mover) Left(ctx context.Context) error {
	gitDir, err := m.Folder.GitDir(ctx)
	if err == nil {
		err = lockIn(gitDir).left(m)
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(m.Folder.Dir)
	if err != nil {
		return err
	}
	return errors.Join(aside{root}.back(), root.Close())
}

// Move takes the worktree from one state to another. Died in the middle it has parts of both;
// called again, after Left and with what its files are by then as from, it goes on. The branch
// must be at one of both commits. A file that somebody edits or makes meanwhile is not
// overwritten: the error names it. Where it is not touched, nothing has changed.
func (m Mover) Move(ctx context.Context, from, to reviewing.WorkState) (touched bool, err error) {
	all, err := changes(ctx, m.Repo, from.Tree, to.Tree)
	if err != nil {
		return false, err
	}
	at, _, err := m.Folder.Head(ctx)
	if err != nil {
		return false, err
	}
	gitDir, err := m.Folder.GitDir(ctx)
	if err != nil {
		return false, err
	}
	root, err := os.OpenRoot(m.Folder.Dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	held := lockIn(gitDir)
	if err := held.take(); err != nil {
		return false, err
	}
	move := moving{Mover: m, lock: held, aside: aside{root}, at: at, from: from, to: to}
	for _, c := range all {
		if c.removed {
			move.removed = append(move.removed, c.path)
		} else {
			move.written = append(move.written, c.path)
		}
	}
	if err := workdir.WithIndex(ctx, m.Folder, func(c command.Git) error { return move.run(ctx, c) }); err != nil {
		return move.touched, err
	}
	return true, m.verify(ctx, to)
}

// moving is a Move under way.
type moving struct {
	Mover
	lock             lock
	aside            aside
	at               string // the commit of the branch
	from, to         reviewing.WorkState
	removed, written []string
	touched, free    bool // whether a file changed, and whether the lock is free again
}

// run does the steps. Git works on the index of c, which takes the place of the worktree's at the end.
func (m *moving) run(ctx context.Context, c command.Git) (err error) {
	were, err := m.aside.prints(slices.Concat(m.removed, m.written))
	if err == nil {
		err = m.same(ctx)
	}
	if err != nil {
		return errors.Join(err, m.lock.free())
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"remove", func() error { return m.aside.take(were) }},
		{"index", func() error { return readTree(ctx, c, m.to.Tree) }},
		{"write", func() error {
			m.touched = true
			m.aside.tidy(m.removed, m.written)
			return write(ctx, c, m.written)
		}},
		{"branch", func() error { return m.setBranch(ctx, m.at, m.to.Head) }},
		{"staged", func() error {
			if err := readTree(ctx, c, m.to.Staged); err != nil {
				return err
			}
			m.free = true
			return m.lock.install(c.Index)
		}},
	} {
		if m.Step != nil {
			m.Step(step.name)
		}
		if err = step.do(); err != nil {
			break
		}
	}
	if err == nil {
		return m.aside.drop()
	}
	if back := m.aside.back(); back != nil {
		m.touched, err = true, errors.Join(err, back)
	}
	if !m.free {
		err = errors.Join(err, m.lock.free())
	}
	return err
}

// same refuses where somebody edited the worktree since it was read.
func (m *moving) same(ctx context.Context) error {
	is, err := Read(ctx, m.Folder)
	if err != nil || is == m.from {
		return err
	}
	edited, err := changes(ctx, m.Repo, m.from.Tree, is.Tree)
	if err != nil {
		return err
	}
	names := []string{}
	for _, c := range edited {
		names = append(names, c.path)
	}
	if len(names) == 0 { // what is staged or committed differs
		return command.Refuse(reason.Of(reason.RewindMoved, "dir", m.Folder.Dir))
	}
	return command.Refuse(reason.Of(reason.RewindEdited, "files", workdir.Some(names)))
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
func readTree(ctx context.Context, c command.Git, tree string) error {
	_, err := c.Run(ctx, "read-tree", "--reset", tree)
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

// write writes files as the index has them, where nothing is.
func write(ctx context.Context, c command.Git, names []string) error {
	if len(names) == 0 {
		return nil
	}
	c.Input = strings.Join(names, "\x00") + "\x00"
	_, err := c.Run(ctx, "checkout-index", "--index", "-q", "-z", "--stdin")
	return err
}
