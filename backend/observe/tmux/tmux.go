// Package tmux finds the tmux pane in which a process is drawn, reads its screen,
// types keys and texts into it, and brings it to the front. It promises that the
// process is in front of that very pane whenever a key goes there, and that the
// pane passes its keys to nobody else. It runs tmux with arguments, never through
// a shell, and knows nothing of what is on a screen: that is package dialog's.
package tmux

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"beckon/backend/observe/dialog"
)

// callLimit is how long one call of tmux may take; it takes a few milliseconds.
const callLimit = 3 * time.Second

// oldest is the first version of tmux whose formats and commands are used here.
const oldest = 3.0

// server is a tmux server, known by its socket.
type server struct{ program, socket string }

// run runs one command line of tmux, given as arguments and never through a
// shell, and returns what it prints. input is what it reads.
func (s server) run(ctx context.Context, input string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, callLimit)
	defer stop()
	// -u: else what is not ASCII is printed as underscores where Beckon was
	// started without a locale.
	cmd := exec.CommandContext(ctx, s.program, append([]string{"-u", "-S", s.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LC_ALL=C.UTF-8", "TERM=dumb"}
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		// What tmux says of it may hold what was typed.
		return "", errors.Join(dialog.Because(dialog.Unreachable), ctx.Err())
	}
	return out.String(), nil
}

// program finds tmux, also where a desktop's path leaves out what was installed
// for the terminal.
func program() (string, error) {
	for _, name := range []string{"tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux", "/opt/local/bin/tmux"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", dialog.Because(dialog.NoTmux)
}

// recent reports whether a version such as 3.3a or next-3.5 is new enough.
func recent(version string) bool {
	version = strings.TrimPrefix(version, "next-")
	if version == "master" {
		return true
	}
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		version = version[:end]
	}
	n, err := strconv.ParseFloat(version, 64)
	return err == nil && n >= oldest
}
