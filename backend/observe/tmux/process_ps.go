//go:build !linux && !windows

package tmux

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"beckon/backend/observe/dialog"
)

// statusOf looks at a process as ps shows it.
func statusOf(pid int) (status, error) {
	ctx, stop := context.WithTimeout(context.Background(), callLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, "ps", "-o", "tty=,pgid=,tpgid=,state=,lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = []string{"PATH=/bin:/usr/bin", "LC_ALL=C"}
	out, err := cmd.Output()
	f := strings.Fields(string(out))
	if err != nil || len(f) < 5 {
		return status{}, dialog.Because(dialog.Gone)
	}
	tty, err := os.Stat("/dev/" + strings.TrimPrefix(f[0], "/dev/"))
	if err != nil || tty.Mode()&os.ModeCharDevice == 0 {
		return status{}, dialog.Because(dialog.NotInTmux)
	}
	front := f[1] == f[2] && !strings.HasPrefix(f[3], "T") && !strings.HasPrefix(f[3], "Z")
	return status{started: strings.Join(f[4:], " "), front: front, tty: tty}, nil
}
