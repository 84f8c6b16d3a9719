// Package container has each task's agent work in a container of its own, by the podman or
// docker of this computer: it sees neither files nor processes of this computer but what
// the executor's options give it. Work goes there and comes home by git over the engine's
// exec, as over ssh, so nothing here is mounted.
//
// A container lives as long as its task: between two runs it is stopped, and keeps the
// session. It is the executor's by a label, and ends with it.
package container

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
)

// The labels of containers, which say whose they are and what they were made of.
const (
	ofExecutor = "beckon.executor"
	ofTask     = "beckon.task"
	madeOf     = "beckon.made-of"
)

const (
	// callIn is how long the engine may take to answer, makeIn also to fetch an image.
	callIn = 2 * time.Minute
	makeIn = 30 * time.Minute
	// outMost is how much is read of what it prints.
	outMost = 8 << 20
)

// Machine makes containers. Its methods may be called from any goroutine.
type Machine struct {
	row  executing.Executor
	core helper.Core

	mu      sync.Mutex
	workers map[string]*Container // by task
}

// New returns the machine of an executor.
func New(row executing.Executor, core helper.Core) *Machine {
	return &Machine{row: row, core: core, workers: map[string]*Container{}}
}

// Worker returns a task's container.
func (m *Machine) Worker(taskID string) worker.Worker {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.workers[taskID]
	if c == nil {
		c = m.container(nameOf(m.row.ID, taskID), taskID)
		m.workers[taskID] = c
	}
	return c
}

// nameOf returns what a container is called, which needs no engine to know.
func nameOf(executorID, taskID string) string { return "beckon-" + executorID + "-" + taskID }

// container returns a container that need not be there.
func (m *Machine) container(name, taskID string) *Container {
	c := &Container{m: m, name: name, task: taskID}
	c.Shell = helper.Shell{Name: "the container", Core: m.core, Near: true, Command: c.command, Explain: func(said string, err error) error { return m.explain(m.row.Image, said, err) }}
	return c
}

// kind names what a task's container is made of, where the project is in that folder.
func (m *Machine) kind(folder string) (string, error) {
	of := []byte(m.row.Image)
	if m.row.Image == "" {
		var err error
		if of, err = written(folder); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256([]byte(string(of) + "\x00" + m.row.Options + "\x00" + string(m.row.Network)))
	return hex.EncodeToString(sum[:8]), nil
}

// options are the executor's words for the engine's run.
func (m *Machine) options() ([]string, error) {
	options, err := executing.Words(m.row.Options)
	if m.row.Network == executing.OnlyAPI {
		options = append(options, "--network", "none")
	}
	return options, err
}

// Inspect makes a container of the image for a moment, and tells what it finds in there. What
// a dev container has, its project says; then the engine is asked, and the CLI.
func (m *Machine) Inspect(ctx context.Context) (found executing.Found, err error) {
	if m.row.Image == "" {
		return found, m.lookAtTools(ctx)
	}
	c := m.container(nameOf(m.row.ID, "look"), "")
	if err := c.Remove(ctx); err != nil { // of a Beckon that was killed meanwhile
		return found, err
	}
	defer func() {
		late := c.Remove(context.WithoutCancel(ctx))
		err = cmp.Or(err, late)
	}()
	if err := c.Open(ctx, worker.Task{}, func(executing.Waits) {}); err != nil {
		return found, err
	}
	return worker.Host{On: c}.Inspect(ctx)
}

// lookAtTools returns why no dev container can be made here, if so.
func (m *Machine) lookAtTools(ctx context.Context) error {
	if _, err := m.run(ctx, callIn, "version"); err != nil {
		return err
	}
	return oldCLI(ctx)
}

// listed is what the engine says of a container.
type listed struct {
	Config struct{ Labels map[string]string }
	State  struct{ Running bool }
	SizeRw int64
}

// isTasks reports whether it is a task's, and not made for a look.
func (l listed) isTasks() bool { return l.Config.Labels[ofTask] != "" }

// all returns the containers of the executor.
func (m *Machine) all(ctx context.Context) (ids []string, all []listed, err error) {
	out, err := m.run(ctx, callIn, "ps", "--all", "--quiet", "--no-trunc", "--filter", "label="+ofExecutor+"="+m.row.ID)
	if err != nil {
		return nil, nil, err
	}
	ids = strings.Fields(out)
	if len(ids) == 0 {
		return nil, nil, nil
	}
	out, err = m.run(ctx, callIn, append([]string{"container", "inspect", "--size"}, ids...)...)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		return nil, nil, fmt.Errorf("%s lists no containers: %w", m.row.Engine, err)
	}
	return ids, all, nil
}

// Left tells what containers there are. All of an executor are one Beckon's.
func (m *Machine) Left(ctx context.Context, _ calls.Scope) (executing.Left, error) {
	_, all, err := m.all(ctx)
	left := executing.Left{Keys: []string{}}
	for _, one := range all {
		if one.isTasks() {
			left.Worktrees++
			left.Bytes += one.SizeRw
		}
	}
	return left, err
}

// Clear removes the executor's containers. A task's that runs has an agent in it.
func (m *Machine) Clear(ctx context.Context, _ calls.Scope) error {
	ids, all, err := m.all(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	for _, one := range all {
		if one.isTasks() && one.State.Running {
			return unreachable(reason.ContainerWorks)
		}
	}
	_, err = m.run(ctx, callIn, append([]string{"rm", "--force"}, ids...)...)
	return err
}

// Close does nothing: links end with the processes that have them.
func (m *Machine) Close() {}

// run has the engine do something and returns what it prints.
func (m *Machine) run(ctx context.Context, in time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, in, unreachable(reason.EngineSilent, "name", m.engineName(), "time", in.String()))
	defer cancel()
	cmd, err := m.engine(args...)
	if err != nil {
		return "", err
	}
	out, said, err := helper.Run(ctx, cmd, nil, outMost)
	switch {
	case err == nil:
		return string(out), nil
	case ctx.Err() != nil:
		return "", err
	}
	return "", m.explain(m.row.Image, said, err)
}

// engine returns a process of the engine's, which the caller ends.
func (m *Machine) engine(args ...string) (*exec.Cmd, error) {
	program, err := m.program()
	if err != nil {
		return nil, err
	}
	return exec.CommandContext(context.Background(), program, args...), nil
}

// engineName is the engine as a sentence begins with it.
func (m *Machine) engineName() string {
	name := string(m.row.Engine)
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

// program returns where the engine's program is.
func (m *Machine) program() (string, error) {
	program, err := exec.LookPath(string(m.row.Engine))
	if err != nil {
		return "", unreachable(reason.EngineMissing, "name", m.engineName())
	}
	return program, nil
}

// explain returns why the engine could not do it with an image, by what it said on stderr,
// or a program in the container.
func (m *Machine) explain(image, said string, err error) error {
	has := func(words ...string) bool { return worker.Says(strings.ToLower(said), words...) }
	last := worker.Last(said)
	switch {
	case has("no such container", "no container with name or id", "container state improper", "is not running"):
		return ended
	case has("cannot connect to the docker daemon", "cannot connect to podman", "permission denied while trying to connect"):
		return unreachable(reason.EngineAway, "name", m.engineName(), "engine", string(m.row.Engine), "words", last)
	case has("pull access denied", "manifest unknown", "repository does not exist", "initializing source", "pinging container registry", "unable to find image", "image not known", "no such host", "short-name"):
		return unreachable(reason.ImageMissing, "image", image, "engine", string(m.row.Engine), "words", last)
	case has(`exec: "sh"`, "executable file `sh`", "executable file not found"):
		return unreachable(reason.ImageNoShell, "image", image)
	case has("unknown flag", "unknown shorthand flag", "flag needs an argument", "invalid argument"):
		return unreachable(reason.EngineOptions, "name", m.engineName(), "words", last)
	case has("no space left on device"):
		return unreachable(reason.EngineFull)
	case has("read-only file system"):
		return unreachable(reason.HomeReadOnly, "image", image)
	case last != "":
		return worker.Unreachable(fmt.Sprintf("%s: %s", m.row.Engine, last))
	}
	return unreachable(reason.EngineNoWord, "name", m.engineName(), "words", err.Error())
}

// unreachable is why containers cannot be used.
func unreachable(code reason.Code, values ...string) error {
	return reason.Of(code, values...).Err(beckon.ErrUnavailable)
}
