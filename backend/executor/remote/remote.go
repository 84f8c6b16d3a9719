// Package remote is a claude on another machine as the runner's: its shim there is its
// process here.
package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/process"
	"beckon/backend/executor/shim"
)

// givenUpIn is how long an agent that was killed is waited for: where there is no link
// it cannot be, and is ended when there is one again.
const givenUpIn = 10 * time.Second

// noLink is the signal that stands for such an end.
const noLink = "a link that did not come back"

// child is an agent elsewhere, as cli.Process needs it.
type child struct {
	agent *shim.Agent
	life  shim.Life

	gone   chan struct{} // closed when it is
	once   sync.Once
	status process.Status
	errs   string // its last words on stderr

	// Of who reads stdout.
	rest []byte
	read int64
}

// Start starts a job under a name where dial leads.
func Start(dial shim.Dial, name string, job shim.Job, life shim.Life) cli.Child {
	c := &child{life: life, gone: make(chan struct{})}
	c.agent = shim.Start(dial, name, job, func(err error) {
		life.OnLink(err == nil || errors.Is(err, shim.ErrRefused)) // who refuses is there
	})
	go c.untilLeft()
	return cli.Child{Stdin: input{c.agent}, Stdout: output{c}, Stderr: &lastWords{c: c}, Tree: c}
}

// input writes to the agent's stdin: each Write is a line.
type input struct{ agent *shim.Agent }

func (i input) Write(line []byte) (int, error) {
	if err := i.agent.Send(context.Background(), bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
		return 0, err
	}
	return len(line), nil
}

func (i input) Close() error {
	i.agent.CloseInput()
	return nil
}

// output is the agent's stdout. Who reads on has recorded the lines before: only then
// may the shim forget them.
type output struct{ c *child }

func (o output) Read(p []byte) (int, error) {
	c := o.c
	if len(c.rest) == 0 {
		c.agent.Ack(c.read)
		l, err := c.agent.Next()
		if err != nil {
			return 0, c.end(err)
		}
		c.rest, c.read = append(l.Text, '\n'), l.N
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (o output) Close() error { return nil }

// end notes that no line comes any more.
func (c *child) end(err error) error {
	exit := c.agent.Exit()
	select {
	case <-c.gone:
		return io.EOF // it was given up
	default:
	}
	if errors.Is(err, io.EOF) {
		words := exit.Stderr
		if exit.Trouble != "" {
			words += "\n" + exit.Trouble
		}
		c.leave(exit.Status, words)
		return io.EOF
	}
	err = c.life.Why(err)
	c.leave(process.Status{Code: -1, Signal: noLink}, err.Error())
	return err
}

// leave notes how it ended; the first to say so decides.
func (c *child) leave(status process.Status, words string) {
	c.once.Do(func() {
		c.status, c.errs = status, words
		c.life.Over()
		close(c.gone)
	})
}

// untilLeft gives the agent up when Beckon ends and has waited for it. What it was told by
// then holds.
func (c *child) untilLeft() {
	select {
	case <-c.life.Quit:
		c.agent.Quit()
	case <-c.gone:
		return
	}
	select {
	case <-c.life.Left:
		c.giveUp()
	case <-c.gone:
	}
}

// giveUp has it be gone here.
func (c *child) giveUp() {
	c.leave(process.Status{Code: -1, Signal: noLink}, "")
	c.agent.Close()
}

func (c *child) PID() int { return 0 }

// Interrupt has the shim end the agent by its own ladder.
func (c *child) Interrupt() error {
	c.agent.End()
	return nil
}

// Kill does too, and waits for that only so long.
func (c *child) Kill() error {
	c.agent.End()
	time.AfterFunc(givenUpIn, c.giveUp)
	return nil
}

func (c *child) Wait() process.Status {
	<-c.gone
	return c.status
}

// lastWords is the agent's stderr, which comes at its end.
type lastWords struct {
	c    *child
	rest *string
}

func (l *lastWords) Read(p []byte) (int, error) {
	<-l.c.gone
	if l.rest == nil {
		l.rest = &l.c.errs
	}
	n := copy(p, *l.rest)
	rest := (*l.rest)[n:]
	if l.rest = &rest; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (l *lastWords) Close() error { return nil }
