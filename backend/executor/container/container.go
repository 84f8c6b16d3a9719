package container

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/tunnel"
	"beckon/backend/executor/worker"
)

// main is a container's main process: it waits, takes in orphans, and ends at a signal.
const main = `trap "exit 0" TERM INT; while :; do sleep 86400 & wait $!; done`

// What the user reads of a container that ended. One that is removed by force is stopped
// first, so who finds it stopped does not know yet which of them it is.
var (
	ended   = reason.Of(reason.ContainerEnded).Err(worker.ErrGone)
	removed = reason.Of(reason.ContainerRemoved).Err(worker.ErrGone)
)

// Container is a task's, which need not be there.
type Container struct {
	helper.Shell

	m          *Machine
	name, task string
	user       atomic.Pointer[string] // of a dev container: who works in there

	opening    sync.Mutex         // held while it is made, started, prepared or stopped
	stopTunnel context.CancelFunc // of one that reaches Claude's API through Beckon
	folder     string             // the project's, here, once it is open
	isNew      bool               // it was made when it was opened
	environ    []string           // of its agents, once it is open
}

// state is what the engine says of it.
type state struct {
	there   bool
	Running bool
	Env     []string
	Labels  map[string]string
}

// environ returns what the image and the options have in the environment, without what
// depends on who is in there.
func (s state) environ() []string {
	return slices.DeleteFunc(s.Env, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains([]string{"HOME", "HOSTNAME", "PATH", "TERM", "USER"}, name)
	})
}

func (c *Container) state(ctx context.Context) (s state, err error) {
	out, err := c.m.run(ctx, callIn, "container", "inspect", "--format", `{"Running":{{.State.Running}},"Env":{{json .Config.Env}},"Labels":{{json .Config.Labels}}}`, c.name)
	if errors.Is(err, worker.ErrGone) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		return s, fmt.Errorf("%s describes no container: %w", c.m.row.Engine, err)
	}
	s.there = true
	if c.m.row.Image == "" {
		user := remoteUser(s.Labels[metadata])
		c.user.Store(&user)
	}
	return s, nil
}

// Open makes the container, unless it is there. One whose work is home is replaced where
// the executor has another image by now or other options, or the project another dev
// container.
func (c *Container) Open(ctx context.Context, task worker.Task, waits func(executing.Waits)) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.folder = task.Folder
	err := c.begin(ctx, task.Owed, waits)
	if err == nil {
		err = c.readEnviron(ctx)
	}
	if err == nil && c.m.row.Network == executing.OnlyAPI {
		err = c.tunnel(ctx)
	}
	return err
}

func (c *Container) readEnviron(ctx context.Context) error {
	s, err := c.state(ctx)
	if c.environ = s.environ(); err != nil || c.m.row.Image != "" {
		return err
	}
	more, err := c.remoteEnv(ctx)
	c.environ = append(c.environ, more...)
	return err
}

func (c *Container) begin(ctx context.Context, owed bool, waits func(executing.Waits)) error {
	s, err := c.state(ctx)
	if c.isNew = false; err != nil || s.Running {
		return err
	}
	kind, err := c.m.kind(c.folder)
	if err != nil {
		return err
	}
	if s.there && (owed || s.Labels[madeOf] == kind) {
		return c.start(ctx)
	}
	if s.there {
		if err := c.remove(ctx); err != nil {
			return err
		}
	}
	defer waits(executing.Waits{})
	c.Forget()
	if c.m.row.Image == "" {
		err = c.up(ctx, kind, waits)
	} else {
		err = c.run(ctx, kind, waits)
	}
	if c.isNew = err == nil; !c.isNew {
		_ = c.remove(context.WithoutCancel(ctx)) // docker leaves one that did not start
	}
	return err
}

// run makes it of the executor's image.
func (c *Container) run(ctx context.Context, kind string, waits func(executing.Waits)) error {
	options, err := c.m.options()
	if err != nil {
		return err
	}
	args := append([]string{"run"}, options...)
	args = append(args, "--detach", "--name", c.name)
	for _, label := range c.labels() {
		args = append(args, "--label", label)
	}
	args = append(args, "--label", madeOf+"="+kind, "--entrypoint", "sh", c.m.row.Image, "-c", main)
	waits(executing.Waits{For: executing.Image, Words: c.m.row.Image})
	_, err = c.m.run(ctx, makeIn, args...)
	return err
}

// labels say whose it is.
func (c *Container) labels() []string {
	return []string{ofExecutor + "=" + c.m.row.ID, ofTask + "=" + c.task}
}

// Find starts the container again, if it is there.
func (c *Container) Find(ctx context.Context) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	s, err := c.state(ctx)
	switch {
	case err != nil || s.Running:
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
	if err != nil || !s.Running {
		return err
	}
	_, err = c.m.run(ctx, callIn, "stop", c.name)
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
	_, err := c.m.run(ctx, callIn, "rm", "--force", "--volumes", c.name)
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
	case !s.Running:
		return nil, ended
	}
	return c.Shell.Dial(ctx)
}

// command returns a process that runs a script in there.
func (c *Container) command(_ context.Context, script string) (*exec.Cmd, error) {
	return c.m.engine(append(c.exec(), "sh", "-c", script)...)
}

// exec is how the engine runs something in there: a dev container's user may be another
// than its main process has.
func (c *Container) exec() []string {
	words := []string{"exec", "--interactive"}
	if user := c.user.Load(); user != nil && *user != "" {
		words = append(words, "--user", *user)
	}
	return append(words, c.name)
}

// Environ implements worker.Own.
func (c *Container) Environ() []string {
	c.opening.Lock()
	defer c.opening.Unlock()
	env := append([]string{worker.Sandboxed}, c.environ...)
	if c.m.row.Network == executing.OnlyAPI {
		env = append(env, tunnel.Environ()...)
	}
	return env
}

// Git is how git reaches the repository in a folder in there.
func (c *Container) Git(_ context.Context, dir string) (worker.Git, error) {
	words := append([]string{string(c.m.row.Engine)}, c.exec()...)
	for i, word := range words {
		words[i] = helper.Quoted(word) // a user is named by a repository
	}
	return helper.Git("container", dir, "exec "+strings.Join(words, " ")+` sh -c "$2"`), nil
}
