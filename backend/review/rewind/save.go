package rewind

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/backend/store/checkpoints"
)

// This file keeps what is in a worktree under branches before it is taken back.

// mostBranches is how many branches of one name there may be, with a number behind it.
const mostBranches = 1000

// save keeps what is there under a new branch, and returns its name, which has a number behind it
// where that is taken; none where the worktree is to stay as it is.
func (r *Rewinder) save(ctx context.Context, at place, is, next reviewing.WorkState, name string) (string, error) {
	if is == next {
		return "", nil
	}
	commit, err := commitOf(ctx, at, is)
	if err != nil {
		return "", err
	}
	branch, err := freeBranch(ctx, at, name)
	if err == nil {
		_, err = at.mover.Repo.Run(ctx, "update-ref", "-m", "beckon: before it was taken back", "refs/heads/"+branch, commit, "")
	}
	return branch, err
}

// freeBranch returns a name that no branch has, with a number behind it where it must.
func freeBranch(ctx context.Context, at place, name string) (string, error) {
	for n := 1; n <= mostBranches; n++ {
		branch := name
		if n > 1 {
			branch += "-" + strconv.Itoa(n)
		}
		there, err := at.mover.Repo.Branch(ctx, branch)
		if err != nil || there == "" {
			return branch, err
		}
	}
	return "", command.Conflict("there are %d branches %s-…: delete those that you do not need", mostBranches, name)
}

// commitOf returns a commit with the files of a state: the one that it is at, or one on top.
func commitOf(ctx context.Context, at place, is reviewing.WorkState) (string, error) {
	tree, err := at.mover.Repo.Line(ctx, "rev-parse", "--verify", is.Head+"^{tree}")
	if err != nil || tree == is.Tree {
		return is.Head, err
	}
	return workdir.CommitTree(ctx, at.mover.Folder, is.Tree, "What was not committed on "+at.task.Branch+" when it was taken back", is.Head)
}

// unsave removes the branch of a rewind of which nothing came, unless somebody moved it.
func (r *Rewinder) unsave(ctx context.Context, at place, w checkpoints.Rewind) error {
	if w.Branch == "" {
		return nil
	}
	tip, err := at.mover.Repo.Branch(ctx, w.Branch)
	if err != nil || tip == "" {
		return err
	}
	tree, err := at.mover.Repo.Line(ctx, "rev-parse", "--verify", tip+"^{tree}")
	if err != nil || tree != w.Before.Tree {
		return err
	}
	_, err = at.mover.Repo.Run(ctx, "update-ref", "-d", "refs/heads/"+w.Branch, tip)
	return err
}

// saveStrays keeps what is in a worktree that was left half taken back and is on neither side of
// that: somebody edited it since. It returns the branch, empty for none.
func (r *Rewinder) saveStrays(ctx context.Context, at place, w checkpoints.Rewind, is reviewing.WorkState) (branch string, err error) {
	if is.Tree == w.Before.Tree || is.Tree == w.After.Tree {
		return "", nil
	}
	before, err := differing(ctx, at.mover.Repo, is.Tree, w.Before.Tree)
	if err != nil {
		return "", err
	}
	after, err := differing(ctx, at.mover.Repo, is.Tree, w.After.Tree)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(before, func(name string) bool { return slices.Contains(after, name) }) {
		return "", nil
	}
	return r.save(ctx, at, is, w.Before.WorkState, at.task.Branch+"-interrupted")
}

func differing(ctx context.Context, c command.Git, from, to string) ([]string, error) {
	return c.List(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to)
}

// baseAt returns the commit that a task's branch grew from where it is at head: that may be
// older than what the branch took from its base since.
func (r *Rewinder) baseAt(ctx context.Context, at place, head string) (string, error) {
	base := at.task.BaseCommit
	if base == "" {
		return "", nil
	}
	shared, err := at.mover.Repo.Quiet(ctx, "merge-base", base, head)
	if err != nil {
		return "", fmt.Errorf("find what %s grew from: %w", at.task.Branch, err)
	}
	if shared = strings.TrimSpace(shared); shared == "" {
		return base, nil
	}
	return shared, nil
}
