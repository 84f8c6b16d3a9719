package executor

import (
	"context"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
	"beckon/tests/timeout"
)

// front is a machine whose calls to end what is left there wait until the test lets each go.
type front struct {
	worker.Machine
	calls chan call
}

// call is one that is under way: the runs that it leaves alone, and what lets it go.
type call struct {
	but  []string
	done chan struct{}
}

func (f front) Worker(string) worker.Worker { return queue{on: f} }
func (f front) Close()                      {}

type queue struct {
	job
	on front
}

func (q queue) EndOthers(_ context.Context, _ string, but []string) error {
	c := call{but, make(chan struct{})}
	q.on.calls <- c
	<-c.done
	return nil
}

// TestTasksStartSideBySideOnOneMachine: one that waits for the machine keeps no other from
// asking it, and no agent begins while others are ended that nobody knows.
func TestTasksStartSideBySideOnOneMachine(t *testing.T) {
	t.Parallel()
	e := New(Config{DataDir: t.TempDir()})
	defer e.Close()
	m := &machine{Machine: front{calls: make(chan call)}}
	m.is.Store(&executing.Executor{ID: "farm", Name: "Farm"})
	calls := m.Machine.(front).calls
	next := func() call {
		t.Helper()
		select {
		case c := <-calls:
			return c
		case <-time.After(timeout.For(5 * time.Second)):
			t.Fatal("a start waits for another")
			return call{}
		}
	}
	ended := make(chan error, 3)
	for _, task := range []string{"one", "two"} {
		go func() { ended <- e.endOthers(t.Context(), m, task) }()
	}
	first, second := next(), next()
	begun := make(chan string, 1)
	go func() {
		name, err := e.begin(beckon.Run{ID: "run", TaskID: "three"}, m)
		if err != nil {
			t.Error(err)
		}
		begun <- name
	}()
	close(first.done)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	select {
	case <-begun:
		t.Error("an agent began that the call which is under way would end")
	case <-time.After(20 * time.Millisecond):
	}
	close(second.done)
	name := <-begun
	go func() { ended <- e.endOthers(t.Context(), m, "four") }()
	third := next()
	close(third.done)
	if !slices.Contains(third.but, name) || slices.Contains(second.but, name) {
		t.Errorf("%q began behind a call that spares %q, before one that spares %q", name, second.but, third.but)
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
