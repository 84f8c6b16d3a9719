// Package trouble says on a card what is the matter with an agent's work: where it
// is when no commit has it, and what became of its folder.
package trouble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// NotCommitted says why an agent's work was not committed, and where it is;
// nothing where it was. Where git was cut short, that is what ended ctx.
func NotCommitted(ctx context.Context, err error) string {
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var elsewhere *git.OtherBranchError
	var gone *git.WorktreeGoneError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &elsewhere), errors.As(err, &gone):
		return fmt.Sprintf("Nothing was committed: %v.", err)
	}
	return fmt.Sprintf("The work is in the worktree, but not committed: %v", err)
}

// Strayed says that an agent's work is not where the task's branch is, by the state
// of its worktree.
func Strayed(ctx context.Context, state git.State) string {
	if state.Condition != git.Switched && state.Condition != git.Missing {
		return ""
	}
	return NotCommitted(ctx, state.Err())
}

// FolderGone says that the folder of a project without git is gone.
func FolderGone(t beckon.Task) string {
	if t.Worktree == "" {
		return ""
	}
	if _, err := os.Lstat(t.Worktree); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return fmt.Sprintf("The project's folder %s is gone, and with it what the agent did there. Bring the folder back, or remove the project.", t.Worktree)
}
