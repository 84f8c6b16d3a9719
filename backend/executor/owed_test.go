package executor

import (
	"context"
	"errors"
	"io"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
)

// reached is a worker that says that it was reached.
type reached struct{}

var errReached = errors.New("it was dialed")

func (reached) Dial(context.Context) (io.ReadWriteCloser, error) { return nil, errReached }
func (reached) Git(context.Context, string) (worker.Git, error)  { return worker.Git{}, nil }

// TestAWorktreeIsNotRemovedUnderAnAgent: a task that is started over is forgotten and begun
// again at once.
func TestAWorktreeIsNotRemovedUnderAnAgent(t *testing.T) {
	t.Parallel()
	e := New(Config{
		DataDir: t.TempDir(),
		Task: func(context.Context, string) (beckon.Task, error) {
			return beckon.Task{ID: "task", Branch: "beckon/x", Worktree: t.TempDir()}, nil
		},
		Project: func(context.Context, string) (beckon.Project, error) { return beckon.Project{Dir: t.TempDir()}, nil },
	})
	defer e.Close()
	m := &machine{Machine: worker.Host{On: reached{}}}
	m.is.Store(&executing.Executor{ID: "farm", Name: "Farm"})
	if err := e.forget(t.Context(), m, "task"); !errors.Is(err, errReached) {
		t.Errorf("without an agent: %v", err)
	}
	e.running["task"] = running{"run", m}
	if err := e.forget(t.Context(), m, "task"); err != nil {
		t.Errorf("with an agent: %v", err)
	}
}
