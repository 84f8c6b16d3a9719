package board

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"beckon/backend/beckon"
)

// This file says on a card what is the matter with an agent's work: where it
// is when no commit has it, and what became of its folder.

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

// Elsewhere says that an agent worked in other worktrees than its task's, where its work is.
// Dirs are their folders; branch is what is checked out in the first, empty for none.
func Elsewhere(dirs []string, branch string) string {
	where := strings.ToValidUTF8(strings.Join(dirs[:min(len(dirs), 3)], ", "), "\uFFFD")
	if branch == "" {
		return fmt.Sprintf("The agent also worked in %s, which is not this task's worktree. What it did there is kept there, and is not part of this task.", where)
	}
	return fmt.Sprintf("The agent also worked in %s, which is not this task's worktree. What it did there is kept there, and is not part of this task. To take it in, commit it there, then run git merge %s in the task's worktree.", where, branch)
}

// MadeAgain says that the folder of a task was removed under its agent.
const MadeAgain = "The worktree was removed while the agent worked, and with it what no commit had. Its files are back as its branch has them, with what the agent wrote since."

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
