package executor

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/worker"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// away is a host that answers nobody before the caller gives up.
type away struct{ reached }

func (away) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// aloud is what is logged.
type aloud struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (a *aloud) Write(text []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.said.Write(text)
}

// TestBeckonQuitsThoughItsMachinesAreSlow: work that is not home by then is brought by the
// next start, and nobody is warned of that.
func TestBeckonQuitsThoughItsMachinesAreSlow(t *testing.T) {
	warned := &aloud{}
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(warned, nil)))
	defer slog.SetDefault(was)
	dir := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	e := New(Config{
		DataDir: t.TempDir(), Publish: func(beckon.Event) {}, Wake: func() {},
		Task: func(_ context.Context, id string) (beckon.Task, error) {
			return beckon.Task{ID: id, Branch: "beckon/x", Worktree: dir}, nil
		},
		Project: func(context.Context, string) (beckon.Project, error) { return beckon.Project{Dir: dir}, nil },
	})
	defer e.Close()
	e.leaveIn = 50 * time.Millisecond
	m := &machine{Machine: worker.Host{On: away{}, End: func() {}}}
	m.is.Store(&executing.Executor{ID: "farm", Name: "Farm"})
	e.machines["farm"] = m
	tasks := []string{"one", "two", "three", "four"}
	for _, task := range tasks {
		run := beckon.Run{ID: "run-of-" + task, TaskID: task}
		if err := errors.Join(e.owe(run, m), e.oweSent(run, m)); err != nil {
			t.Fatal(err)
		}
	}
	brought := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { brought <- e.Bring(t.Context(), task, "farm") }()
	}
	settled := make(chan struct{})
	go func() { e.settle(e.left, m); close(settled) }()
	e.Leave()
	late := time.After(timeout.For(10 * time.Second))
	for range tasks {
		select {
		case err := <-brought:
			if !errors.Is(err, beckon.ErrUnavailable) || !beckon.ReasonOf(err).Is(reason.WorkStill) {
				t.Errorf("it is said of its work: %v", err)
			}
		case <-late:
			t.Fatal("Beckon waits for work elsewhere")
		}
	}
	select {
	case <-settled:
	case <-late:
		t.Fatal("Beckon waits for what an earlier one left")
	}
	if err := e.BringLive(t.Context(), "one"); !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("the worktree here is taken for what the agent left: %v", err)
	}
	e.Close()
	if n := len(e.owed("farm")); n != len(tasks) {
		t.Errorf("%d are owed, want %d", n, len(tasks))
	}
	if said := warned.said.String(); strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") {
		t.Errorf("it warned:\n%s", said)
	}
}
