package tmux

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"beckon/backend/observe/dialog"
)

// statusOf looks at a process.
func statusOf(pid int) (status, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return status{}, dialog.Because(dialog.Gone)
	}
	// The name is in brackets and may itself have some.
	_, rest, ok := strings.Cut(string(line[bytes.LastIndexByte(line, ')')+1:]), " ")
	f := strings.Fields(rest) // from the third field on, which is the state
	if !ok || len(f) < 20 || f[0] == "Z" || f[0] == "X" {
		return status{}, dialog.Because(dialog.Gone)
	}
	group, front := f[2], f[5]
	// The terminal as the process itself sees it, so that one of a container,
	// which has the same name, is not taken for ours.
	tty, err := os.Stat(fmt.Sprintf("/proc/%d/fd/0", pid))
	if err != nil || tty.Mode()&os.ModeCharDevice == 0 {
		return status{}, dialog.Because(dialog.NotInTmux)
	}
	return status{started: f[19], front: group == front && f[0] != "T" && f[0] != "t", tty: tty}, nil
}
