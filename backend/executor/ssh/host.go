// Package ssh reaches other machines through the system's own ssh, with the user's
// configuration, keys, agents and jump hosts: Beckon reads nothing of them and writes
// nothing to them. Host keys are never switched off.
//
// Links to a host share connections, as many as its sshd lets. What runs there is one constant
// command; whatever it is to do travels on its stdin. Beckon's helper, a static program,
// is copied into Beckon's own folder there when it is missing, under the name of what it
// contains. The other machine's shell may greet, and be fish or csh.
package ssh

import (
	"context"
	"os/exec"
	"sync"
	"time"

	"beckon/backend/beckon/reason"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

// Config is what a Host works with.
type Config struct {
	// Name is what ssh calls it: a name of the user's configuration, or user@host.
	Name string
	Core helper.Core
	// Supervisor is the executable that ends the connection when Beckon dies; see package
	// supervisor.
	Supervisor string
	// Askpass is Beckon's program that asks the user what ssh asks; see package askpass.
	// Without it ssh asks nothing. Asked is called when what is asked changes.
	Askpass string
	Asked   func()
}

// Host is a machine. Its methods may be called from any goroutine.
type Host struct {
	helper.Shell

	name, supervisor, askpass string
	asks                      *askpass.Asks
	ctx                       context.Context // ends with Close
	cancel                    context.CancelFunc
	work                      sync.WaitGroup
	patience                  time.Duration // until a connection stands

	mu     sync.Mutex // guards what follows
	live   []*connection
	uses   map[*exec.Cmd]*connection // that carry a process
	making *making
	held   error // why none is made before Release
	closed bool
}

// New returns a machine that is reached when it is first used.
func New(c Config) *Host {
	h := &Host{name: c.Name, supervisor: c.Supervisor, askpass: c.Askpass, asks: askpass.New(c.Asked), patience: connectIn, uses: map[*exec.Cmd]*connection{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.Shell = helper.Shell{Name: c.Name, Core: c.Core, Command: h.command, Explain: func(said string, err error) error {
		return Explain(c.Name, said, err)
	}}
	if shares {
		h.Shell.Over = h.release
	}
	return h
}

// command returns a process of ssh's that has sh run a script there.
func (h *Host) command(ctx context.Context, script string) (*exec.Cmd, error) {
	c, err := h.connect(ctx, false)
	if err != nil {
		return nil, err
	}
	cmd, err := c.ssh(sh(script))
	if err != nil {
		h.leave(c)
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uses[cmd] = c
	return cmd, nil
}

// release makes the room of a process free that has ended.
func (h *Host) release(cmd *exec.Cmd) {
	h.mu.Lock()
	c, uses := h.uses[cmd]
	delete(h.uses, cmd)
	h.mu.Unlock()
	if uses {
		h.leave(c)
	}
}

// leave makes room on a connection that connect took.
func (h *Host) leave(c *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.sessions--
}

// Git is how git reaches the repository in a folder there.
func (h *Host) Git(ctx context.Context, dir string) (worker.Git, error) {
	c, err := h.connect(ctx, false)
	if err != nil {
		return worker.Git{}, err
	}
	way := c.git(h.name, dir)
	way.Over = func() { h.leave(c) }
	return way, nil
}

// Close ends the connections and all links.
func (h *Host) Close() {
	h.mu.Lock()
	live := h.live
	h.live, h.closed = nil, true
	h.mu.Unlock()
	h.cancel()
	for _, c := range live {
		h.work.Go(c.end)
	}
	h.work.Wait()
}

// sh returns the command that has sh run a script, whatever the login shell is: fish and
// csh take single quotes as it does. The script has none, and no exclamation mark, which
// csh looks for in them too.
func sh(script string) string { return "sh -c '" + script + "'" }

// errNoSSH is why nothing is reached where there is no ssh.
var errNoSSH = unreachable(reason.SSHMissing)
