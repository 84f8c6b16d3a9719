// Package checkpoint reads what a worktree is at one moment, and makes it that again: the
// commit of its branch, its files and its index, without what git ignores. Nothing that git
// would not have is overwritten. The caller keeps the trees from git's clean-up and keeps
// others out of the worktree.
package checkpoint

import (
	"context"
	"slices"

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
