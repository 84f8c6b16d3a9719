// Package worker has the words for where the work of a task is on an executor, and its
// agent: the host that all tasks share, or a container or pod of the task's own. Each way
// to reach one is a package beside it.
package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
)

// Machine is an executor, as it is reached. Its methods may be called from any goroutine,
// and say in words for the user why it cannot be used.
type Machine interface {
	// Worker returns where a task's work is. It may have to be made: see Own.
	Worker(taskID string) Worker
	// Inspect tells what a run would find, or why none could begin.
	Inspect(ctx context.Context) (executing.Found, error)
	// Left tells what a Beckon has there.
	Left(ctx context.Context, of calls.Scope) (executing.Left, error)
	// Clear removes it, and nothing of another Beckon's. It is refused while an agent of it
	// lives there.
	Clear(ctx context.Context, of calls.Scope) error
	// Close ends the links.
	Close()
}

// Worker is where a task's work is, and its agent.
type Worker interface {
	// Dial opens a link to a shim there. Beckon's helper is put there where it is missing.
	Dial(ctx context.Context) (io.ReadWriteCloser, error)
	// Git is how git reaches the repository in a folder there.
	Git(ctx context.Context, dir string) (Git, error)
}

// Own is a worker that is there for one task only.
type Own interface {
	Worker
	// Open makes it ready for its task, unless it is. waits hears what it waits for, each
	// time that changes.
	Open(ctx context.Context, task Task, waits func(executing.Waits)) error
	// Find has it answer again, if it is still there. Else it is ErrGone, or ErrEmpty where
	// it is still to come.
	Find(ctx context.Context) error
	// Rest says that no agent is there and that its work is home.
	Rest(ctx context.Context) error
	// Remove removes it, with all that is in it.
	Remove(ctx context.Context) error
	// Environ is what its agents have in their environment besides.
	Environ() []string
}

// Task is what a worker has to know of its task.
type Task struct {
	Folder string // the project's, on this computer
	Owed   bool   // an earlier run's work is in there still
}

// Preparing is a worker that does something of its own once a task's work is there, before
// the project's setup command and the agent.
type Preparing interface {
	Worker
	// Prepare does it, with the work in that folder there.
	Prepare(ctx context.Context, dir string, waits func(executing.Waits)) error
}

// Sandboxed has claude take bypassPermissions as root, as it may where it is alone.
const Sandboxed = "IS_SANDBOX=1"

// ErrGone is why nothing comes from a worker any more. Trying again is no use.
var ErrGone = fmt.Errorf("it is not there any more: %w", shim.ErrRefused)

// ErrEmpty is why nothing comes from a worker that has not begun to be there.
var ErrEmpty = errors.New("nothing has begun there")

// Gone says so in a sentence for the user. It is a kind of ErrGone.
type Gone string

func (g Gone) Error() string { return string(g) }

// Unwrap makes it an ErrGone.
func (Gone) Unwrap() error { return ErrGone }

// Batch is a worker whose agents run where a scheduler has room, and not where the work
// is reached.
type Batch interface {
	Worker
	// Submit has the agent of that name start, waits until it may, and returns how its
	// shim is reached.
	Submit(ctx context.Context, name string, waits func(executing.Waits)) (shim.Dial, error)
	// EndOthers ends the agents whose names begin so, but for those that are named.
	EndOthers(ctx context.Context, prefix string, but []string) error
}

// Git is how git reaches a repository elsewhere.
type Git struct {
	Address string // of ssh's scheme
	Command string // for core.sshCommand
	Variant string // for ssh.variant: what git may say to the command
	Over    func() // called when git has ended; nil where nobody counts
}

// Done says that git has ended.
func (g Git) Done() {
	if g.Over != nil {
		g.Over()
	}
}

// Unreachable is why a worker cannot be used, in words for the user. It is a kind of
// beckon.ErrUnavailable.
type Unreachable string

func (e Unreachable) Error() string { return string(e) }

// Unwrap makes it a beckon.ErrUnavailable.
func (Unreachable) Unwrap() error { return beckon.ErrUnavailable }

// Changed is why a host cannot be used that shows another key than it did. It is a kind of
// Unreachable.
type Changed struct {
	Host string
	executing.ChangedKey
}

func (e Changed) Error() string { return e.Reason().String() }

// Reason says where the key is that is to be deleted.
func (e Changed) Reason() *reason.Reason {
	if e.File == "" {
		return reason.Of(reason.HostKey, "host", e.Host, "file", "known_hosts")
	}
	return reason.Of(reason.HostKeyAt, "host", e.Host, "file", e.File, "line", strconv.Itoa(e.Line))
}

// Unwrap makes it a beckon.ErrUnavailable.
func (Changed) Unwrap() error { return beckon.ErrUnavailable }
