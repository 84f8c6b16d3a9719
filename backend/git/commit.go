package git

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/backend/plain"
)

// Subject makes a title the first line of a commit's message, which other tools show:
// nothing in it is hidden, or turns round what stands beside it. It may be empty.
func Subject(title string) string { return plain.Line(title, len(title)) }

// CommitAll commits what differs in the worktree, untracked files included
// and ignored ones not, on top of whatever the agent committed itself. The
// paths in except stay as they are in the last commit; repositories inside
// the worktree are left alone. It returns false where there is nothing to
// commit.
//
// It commits to the branch of w and to no other: where the folder is on
// another branch or on none, it returns *OtherBranchError, where the folder
// does not exist *WorktreeGoneError, and where the branch is gone an error
// that wraps ErrNotFound. In the middle of a merge or rebase, and where the
// folder is no worktree of the repository, the error wraps ErrConflict.
//
// Two calls for one worktree come one after the other.
func (r *Repo) CommitAll(
	ctx context.Context, w Worktree, message string, except []string,
) (commit string, ok bool, err error) {
	defer r.alone(w)()
	state, err := r.Status(ctx, w)
	if err == nil {
		err = state.Err()
	}
	if err != nil {
		return "", false, err
	}
	if halfFilled(w.Dir) {
		return "", false, fmt.Errorf("the files that were removed from %s are not all back: see whether the disk is full, and try again: %w", w.Dir, beckon.ErrConflict)
	}
	c := r.in(w.Dir)
	entries, err := workdir.Changes(ctx, c)
	if err != nil {
		return "", false, err
	}
	if err := stage(ctx, c, entries, except); err != nil {
		return "", false, err
	}
	tree, err := c.Line(ctx, "write-tree")
	if err != nil {
		return "", false, err
	}
	head, headTree, err := c.Head(ctx)
	if err != nil || tree == headTree {
		return "", false, err
	}
	if commit, err = workdir.CommitTree(ctx, c, tree, message, head); err != nil {
		return "", false, err
	}
	// The branch is named, for HEAD may lead to another one by now.
	if _, err := c.Run(ctx, "update-ref", "-m", "beckon: commit", "refs/heads/"+w.Branch, commit, head); err != nil {
		return "", false, err
	}
	return commit, true, nil
}

// stage brings the index to what the commit is to hold.
func stage(ctx context.Context, c command.Git, entries []workdir.Entry, except []string) error {
	var conflicted []workdir.Entry
	var undo strings.Builder
	add := slices.DeleteFunc(slices.Clone(entries), func(e workdir.Entry) bool {
		if e.Unmerged {
			conflicted = append(conflicted, e)
		}
		if !slices.Contains(except, e.Path) {
			return false
		}
		if e.Staged { // mode 000000 takes the path out of the index
			fmt.Fprintf(&undo, "%s %s\t%s\x00", e.HeadMode, e.HeadHash, e.Path)
		}
		return true
	})
	if len(conflicted) > 0 {
		return command.Conflict("the worktree has unresolved conflicts (%s)", workdir.Some(workdir.Paths(conflicted)))
	}
	if undo.Len() > 0 {
		c.Input = undo.String()
		if _, err := c.Run(ctx, "update-index", "-z", "--index-info"); err != nil {
			return err
		}
	}
	return workdir.AddPaths(ctx, c, add)
}
