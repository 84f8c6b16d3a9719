package git

import (
	"context"
	"slices"

	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/spare"
	"beckon/backend/git/workdir"
)

// mustBeIdle refuses where a process works in the folder of w.
func mustBeIdle(w Worktree) error {
	by := spare.InUse(w.Dir)
	if by == "" {
		return nil
	}
	err := command.Conflict("a process works in the worktree (%s), so it stays: end it, or have it leave the folder, and try again", by)
	return problem.New(problem.WorktreeInUse, err, "by", by)
}

// everyChange lists what differs in a folder, with the files that git was asked to
// overlook.
func everyChange(ctx context.Context, c command.Git) ([]workdir.Entry, error) {
	entries, err := workdir.Changes(ctx, c)
	if err != nil {
		return nil, err
	}
	hidden, err := workdir.Overlooked(ctx, c)
	return append(entries, hidden...), err
}

// left is what is there of a worktree that goes.
type left struct {
	tip     string // the commit of its branch
	missing bool   // the folder
	branch  string // that goes too, if any
	staged  []string
}

// saveUnreached keeps the commits that no ref reaches and that only the records of
// the worktree w know, or those of its branch, where that goes too; and what was
// staged where that is in no commit. The folder may be missing.
func (r *Repo) saveUnreached(ctx context.Context, w Worktree, l left) error {
	c := r.in(w.Dir)
	parents, err := workdir.Unreached(ctx, r.at(), c, l.missing, l.branch)
	if err != nil {
		return err
	}
	if parents = append(parents, l.staged...); len(parents) == 0 {
		return nil
	}
	tree, err := r.at().Line(ctx, "rev-parse", l.tip+"^{tree}")
	if err != nil {
		return err
	}
	commit, err := workdir.CommitTree(ctx, r.at(), tree,
		"What no branch had of "+w.Branch+" when its worktree went", parents...)
	if err != nil {
		return err
	}
	return r.trash().SaveUnreached(ctx, w.Branch, commit)
}

// stagedOnly returns a commit of what is staged in l's folder, if the commit kept,
// which has the files as they are, has it otherwise.
func (r *Repo) stagedOnly(ctx context.Context, w Worktree, l loss, kept string) ([]string, error) {
	if !slices.ContainsFunc(l.entries, func(e workdir.Entry) bool { return e.Staged || e.Unmerged }) {
		return nil, nil
	}
	tree, err := workdir.Staged(ctx, r.in(w.Dir))
	if err != nil {
		return nil, err
	}
	if same, err := r.at().Line(ctx, "rev-parse", kept+"^{tree}"); err != nil || same == tree {
		return nil, err
	}
	commit, err := workdir.CommitTree(ctx, r.in(w.Dir), tree,
		"What was staged on "+w.Branch+" when it was discarded", l.head)
	return []string{commit}, err
}
