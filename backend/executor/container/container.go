package container

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/tunnel"
	"beckon/backend/executor/worker"
)

// rested is what a container's main process exits with when its work is home.
const rested = 42

// main is that process: it waits, takes in orphans, and ends as the signal says.
const main = `trap "exit 0" TERM INT; trap "exit 42" USR1; while :; do sleep 86400 & wait $!; done`

// What the user reads of a container that ended. One that is removed by force is stopped
// first, so who finds it stopped does not know yet which of them it is.
const (
	ended   = worker.Gone("The task's container was stopped or removed from outside.")
	removed = worker.Gone("The task's container was removed from outside.")
)

// Container is a task's, which need not be there.
type Container struct {
	helper.Shell

	m          *Machine
	name, task string
	opening    sync.Mutex         // held while it is made, started or stopped
	stopTunnel context.CancelFunc // of one that reaches Claude's API through Beckon
}

// state is what the engine says of it.
type state struct {
	there, running bool
	code           int
	madeOf         string
}

func (c *Container) state(ctx context.Context) (s state, err error) {
	out, err := c.m.run(ctx, callIn, "container", "inspect", "--format", `{{.State.Running}} {{.State.ExitCode}} {{index .Config.Labels "`+madeOf+`"}}`, c.name)
	if errors.Is(err, worker.ErrGone) {
		return s, nil
	}
	words := strings.Fields(out)
	if err != nil || len(words) < 2 {
		return s, err
	}
	s.there, s.running = true, words[0] == "true"
	s.code, err = strconv.Atoi(words[1])
	if len(words) > 2 {
		s.madeOf = words[2]
	}
	return s, err
}

// kind names what a container is made of.
func (m *Machine) kind() string {
	sum := sha256.Sum256([]byte(m.row.Image + "\x00" + m.row.Options + "\x00" + string(m.row.Network)))
	return hex.EncodeToString(sum[:8])
}

// Open makes the container, unless it is there. One whose work is home is replaced where
// the executor has another image by now, or other options.
func (c *Container) Open(ctx context.Context, waits func(executing.Waits)) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	err := c.begin(ctx, waits)
	if err == nil && c.m.row.Network == executing.OnlyAPI {
		err = c.tunnel(ctx)
	}
	return err
}

func (c *Container) begin(ctx context.Context, waits func(executing.Waits)) error {
	s, err := c.state(ctx)
	switch {
	case err != nil:
		return err
	case s.running:
		return nil
	case s.there && (s.code != rested || s.madeOf == c.m.kind()):
		return c.start(ctx)
	case s.there:
		if err := c.remove(ctx); err != nil {
			return err
		}
	}
	options, err := executing.Words(c.m.row.Options)
	if err != nil {
		return err
	}
	if c.m.row.Network == executing.OnlyAPI {
		options = append(options, "--network", "none")
	}
	args := append([]string{"run"}, options...)
	args = append(args, "--detach", "--name", c.name, "--label", ofExecutor+"="+c.m.row.ID, "--label", ofTask+"="+c.task, "--label", madeOf+"="+c.m.kind(),
		"--entrypoint", "sh", c.m.row.Image, "-c", main)
	waits(executing.Waits{For: executing.Image, Words: c.m.row.Image})
	defer waits(executing.Waits{})
	c.Forget()
	_, err = c.m.run(ctx, makeIn, args...)
	if err != nil {
		_ = c.remove(context.WithoutCancel(ctx)) // docker leaves one that did not start
	}
	return err
}

// Find starts the container again, if it is there.
func (c *Container) Find(ctx context.Context) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	s, err := c.state(ctx)
	switch {
	case err != nil || s.running:
		return err
	case s.there:
		return c.start(ctx)
	}
	return removed
}

func (c *Container) start(ctx context.Context) error {
	_, err := c.m.run(ctx, callIn, "start", c.name)
	return err
}

// Rest stops it. What runs in there ends.
func (c *Container) Rest(ctx context.Context) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.endTunnel()
	s, err := c.state(ctx)
	if err != nil || !s.running {
		return err
	}
	if _, err = c.m.run(ctx, callIn, "kill", "--signal", "USR1", c.name); err == nil {
		_, err = c.m.run(ctx, callIn, "wait", c.name)
	}
	if errors.Is(err, worker.ErrGone) {
		return nil
	}
	return err
}

// Remove removes it.
func (c *Container) Remove(ctx context.Context) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.endTunnel()
	return c.remove(ctx)
}

func (c *Container) remove(ctx context.Context) error {
	c.Forget()
	_, err := c.m.run(ctx, callIn, "rm", "--force", c.name)
	if errors.Is(err, worker.ErrGone) {
		return nil
	}
	return err
}

// Dial opens a link to a shim in there. Where the container is not running any more
// nothing ever answers, which is said.
func (c *Container) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	s, err := c.state(ctx)
	switch {
	case err != nil:
		return nil, err
	case !s.running:
		return nil, ended
	}
	return c.Shell.Dial(ctx)
}

// command returns a process that runs a script in there.
func (c *Container) command(_ context.Context, script string) (*exec.Cmd, error) {
	return c.m.engine("exec", "--interactive", c.name, "sh", "-c", script)
}

// Environ implements worker.Own.
func (c *Container) Environ() []string {
	env := []string{worker.Sandboxed}
	if c.m.row.Network == executing.OnlyAPI {
		env = append(env, tunnel.Environ()...)
	}
	return env
}

// Git is how git reaches the repository in a folder in there.
func (c *Container) Git(dir string) worker.Git {
	words := []string{string(c.m.row.Engine), "exec", "--interactive", c.name, "sh", "-c"}
	return helper.Git("container", dir, "exec "+strings.Join(words, " ")+` "$2"`)
}
