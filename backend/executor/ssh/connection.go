package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

const (
	// connectIn is how long a connection may take, beside what the user does.
	connectIn = 60 * time.Second
	// lookEvery is how often it is looked for meanwhile.
	lookEvery = 10 * time.Millisecond
)

// saidMost is how much is kept of the end of what ssh says.
const saidMost = 64 << 10

// sessionsMost is how many processes share a connection. An sshd lets ten, unless its
// MaxSessions says otherwise, and takes a moment to see that one has ended. Beyond what it
// lets, ssh makes a connection of its own, which cannot ask the user anything.
const sessionsMost = 8

// shares reports whether ssh can share a connection.
const shares = runtime.GOOS != "windows"

// connection is one to a host, which links share: a process of ssh that the
// supervisor ends with Beckon. Where ssh cannot share one, as on Windows, each link makes
// its own.
type connection struct {
	host  string
	dir   string // of its socket; empty where none is shared
	child *process.Child
	gone  chan struct{} // closed when the process is
	said  *process.Tail // on stderr; read only when gone
	door  *askpass.Door // where its ssh asks; nil where it may not
	once  sync.Once

	sessions int // that use it; guarded by the host's mu
}

// share starts the process that has the connection, and waits until it stands. It reports
// whether the host said no, so that trying again changes nothing.
func (h *Host) share(ctx context.Context) (c *connection, denied bool, err error) {
	c = &connection{host: h.name, gone: make(chan struct{}), said: &process.Tail{Most: saidMost}}
	if !shares {
		return c, false, nil
	}
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, false, errNoSSH
	}
	if c.dir, err = os.MkdirTemp("", "beckon-ssh"); err != nil { // a socket's path has room for a hundred bytes
		return nil, false, err
	}
	if h.askpass != "" {
		if c.door, err = h.asks.Listen(c.askSocket()); err != nil {
			return nil, false, errors.Join(err, os.RemoveAll(c.dir))
		}
	}
	if err := c.start(program, h); err != nil {
		c.end()
		return nil, false, err
	}
	if err := c.stand(ctx, h.asks, h.patience); err != nil {
		c.end()
		return nil, isDenied(c.said.String()), err
	}
	c.door.Close()
	return c, false, nil
}

// start starts the process.
func (c *connection) start(program string, of *Host) error {
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
	env, options := os.Environ(), c.options()
	if c.door != nil {
		env, options = append(env, askpass.Environ(of.askpass, c.askSocket())...), c.shared()
	}
	args := append([]string{"-N", "-o", "ControlMaster=yes"}, options...)
	child, err := process.Start(context.Background(), process.Spec{
		Path: program, Args: append(args, "--", c.host), Dir: os.TempDir(), Env: env, Supervisor: of.supervisor,
		Stdin: null, Stdout: w, Stderr: w,
	})
	if err != nil {
		r.Close()
		return fmt.Errorf("start ssh: %w", err)
	}
	c.child = child
	go func() {
		_, _ = io.Copy(c.said, r)
		r.Close()
		c.child.Wait()
		close(c.gone)
	}()
	return nil
}

func (c *connection) socket() string { return filepath.Join(c.dir, "s") }

func (c *connection) askSocket() string { return filepath.Join(c.dir, "a") }

// options are ssh's for a link, which asks nothing.
func (c *connection) options() []string {
	return append([]string{"-o", "BatchMode=yes"}, c.shared()...)
}

// shared are ssh's options for everything that goes to the host. The user's configuration
// says the rest.
func (c *connection) shared() []string {
	options := []string{
		"-T", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3",
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

// git is how git reaches the repository in a folder on the host.
func (c *connection) git(host, dir string) worker.Git {
	command := []string{"ssh", "-o", "ControlMaster=no"}
	for _, arg := range c.options() {
		command = append(command, helper.Quoted(arg))
	}
	u := url.URL{Scheme: "ssh", Host: host, Path: dir}
	if user, name, named := strings.Cut(host, "@"); named {
		u.User, u.Host = url.User(user), name
	}
	return worker.Git{Address: u.String(), Command: strings.Join(command, " "), Variant: "ssh"}
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
		c.door.Close()
		if c.dir != "" {
			_ = os.RemoveAll(c.dir)
		}
	})
}
