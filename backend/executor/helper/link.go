package helper

import (
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"

	"beckon/backend/agent/process"
)

// whyIn is how long a process whose output has ended may take to say how it ended.
const whyIn = time.Second

// link is a process, as what it carries.
type link struct {
	io.ReadCloser
	io.WriteCloser
	cmd  *exec.Cmd
	said *process.Tail // on stderr; read only when it has ended
	over func()        // called when it has ended; nil where nobody counts it
	// why returns why a process failed, by its exit code and what it said on stderr.
	why  func(code int, said string, err error) error
	once sync.Once

	waiting sync.Once
	ended   chan struct{} // closed when what follows is set
	failed  error         // how it ended
}

func open(cmd *exec.Cmd) (*link, error) {
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	l := &link{ReadCloser: stdout, WriteCloser: stdin, cmd: cmd, said: &process.Tail{Most: saidMost}, ended: make(chan struct{})}
	cmd.Stderr, cmd.WaitDelay = l.said, whyIn
	return l, cmd.Start()
}

// Read reads from its stdout. Where that ends because the process failed, the error says
// why.
func (l *link) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = l.end()
	}
	return n, err
}

// end returns why no more comes from the process.
func (l *link) end() error {
	l.wait()
	select {
	case <-l.ended:
	case <-time.After(whyIn):
		return io.EOF
	}
	if l.failed == nil || l.why == nil {
		return io.EOF
	}
	return l.why(l.cmd.ProcessState.ExitCode(), l.said.String(), l.failed)
}

// wait has the end of the process be noted. Nothing is read from it any more.
func (l *link) wait() {
	l.waiting.Do(func() {
		go func() {
			l.failed = l.cmd.Wait()
			close(l.ended)
			if l.over != nil {
				l.over()
			}
		}()
	})
}

// Close ends the process: at once, or by the end of its stdin where its end is counted, for
// killed it would be gone here before what it started is there.
func (l *link) Close() (err error) {
	l.once.Do(func() {
		if l.over == nil {
			l.kill()
			err = l.closePipes()
			l.wait()
			<-l.ended
			return
		}
		err = l.closePipes()
		late := time.AfterFunc(leavesIn, l.kill)
		l.wait()
		go func() {
			<-l.ended
			late.Stop()
		}()
	})
	return err
}

func (l *link) closePipes() error { return errors.Join(l.WriteCloser.Close(), l.ReadCloser.Close()) }

func (l *link) kill() { _ = l.cmd.Process.Kill() } // it fails only where it is gone
