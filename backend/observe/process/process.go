package observe

import (
	"bytes"
	"path/filepath"
	"strings"

	"beckon/backend/claude/supervisor"
)

// environment is the environment of another process, each variable ended by a NUL.
type environment []byte

func (e environment) lookup(name string) string {
	for pair := range bytes.SplitSeq(e, []byte{0}) {
		if value, ok := bytes.CutPrefix(pair, []byte(name+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// ours reports whether Beckon started the process, or what started it.
func (e environment) ours() bool { return e.lookup(supervisor.Mark) != "" }

func (e environment) terminal() Terminal {
	socket, _, _ := strings.Cut(e.lookup("TMUX"), ",")
	pane := e.lookup("TMUX_PANE")
	if !filepath.IsAbs(socket) || !strings.HasPrefix(pane, "%") {
		return Terminal{}
	}
	return Terminal{TmuxSocket: socket, TmuxPane: pane}
}

// rootVariable names the folder of the CLI's files.
const rootVariable = "CLAUDE_CONFIG_DIR"

// rootsInEnvironments lists the folders that this user's processes have in their
// environments.
func rootsInEnvironments() []string {
	var roots []string
	environs(func(env []byte) bool {
		if bytes.Contains(env, []byte(rootVariable+"=")) {
			if root := environment(env).lookup(rootVariable); filepath.IsAbs(root) {
				roots = append(roots, filepath.Clean(root))
			}
		}
		return true
	})
	return roots
}
