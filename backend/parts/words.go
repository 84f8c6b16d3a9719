package parts

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// Room is where an agent works besides its task's own worktree.
type Room struct {
	Dir   string // holds the worktrees of the other repositories; empty: the project has none
	Words string // for the agent: each repository with its folder and its branch
}

// Room returns that of a task. Open names the tool that opens a repository, as its agent knows
// it; empty for an agent without.
func (p *Parts) Room(ctx context.Context, taskID, open string) (Room, error) {
	t, err := p.Cards.Task(ctx, taskID)
	if err != nil {
		return Room{}, err
	}
	project, err := p.Cards.Project(ctx, t.ProjectID)
	if err != nil {
		return Room{}, err
	}
	pieces, err := p.All(ctx, t, project)
	if err != nil || len(pieces) == 1 {
		return Room{}, err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Repositories\n\nThis task works in several repositories, each in a worktree of its own:\n\n- %s, where you are: %s, branch %s\n",
		plain.Line(project.Name, 200), t.Worktree, t.Branch)
	closed := false
	for _, one := range pieces[:len(pieces)-1] {
		switch {
		case one.Task.Branch != "" && Gone(one.Task.Worktree) == nil:
			fmt.Fprintf(&text, "- %s: %s, branch %s\n", one.Name, one.Task.Worktree, one.Task.Branch)
		case Gone(one.Project.Dir) != nil:
			fmt.Fprintf(&text, "- %s: not there at the moment\n", one.Name)
		default:
			closed = true
			fmt.Fprintf(&text, "- %s: not opened yet, will be %s\n", one.Name, filepath.Join(p.Beside(t), one.Name))
		}
	}
	text.WriteString("\nChange files in these folders only. What you change in each is reviewed and merged together.")
	if closed && open != "" {
		fmt.Fprintf(&text, " Before you need one that is not opened yet, call the tool %s with its name.", open)
	} else if closed {
		text.WriteString(" The user can open one that is not opened yet: ask for it.")
	}
	return Room{p.Beside(t), text.String()}, nil
}

// HasClosed reports whether a task may have to open a repository of its project.
func HasClosed(p beckon.Project) bool {
	for _, r := range p.Repositories {
		if !r.FromStart {
			return true
		}
	}
	return false
}
