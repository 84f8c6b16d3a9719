package helper

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"beckon/backend/agent/process"
)

const (
	// saidMost is how much is kept of the end of what a process says on stderr.
	saidMost = 64 << 10
	// outlivedIn is how long what a process started may have its output open after it.
	outlivedIn = 5 * time.Second
	// leavesIn is how long a process has to end by itself before it is killed.
	leavesIn = 5 * time.Second
)

// ErrEndless is why a process was ended that prints too much.
var ErrEndless = errors.New("it says too much")

// Run runs a process, which ctx ends, and returns what it prints and the end of what it
// says on stderr. Where ctx has ended, the error is its cause. A process is asked to end
// before it is killed: podman killed while it starts a container leaves half of one, which
// it does not find again.
func Run(ctx context.Context, cmd *exec.Cmd, stdin io.Reader, most int) (printed []byte, said string, err error) {
	return run(ctx, cmd, stdin, most, askToEnd)
}

// RunWhole is Run, and ends what the process leaves behind in its group of processes.
func RunWhole(ctx context.Context, cmd *exec.Cmd, most int) (printed []byte, said string, err error) {
	together(cmd)
	defer endAll(cmd)
	return run(ctx, cmd, nil, most, askAllToEnd)
}

// run is Run, where ask has the process end by itself.
func run(ctx context.Context, cmd *exec.Cmd, stdin io.Reader, most int, ask func(*exec.Cmd)) (printed []byte, said string, err error) {
	var out bytes.Buffer
	errs := process.Tail{Most: saidMost}
	words := &limited{&out, most}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdin, words, &errs, outlivedIn
	if err = cmd.Start(); err == nil {
		ended := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			ask(cmd)
			select {
			case <-ended:
			case <-time.After(leavesIn):
				_ = cmd.Process.Kill() // it fails only where it is gone
			}
		})
		err = cmd.Wait()
		stop()
		close(ended)
	}
	switch {
	case words.left < 0: // it ended for that
		err = ErrEndless
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return out.Bytes(), errs.String(), err
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
