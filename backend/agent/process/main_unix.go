//go:build linux || darwin

package process

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a sweep goes on. What is left by then hangs in the
// kernel with its SIGKILL pending.
const patience = 10 * time.Second

// init makes a supervisor of a process that was started as one; it does not
// return then. It is no function for main to call because Go initialises
// packages in the order of their paths as soon as all that they import is
// ready: this one comes before the tables of SQLite and the rest, which would
// make each supervisor several megabytes heavier, and no program or test binary
// that starts a child can forget it and run amok.
func init() {
	what := os.Getenv(supervisorVar)
	if what == "" {
		return
	}
	// The child's PR_SET_PDEATHSIG is tied to the thread that forks it, which
	// must therefore live as long as the supervisor.
	runtime.LockOSThread()
	_ = os.Unsetenv(supervisorVar)
	attr := childAttr()
	if what == superviseLeader {
		attr.Setsid, attr.Setctty = true, true // Ctty is 0, the child's standard input
	}
	os.Exit(supervise(os.Args[1], os.Args[1:], attr))
}

// supervise is the whole life of the supervisor.
func supervise(path string, argv []string, attr *syscall.SysProcAttr) int {
	for _, ours := range []int{3, 4, 5} { // 5 is the tether, if there is one
		unix.CloseOnExec(ours)
	}
	orders, reports := os.NewFile(3, "orders"), os.NewFile(4, "reports")
	// Caught and not ignored: what is ignored stays so in the child.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGQUIT)
	below := plant()

	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: attr,
	})
	if err != nil {
		errno, _ := err.(syscall.Errno) //nolint:errorlint // ForkExec gives it bare.
		fmt.Fprintf(reports, "started 0 %d\n", errno)
		return 1
	}
	child, err := os.FindProcess(pid) // before it can be reaped: its pid is surely its own
	if err != nil {
		return 1
	}
	letGoOfStdio()
	fmt.Fprintf(reports, "started %d 0\n", pid)
	ws := below.attend(child, orders, signals)
	fmt.Fprintf(reports, "ended %d\n", ws)
	return 0
}

// letGoOfStdio gives up the child's standard files, so that their ends are
// seen when the child's own copies close.
func letGoOfStdio() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	for fd := range 3 {
		_ = dup2(int(null.Fd()), fd)
	}
}

// attend obeys orders until the child is gone, and then ends all that is
// left of its family.
func (t *tree) attend(child *os.Process, orders *os.File, signals <-chan os.Signal) syscall.WaitStatus {
	ended, gone := make(chan syscall.WaitStatus, 1), make(chan struct{})
	go reap(child.Pid, ended, gone)
	given := make(chan byte)
	go listen(orders, given)
	for {
		select {
		case o := <-given:
			if o == orderInterrupt {
				_ = child.Signal(os.Interrupt)
				continue
			}
			sweep(t.family, gone)
			return statusBy(ended)
		case <-signals:
			sweep(t.family, gone)
			return statusBy(ended)
		case ws := <-ended:
			sweep(t.family, gone)
			return ws
		}
	}
}

// statusBy returns how the child ended, or was to: one of root's, or one that hangs in the
// kernel, outlives a sweep.
func statusBy(ended <-chan syscall.WaitStatus) syscall.WaitStatus {
	select {
	case ws := <-ended:
		return ws
	default:
		return syscall.WaitStatus(syscall.SIGKILL)
	}
}

// listen passes orders on. Their end, which is the program's death, is the
// order to kill.
func listen(orders *os.File, given chan<- byte) {
	var o [1]byte
	for {
		if _, err := orders.Read(o[:]); err != nil {
			given <- orderKill
			return
		}
		given <- o[0]
	}
}

// reap takes in every child that ends, adopted orphans too, until none is
// left. It tells how the one with pid ended.
func reap(pid int, ended chan<- syscall.WaitStatus, gone chan<- struct{}) {
	for {
		var ws syscall.WaitStatus
		got, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD
			close(gone)
			return
		case got == pid:
			ended <- ws
		}
	}
}

// sweep kills what find finds until it finds nothing and gone is closed.
// It looks again and again since a process may fork while it is looked for.
func sweep(find func() []process, gone <-chan struct{}) {
	deadline := time.Now().Add(patience)
	for pause := time.Millisecond; time.Now().Before(deadline); pause = min(2*pause, 50*time.Millisecond) {
		found := find()
		for _, p := range found {
			p.kill()
		}
		if len(found) > 0 {
			time.Sleep(pause)
			continue
		}
		select {
		case <-gone:
			return
		case <-time.After(pause):
		}
	}
}

// alwaysGone is for sweeps whose finder is the only judge.
func alwaysGone() <-chan struct{} {
	gone := make(chan struct{})
	close(gone)
	return gone
}

// process is one that was seen: a pid may be another's a moment later, the
// pair of pid and start time never is.
type process struct {
	pid   int
	start uint64 // in the system's own unit
}

// kill kills p, unless its pid is another's by now. The handle is taken
// before the start time is compared, so that on Linux (pidfd) it is p's or
// useless.
func (p process) kill() {
	handle, err := os.FindProcess(p.pid)
	if err != nil {
		return
	}
	defer handle.Release() //nolint:errcheck // It never fails.
	if start, ok := startOf(p.pid); ok && start == p.start {
		_ = handle.Kill()
	}
}
