package helper

import (
	"errors"
	"io"
	"os/exec"
	"sync"
)

// link is a process, as what it carries.
type link struct {
	io.ReadCloser
	io.WriteCloser
	cmd  *exec.Cmd
	once sync.Once
}

// Open starts a process and returns its stdin and stdout. Closing them ends it.
func Open(cmd *exec.Cmd) (io.ReadWriteCloser, error) {
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

// Close ends the process.
func (l *link) Close() (err error) {
	l.once.Do(func() {
		_ = l.cmd.Process.Kill() // it fails only where it is gone
		err = errors.Join(l.WriteCloser.Close(), l.ReadCloser.Close())
		_ = l.cmd.Wait()
	})
	return err
}
