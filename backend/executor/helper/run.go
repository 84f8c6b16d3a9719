package helper

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"beckon/backend/tail"
)

const (
	// saidMost is how much is kept of the end of what a process says on stderr.
	saidMost = 64 << 10
	// outlivedIn is how long what a process started may have its output open after it.
	outlivedIn = 5 * time.Second
)

// ErrEndless is why a process was ended that prints too much.
var ErrEndless = errors.New("it says too much")

// Run runs a process, which ctx ends, and returns what it prints and the end of what it
// says on stderr. Where ctx has ended, the error is its cause.
func Run(ctx context.Context, cmd *exec.Cmd, stdin io.Reader, most int) (printed []byte, said string, err error) {
	var out bytes.Buffer
	errs := tail.Tail{Most: saidMost}
	words := &limited{&out, most}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdin, words, &errs, outlivedIn
	if err = cmd.Start(); err == nil {
		stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // it fails only where it is gone
		err = cmd.Wait()
		stop()
	}
	switch {
	case words.left < 0: // it ended for that
		err = ErrEndless
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return out.Bytes(), errs.String(), err
}

// RunWhole is Run, and ends what the process leaves behind in its group of processes.
func RunWhole(ctx context.Context, cmd *exec.Cmd, most int) (printed []byte, said string, err error) {
	together(cmd)
	defer endAll(cmd)
	return Run(ctx, cmd, nil, most)
}

// limited is a writer that takes so many bytes.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, ErrEndless
	}
	return l.to.Write(p)
}
