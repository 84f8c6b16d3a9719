package terminal

import (
	"slices"
	"strings"
)

// says is what a shell's environment says of its terminal.
var says = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "TERM_PROGRAM=Beckon"}

// ofAnother names what the terminal that Beckon was started in said of itself.
var ofAnother = []string{"TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "COLUMNS", "LINES", "TMUX", "TMUX_PANE", "STY", "WINDOWID", "VTE_VERSION", "PYTHONUNBUFFERED"}

// environ returns the environment of a program of a task as one in a terminal of Beckon's
// has it.
func environ(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(ofAnother, name)
	})
	return append(env, says...)
}
