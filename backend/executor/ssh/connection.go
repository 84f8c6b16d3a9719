package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"beckon/backend/claude/supervisor"
	"beckon/backend/executor/worker"
	"beckon/backend/tail"
)

const (
	// connectIn is how long a connection may take, with what asks in between.
	connectIn = 60 * time.Second
	// lookEvery is how often it is looked for meanwhile.
	lookEvery = 10 * time.Millisecond
)

// saidMost is how much is kept of the end of what ssh says.
const saidMost = 64 << 10

// connection is one to a host, which all links share: a process of ssh that the
// supervisor ends with Beckon. Where ssh cannot share one, as on Windows, each link makes
// its own.
type connection struct {
	host  string
	dir   string // of its socket; empty where none is shared
	child *supervisor.Child
	gone  chan struct{} // closed when the process is
	said  *tail.Tail    // on stderr; read only when gone
	once  sync.Once
}

// connect returns the connection, and makes one where there is none.
func (h *Host) connect(ctx context.Context) (*connection, error) {
	h.connecting.Lock()
	defer h.connecting.Unlock()
	h.mu.Lock()
	live, closed := h.live, h.closed
	h.mu.Unlock()
	if closed {
		return nil, worker.Unreachable("Beckon is closing")
	}
	if live != nil && live.lives() {
		return live, nil
	}
	live.end()
	made, err := h.share(ctx)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		go made.end()
		return nil, worker.Unreachable("Beckon is closing")
	}
	h.live = made
	return made, nil
}

// share starts the process that has the connection, and waits until it stands.
func (h *Host) share(ctx context.Context) (*connection, error) {
	c := &connection{host: h.name, gone: make(chan struct{}), said: &tail.Tail{Most: saidMost}}
	if runtime.GOOS == "windows" {
		return c, nil
	}
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, errNoSSH
	}
	if c.dir, err = os.MkdirTemp("", "beckon-ssh"); err != nil { // a socket's path has room for a hundred bytes
		return nil, err
	}
	if err := c.start(program, h.supervisor); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	late := time.NewTimer(connectIn)
	defer late.Stop()
	for {
		if _, err := os.Lstat(c.socket()); err == nil {
			return c, nil
		}
		select {
		case <-time.After(lookEvery):
			continue
		case <-c.gone:
			err = Explain(h.name, c.said.String(), errors.New("no connection"))
		case <-late.C:
			err = worker.Unreachable(fmt.Sprintf("%s does not answer: no connection within %s", h.name, connectIn))
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		c.end()
		return nil, err
	}
}

// start starts the process.
func (c *connection) start(program, super string) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	args := append([]string{"-N", "-o", "ControlMaster=yes"}, c.options()...)
	c.child, err = supervisor.Start(context.Background(), supervisor.Spec{
		Path: program, Args: append(args, "--", c.host), Dir: os.TempDir(), Env: os.Environ(), Supervisor: super,
		Stdin: null, Stdout: w, Stderr: w,
	})
	if err != nil {
		r.Close()
		return fmt.Errorf("start ssh: %w", err)
	}
	go func() {
		_, _ = io.Copy(c.said, r)
		r.Close()
		c.child.Wait()
		close(c.gone)
	}()
	return nil
}

func (c *connection) socket() string { return filepath.Join(c.dir, "s") }

// options are ssh's for everything that goes to the host. The user's configuration says
// the rest.
func (c *connection) options() []string {
	options := []string{
		"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3",
		"-o", "ForwardAgent=no", "-o", "ForwardX11=no", "-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no", "-o", "RemoteCommand=none",
		"-o", "ControlPersist=no",
	}
	if c == nil || c.dir == "" {
		return append(options, "-o", "ControlPath=none")
	}
	return append(options, "-o", "ControlPath="+strings.ReplaceAll(c.socket(), "%", "%%"))
}

// ssh returns a process that runs a command there.
func (c *connection) ssh(command string) (*exec.Cmd, error) {
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, errNoSSH
	}
	args := append([]string{"-o", "ControlMaster=no"}, c.options()...)
	return exec.CommandContext(context.Background(), program, append(args, "--", c.host, command)...), nil // which the caller ends
}

func (c *connection) lives() bool {
	select {
	case <-c.gone:
		return false
	default:
		return true
	}
}

// end ends the connection and all links that use it.
func (c *connection) end() {
	if c == nil {
		return
	}
	c.once.Do(func() {
		if c.child != nil {
			_ = c.child.Kill() // it fails only where it is gone
			<-c.gone
		}
		if c.dir != "" {
			_ = os.RemoveAll(c.dir)
		}
	})
}
