package board

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// This file says on a card what is the matter with an agent's work: where it
// is when no commit has it, and what became of its folder.

// NotCommitted says why an agent's work was not committed, and where it is;
// nothing where it was. misplaced says that the task's worktree does not show its
// branch. Where git was cut short, the reason is what ended ctx.
func NotCommitted(ctx context.Context, err error, misplaced bool) *reason.Reason {
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	switch {
	case err == nil:
		return nil
	case misplaced:
		return reason.Of(reason.NothingCommitted).Because(beckon.ReasonOf(err))
	}
	return reason.Of(reason.NotCommitted).Because(beckon.ReasonOf(err))
}

// Elsewhere says that an agent worked in other worktrees than its task's, where its work is.
// Dirs are their folders; branch is what is checked out in the first, empty for none.
func Elsewhere(dirs []string, branch string) *reason.Reason {
	where := strings.ToValidUTF8(strings.Join(dirs[:min(len(dirs), 3)], ", "), "\uFFFD")
	if branch == "" {
		return reason.Of(reason.ElsewhereLoose, "dir", where)
	}
	return reason.Of(reason.Elsewhere, "dir", where, "branch", branch)
}

// FolderGone says that the folder of a project without git is gone.
func FolderGone(t beckon.Task) *reason.Reason {
	if t.Worktree == "" {
		return nil
	}
	if _, err := os.Lstat(t.Worktree); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return reason.Of(reason.FolderGone, "dir", t.Worktree)
}
