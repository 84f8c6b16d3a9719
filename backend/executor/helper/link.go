package helper

import (
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"
)

// link is a process, as what it carries.
type link struct {
	io.ReadCloser
	io.WriteCloser
	cmd  *exec.Cmd
	over func() // called when it has ended; nil where nobody counts it
	once sync.Once
}

func open(cmd *exec.Cmd) (*link, error) {
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &link{ReadCloser: stdout, WriteCloser: stdin, cmd: cmd}, nil
}

// Close ends the process: at once, or by the end of its stdin where its end is counted, for
// killed it would be gone here before what it started is there.
func (l *link) Close() (err error) {
	l.once.Do(func() {
		if l.over == nil {
			l.kill()
			err = l.closePipes()
			_ = l.cmd.Wait()
			return
		}
		err = l.closePipes()
		late := time.AfterFunc(leavesIn, l.kill)
		go func() {
			_ = l.cmd.Wait()
			late.Stop()
			l.over()
		}()
	})
	return err
}

func (l *link) closePipes() error { return errors.Join(l.WriteCloser.Close(), l.ReadCloser.Close()) }

func (l *link) kill() { _ = l.cmd.Process.Kill() } // it fails only where it is gone
