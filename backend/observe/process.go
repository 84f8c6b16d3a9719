package observe

import (
	"bytes"
	"path/filepath"
	"strings"

	"beckon/backend/agent/process"
)

// This file reports whether the process that wrote a presence file still lives,
// and what its environment has: who started it, where its terminal is, where the
// CLI's files are. It reads, and signals nobody.

// ProcessClaim is which process a presence file says it is of.
type ProcessClaim struct {
	PID       int
	ProcStart string // as the kernel counts it; "" where the file does not say
	Started   int64  // Unix milliseconds, by the CLI's clock
	CWD       string
}

// Environment is the environment of another process, each variable ended by a NUL.
type Environment []byte

func (e Environment) lookup(name string) string {
	for pair := range bytes.SplitSeq(e, []byte{0}) {
		if value, ok := bytes.CutPrefix(pair, []byte(name+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// Ours reports whether Beckon started the process, or what started it.
func (e Environment) Ours() bool { return e.lookup(process.Mark) != "" }

// Tmux returns what the environment says of the terminal, as Pane reads it. It is
// inherited by all that was started there, so that it must be checked before use.
func (e Environment) Tmux() (socket, pane string) {
	return ProcessPane(e.lookup("TMUX"), e.lookup("TMUX_PANE"))
}

// ProcessPane returns what the variables TMUX and TMUX_PANE say: the server's socket and the
// pane, both empty where there is none.
func ProcessPane(server, pane string) (socket, id string) {
	socket, _, _ = strings.Cut(server, ",")
	if !filepath.IsAbs(socket) || !strings.HasPrefix(pane, "%") {
		return "", ""
	}
	return socket, pane
}

// rootVariable names the folder of the CLI's files.
const rootVariable = "CLAUDE_CONFIG_DIR"

// ProcessRoots lists the folders that this user's processes have in their
// environments. Those of Beckon's own agents are left out, which are read
// otherwise.
func ProcessRoots() []string {
	var roots []string
	environs(func(env []byte) bool {
		if bytes.Contains(env, []byte(rootVariable+"=")) {
			e := Environment(env)
			if root := e.lookup(rootVariable); filepath.IsAbs(root) && !e.Ours() {
				roots = append(roots, filepath.Clean(root))
			}
		}
		return true
	})
	return roots
}
