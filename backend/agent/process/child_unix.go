//go:build linux || darwin

package process

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// supervisorVar makes a process a supervisor, which takes it away. Its value says of what: any
// child, or one that leads the session of a terminal.
const (
	supervisorVar   = "BECKON_SUPERVISOR"
	superviseChild  = "1"
	superviseLeader = "terminal"
)

// The orders that a supervisor takes. The end of orders is one too: sweep.
const (
	orderInterrupt = 'i'
	orderKill      = 'k'
)

// Child is a running child. Its methods may be called from any goroutine.
type Child struct {
	pid    int
	mark   string
	orders *os.File
	done   chan struct{} // closed when status is set
	status Status
}

// Start starts a child. It returns when the child runs, or with the reason
// why it cannot; ctx limits only how long that may take.
func Start(ctx context.Context, s Spec) (*Child, error) {
	path, err := executable(s.Path)
	if err != nil {
		return nil, err
	}
	ordersRead, orders, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ordersRead.Close()
	reports, reportsWrite, err := os.Pipe()
	if err != nil {
		orders.Close()
		return nil, err
	}
	defer reportsWrite.Close()

	c := &Child{mark: rand.Text(), orders: orders, done: make(chan struct{})}
	cmd := command(s, path, c.mark)
	cmd.ExtraFiles = append([]*os.File{ordersRead, reportsWrite}, s.Tether.held()...)
	if err = sealInherited(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		orders.Close()
		reports.Close()
		return nil, fmt.Errorf("start supervisor: %w", err)
	}
	reportsWrite.Close()
	return c.begin(ctx, cmd, reports)
}

func executable(path string) (string, error) {
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

func command(s Spec, path, mark string) *exec.Cmd {
	what := superviseChild
	if s.leads {
		what = superviseLeader
	}
	return &exec.Cmd{
		Path:        cmp.Or(s.Supervisor, self()),
		Args:        append([]string{"beckon-supervisor", path}, s.Args...),
		Dir:         s.Dir,
		Env:         append(s.Env[:len(s.Env):len(s.Env)], Mark+"="+mark, supervisorVar+"="+what),
		Stdin:       s.Stdin,
		Stdout:      s.Stdout,
		Stderr:      s.Stderr,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
}

// begin waits for the supervisor's first report and then leaves the rest to
// follow.
func (c *Child) begin(ctx context.Context, cmd *exec.Cmd, reports *os.File) (*Child, error) {
	r := bufio.NewReader(reports)
	var errno syscall.Errno
	hurry := context.AfterFunc(ctx, func() { _ = reports.SetReadDeadline(time.Now()) })
	_, err := fmt.Fscanf(r, "started %d %d\n", &c.pid, &errno)
	if !hurry() {
		err = context.Cause(ctx)
		go c.discard(cmd, reports)
		return nil, err
	}
	if err == nil && errno == 0 {
		go c.follow(cmd, reports, r)
		return c, nil
	}
	c.orders.Close()
	reports.Close()
	if wait := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("supervisor ended early: %w", errors.Join(err, wait))
	}
	return nil, &os.PathError{Op: "exec", Path: cmd.Args[1], Err: errno}
}

// discard ends a supervisor that took too long to start its child, and the child
// where there is one by now. Its own goroutine does: a program on a dead
// network drive cannot even be killed before the drive is back.
func (c *Child) discard(cmd *exec.Cmd, reports io.Closer) {
	c.orders.Close()
	reports.Close()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	sweep(func() []process { return marked(c.mark) }, alwaysGone())
}

// follow waits for the supervisor's last report and its end. A supervisor that
// ended without one was killed: the child died with it, and what the child
// had started is swept from here.
func (c *Child) follow(cmd *exec.Cmd, reports io.ReadCloser, r *bufio.Reader) {
	var ws syscall.WaitStatus
	_, err := fmt.Fscanf(r, "ended %d\n", &ws)
	reports.Close()
	_ = cmd.Wait() // its exit says nothing that the report does not
	c.orders.Close()
	if err != nil {
		ws = syscall.WaitStatus(syscall.SIGKILL)
		sweep(func() []process { return marked(c.mark) }, alwaysGone())
	}
	c.status = statusOf(ws)
	close(c.done)
}

func statusOf(ws syscall.WaitStatus) Status {
	if ws.Signaled() {
		return Status{Code: -1, Signal: ws.Signal().String()}
	}
	return Status{Code: ws.ExitStatus()}
}

// PID is the child's process id, good for showing only: it may be another's
// by the time it is used.
func (c *Child) PID() int { return c.pid }

// Interrupt sends the child, and nobody else, SIGINT.
func (c *Child) Interrupt() error { return c.order(orderInterrupt) }

// Kill kills the child and all that it started.
func (c *Child) Kill() error { return c.order(orderKill) }

func (c *Child) order(o byte) error {
	if _, err := c.orders.Write([]byte{o}); err != nil {
		return os.ErrProcessDone
	}
	return nil
}

// Wait waits until the child and all that it started are gone.
func (c *Child) Wait() Status {
	<-c.done
	return c.status
}
