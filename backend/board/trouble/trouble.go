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
)

// NotCommitted says why an agent's work was not committed, and where it is;
// nothing where it was. misplaced says that the task's worktree does not show its
// branch. Where git was cut short, the reason is what ended ctx.
func NotCommitted(ctx context.Context, err error, misplaced bool) string {
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	switch {
	case err == nil:
		return ""
	case misplaced:
		return fmt.Sprintf("Nothing was committed: %v.", err)
	}
	return fmt.Sprintf("The work is in the worktree, but not committed: %v", err)
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
