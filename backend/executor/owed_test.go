package executor

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
	"beckon/tests/timeout"
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

// cluster is a machine that runs jobs: so many calls to end what is left there fail at first.
type cluster struct {
	worker.Machine
	fails atomic.Int32
	looks atomic.Int32
}

func (c *cluster) Worker(taskID string) worker.Worker { return job{reached{}, c, taskID} }
func (c *cluster) Close()                             {}
func (c *cluster) Inspect(context.Context) (executing.Found, error) {
	c.looks.Add(1)
	return executing.Found{}, nil
}

type job struct {
	reached
	on   *cluster
	task string
}

func (j job) Submit(context.Context, string, func(executing.Waits)) (shim.Dial, error) {
	return nil, errReached
}

func (j job) EndOthers(context.Context, string, []string) error {
	if j.on.fails.Add(-1) >= 0 {
		return errors.New("the link broke")
	}
	return nil
}

// TestWhatIsOwedElsewhereComesThoughCallsFail: the folder of the data has what patterns mean
// something by, too.
func TestWhatIsOwedElsewhereComesThoughCallsFail(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data [work] *"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var arrived sync.Map
	c := &cluster{}
	e := New(Config{
		Rows: s.Executors, DataDir: filepath.Join(t.TempDir(), "data [work] *"), Publish: func(beckon.Event) {}, Wake: func() {},
		Connect: func(executing.Executor) worker.Machine { return c },
		// They are deleted: there is nothing to bring, and that is said once what works there has ended.
		Task: func(context.Context, string) (beckon.Task, error) { return beckon.Task{}, beckon.ErrNotFound },
		Arrived: func(_ context.Context, taskID string, _ *reason.Reason) error {
			arrived.Store(taskID, true)
			return nil
		},
	})
	defer e.Close()
	e.firstPause, e.lastPause = time.Hour, 100*time.Millisecond
	row := executing.Executor{ID: "farm", Name: "Farm", Kind: executing.SSH, Host: "farm", Slots: 4, Variables: []string{}, Kept: []string{}}
	if err := s.Executors.Add(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	m, err := e.machine(t.Context(), "farm")
	if err != nil {
		t.Fatal(err)
	}
	tasks := []string{"one", "two", "three", "four"}
	for _, task := range tasks {
		if err := e.owe(beckon.Run{ID: "run-of-" + task, TaskID: task}, m); err != nil {
			t.Fatal(err)
		}
	}
	c.fails.Store(3)
	e.Open(t.Context())
	timeout.Until(t, "all that is owed has arrived", func() bool {
		for _, task := range tasks {
			if _, ok := arrived.Load(task); !ok {
				return false
			}
		}
		return true
	})
	if owed := e.owed(""); len(owed) != 0 {
		t.Errorf("still owed: %q", owed)
	}
	if n := c.looks.Load(); n != 2 {
		t.Errorf("%d looks; three failures are worth one more", n)
	}
}
