//go:build !windows

package tmux

import (
	"context"
	"os"
	"strings"

	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
)

// Find returns the pane in which a process is drawn, or a Refusal. The variables
// of the process only say where to look first: they are inherited by all that is
// started from a pane, also by what has a terminal of its own.
func Find(ctx context.Context, p Process) (*Pane, error) {
	bin, err := program()
	if err != nil {
		return nil, err
	}
	now, err := statusOf(p.PID)
	if err != nil {
		return nil, err
	}
	if p.Started != "" && comparableStarts && p.Started != now.started {
		return nil, dialog.Because(dialog.Gone) // another process has its number
	}
	p.Started = now.started
	if p.Socket == "" {
		p.Socket, _ = observe.EnvironmentOf(p.PID).Tmux()
	}
	var old error
	for _, socket := range sockets(p) {
		pane, err := searchServer(ctx, server{bin, socket}, p, now)
		if pane != nil {
			return pane, nil
		}
		if err != nil {
			old = err
		}
	}
	if old != nil {
		return nil, old
	}
	return nil, dialog.Because(dialog.NotInTmux)
}

// sockets lists the servers that may have the pane, the likeliest first.
func sockets(p Process) []string {
	var all []string
	if p.Socket != "" {
		all = append(all, p.Socket)
	}
	return append(all, ownSockets()...)
}

// searchServer looks for the pane whose terminal is the process's. An error says
// why its pane cannot be used.
func searchServer(ctx context.Context, s server, p Process, now status) (*Pane, error) {
	if !trusted(s.socket) {
		return nil, nil
	}
	out, err := s.run(ctx, "", "list-panes", "-a", "-F", "#{pane_id} #{pane_dead} #{pane_tty} #{version}")
	if err != nil {
		return nil, nil // a socket whose server is gone
	}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 3 || !isPane(f[0]) || f[1] == "1" {
			continue
		}
		tty, err := os.Stat(f[2])
		if err != nil || !os.SameFile(tty, now.tty) {
			continue
		}
		if len(f) < 4 || !recent(f[3]) {
			return nil, dialog.Because(dialog.OldTmux)
		}
		return &Pane{server: s, id: f[0], tty: f[2], process: p}, nil
	}
	return nil, nil
}

// isPane reports whether a text is the ID of a pane, such as %12.
func isPane(id string) bool {
	digits, ok := strings.CutPrefix(id, "%")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
