package scripts

import (
	"context"
	"os"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// portVariable is the variable that has the first of a task's ports.
const portVariable = "BECKON_PORT"

// Environ is what a program that the user starts in a task's worktree has in its environment:
// the same as a command.
func (s *Scripts) Environ(ctx context.Context, t beckon.Task, p beckon.Project) ([]string, error) {
	port, err := s.Ports.Of(ctx, t.ID)
	return environ(os.Environ(), t, p, port), err
}

// environ is what a command has in its environment: what the user's programs have,
// without what is Beckon's own or tells a claude that another one started it, and
// where it runs. Python keeps back what it prints where no terminal reads that, unless this
// is set: the address of its server would not come.
func environ(parent []string, t beckon.Task, p beckon.Project, port string) []string {
	env := slices.DeleteFunc(slices.Clone(parent), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return strings.HasPrefix(name, "BECKON_") || strings.HasPrefix(name, "CLAUDE_CODE_") || name == "CLAUDECODE"
	})
	return append(append([]string{"PYTHONUNBUFFERED=1"}, env...),
		"BECKON_TASK="+t.Key, "BECKON_BRANCH="+t.Branch, "BECKON_BASE="+t.Base,
		"BECKON_PROJECT="+p.Dir, "BECKON_WORKTREE="+t.Worktree, portVariable+"="+port)
}

// known reports whether a task could have a command of that kind: both become part
// of a path.
func known(taskID string, kind beckon.ScriptKind) bool {
	return slices.Contains(beckon.ScriptKinds, kind) && taskID != "" &&
		!strings.ContainsFunc(taskID, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') })
}
