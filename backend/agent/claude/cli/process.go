// Package cli runs the Claude Code CLI as a child process: it finds it, starts
// it, cuts its stdout into lines, writes to its stdin, sends control requests
// and matches their replies. Sections are those of docs/PROTOCOL.md.
//
// It promises that lines have no length limit, that nothing but whole, valid
// JSON lines is ever written (anything else makes the CLI exit at once), and
// that no descendant of the CLI outlives it or this program (package
// process). What the lines say is package claude's.
package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/lines"
	"beckon/backend/agent/process"
)

// Process is a running CLI. Next belongs to one goroutine, which must call
// it until io.EOF or the agent will block; everything else may be called
// from any goroutine.
type Process struct {
	child   Child
	reader  *lines.Reader
	stderr  process.Tail
	grace   time.Duration
	started time.Time

	input *process.Input

	controlMu sync.Mutex // guards pending and controls
	pending   map[string]chan<- controlReply
	controls  int

	exited chan struct{} // closed when exit is set
	exit   Exit
}

// Child is a CLI that was started, here or elsewhere.
type Child struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser
	Stderr io.ReadCloser // ends when all that the CLI started has closed it
	Tree
}

// Tree is the CLI and all that it started. *process.Child implements it.
type Tree interface {
	PID() int // good for showing only; 0 elsewhere
	Interrupt() error
	// Kill ends all of it, for good.
	Kill() error
	// Wait waits until all of it is gone.
	Wait() process.Status
}

// Start starts the CLI, which ctx may keep from starting and does not end. It
// says nothing until it gets a message: call Initialize next.
func Start(ctx context.Context, o Options) (*Process, error) {
	start := startHere
	if o.Start != nil {
		start = o.Start
	}
	child, err := start(ctx, o)
	if err != nil {
		return nil, err
	}
	p := &Process{
		child: child, input: process.NewInput(child.Stdin), stderr: process.Tail{Most: stderrKept},
		reader: lines.New(child.Stdout, o.LineMost), grace: o.grace(), started: time.Now(),
		pending: map[string]chan<- controlReply{}, exited: make(chan struct{}),
	}
	go p.follow()
	return p, nil
}

// startHere starts it on this machine.
func startHere(ctx context.Context, o Options) (Child, error) {
	child, err := process.StartPiped(ctx, process.Spec{
		Path: o.Path, Args: o.Args(), Dir: o.Dir, Env: Environ(os.Environ(), o.Env),
		Supervisor: o.Supervisor, Tether: o.Tether,
	})
	if err != nil {
		return Child{}, err
	}
	return Child{child.Stdin, child.Stdout, child.Stderr, child}, nil
}

// follow keeps the end of stderr and notes the end of the process.
func (p *Process) follow() {
	_, _ = io.Copy(&p.stderr, p.child.Stderr)
	p.child.Stderr.Close()
	s := p.child.Wait()
	p.exit = Exit{Code: s.Code, Signal: s.Signal, Stderr: p.stderr.String(), Started: p.started, Ended: time.Now()}
	close(p.exited)
	p.input.End()
}

// Next returns the lines of the next chunk of stdout, at least one, and
// io.EOF after the last. Half a line at the end is a line. The lines are
// valid until the next call.
func (p *Process) Next() ([]claude.Line, error) {
	lines, err := p.reader.Next()
	if err != nil {
		p.child.Stdout.Close()
		return nil, err // of one elsewhere it is why nothing comes any more, for the user
	}
	for _, l := range lines {
		if l.Kind == claude.ControlResponse {
			p.route(l.Raw)
		}
	}
	return lines, nil
}

// PID is the CLI's process id, good for showing only.
func (p *Process) PID() int { return p.child.PID() }

// Exited is closed when the CLI and all that it started are gone. Lines may
// still wait in Next.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Wait waits for that and tells how it ended.
func (p *Process) Wait() Exit {
	<-p.exited
	return p.exit
}

// Send has m written to the agent, which starts a turn or joins the running one. Send does
// not wait for the agent to read: lines go out one after the other, and what the agent has
// not taken when it ends is the sender's to send again. The error is agent.ErrEnded where nothing
// more goes out.
func (p *Process) Send(m claude.UserMessage) error {
	line, err := m.Wire()
	if err != nil {
		return err
	}
	_, err = p.post(line)
	return err
}

// write writes v as one line, and waits until that is done or the agent gone.
func (p *Process) write(ctx context.Context, v any) error {
	written, err := p.post(v)
	if err != nil {
		return err
	}
	select {
	case err := <-written:
		return err
	case <-p.exited:
		return agent.ErrEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// post has v written as one line, and does not wait for that.
func (p *Process) post(v any) (<-chan error, error) {
	line, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return p.input.Post(line)
}

// CloseInput says that nothing more will come: the agent finishes its turn
// and exits. Closing twice does no harm.
func (p *Process) CloseInput() { p.input.Close() }
