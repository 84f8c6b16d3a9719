package tmux

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"strings"

	"beckon/backend/observe/dialog"
)

// Pane is the place where a session is drawn. Its methods fail once the session
// has left it, or is not in front there.
type Pane struct {
	server  server
	id      string // such as %3
	tty     string
	process Process
}

// ID tells panes apart, those of several servers too.
func (p *Pane) ID() string { return p.server.socket + " " + p.id }

// present makes sure that the process is the same, and in front of its terminal,
// which is the pane's: else what is typed would reach a shell.
func (p *Pane) present() error {
	now, err := statusOf(p.process.PID)
	if err != nil {
		return err
	}
	tty, err := os.Stat(p.tty)
	if err != nil || now.started != p.process.Started || !now.front || !os.SameFile(tty, now.tty) {
		return dialog.Because(dialog.Gone)
	}
	return nil
}

// paneState is asked for together with the screen, so that both are of one moment.
const paneState = "#{pane_id} #{pane_dead} #{pane_in_mode} #{pane_synchronized} #{pane_width} #{pane_height} #{pane_tty}"

// Screen returns what is visible.
func (p *Pane) Screen(ctx context.Context) (dialog.Screen, error) {
	if err := p.present(); err != nil {
		return dialog.Screen{}, err
	}
	out, err := p.server.run(ctx, "", "display-message", "-p", "-t", p.id, paneState, ";",
		"capture-pane", "-p", "-t", p.id, ";", "capture-pane", "-p", "-e", "-t", p.id)
	if err != nil {
		return dialog.Screen{}, err
	}
	state, both, _ := strings.Cut(out, "\n")
	f := strings.Fields(state)
	if len(f) != 7 || f[0] != p.id || f[1] != "0" || f[6] != p.tty {
		return dialog.Screen{}, dialog.Because(dialog.Gone)
	}
	width, _ := strconv.Atoi(f[4]) // 0 fits no screen
	height, _ := strconv.Atoi(f[5])
	lines := strings.Split(both, "\n")
	if len(lines) < 2*height {
		return dialog.Screen{}, dialog.Because(dialog.Unreachable)
	}
	return dialog.Screen{
		Text: strings.Join(lines[:height], "\n"), Bold: bold(lines[height : 2*height]),
		Width: width, Height: height, Mode: f[2] != "0", Synchronized: f[3] != "0",
	}, nil
}

// The server itself looks once more at how the pane stands when it gets a key, so
// that nobody can start copy mode between the last look and the key.
const (
	notReady = "#{||:#{pane_dead},#{||:#{pane_in_mode},#{pane_synchronized}}}"
	refused  = "refused"
)

// deliver runs a command of tmux if the pane takes keys. The command has nothing
// in it but what this package made.
func (p *Pane) deliver(ctx context.Context, command string) error {
	if err := p.present(); err != nil {
		return err
	}
	out, err := p.server.run(ctx, "", "if-shell", "-F", "-t", p.id, notReady, "display-message -p "+refused, command)
	if err != nil {
		return err
	}
	if strings.Contains(out, refused) {
		return dialog.Because(dialog.CopyMode)
	}
	return nil
}

// Key types one key, as tmux names it.
func (p *Pane) Key(ctx context.Context, key string) error {
	switch key {
	case dialog.KeyEnter, dialog.KeyTab, dialog.KeyEscape, dialog.KeyDown, dialog.KeyUp, dialog.KeyErase:
	default:
		if len(key) != 1 || key[0] < '1' || key[0] > '9' {
			return fmt.Errorf("no key is called %q", key)
		}
	}
	return p.deliver(ctx, "send-keys -t "+p.id+" "+key)
}

// Paste types a text as it is. It goes by a buffer of its own, never by an
// argument, which every process of the machine could read.
func (p *Pane) Paste(ctx context.Context, text string) error {
	buffer := "beckon-" + rand.Text()
	if _, err := p.server.run(ctx, text, "load-buffer", "-b", buffer, "-"); err != nil {
		return err
	}
	err := p.deliver(ctx, "paste-buffer -p -d -b "+buffer+" -t "+p.id)
	if err != nil {
		// Where it was pasted the buffer is gone.
		_, _ = p.server.run(context.WithoutCancel(ctx), "", "delete-buffer", "-b", buffer)
	}
	return err
}

// Show makes the pane the one that is seen in its session. It types nothing.
func (p *Pane) Show(ctx context.Context) error {
	_, err := p.server.run(ctx, "", "select-window", "-t", p.id, ";", "select-pane", "-t", p.id)
	return err
}
