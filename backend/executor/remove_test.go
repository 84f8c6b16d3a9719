package executor

import (
	"context"
	"errors"
	"testing"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
)

// TestNoAgentStartsOnAnExecutorThatIsBeingRemoved: it would be left there, and its work lost
// with it.
func TestNoAgentStartsOnAnExecutorThatIsBeingRemoved(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	row := executing.Executor{ID: "farm", Name: "Farm", Kind: executing.SSH, Host: "farm.invalid", Slots: 1, Created: 1, Variables: []string{}, Kept: []string{}}
	if err := s.Executors.Add(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	var works []string
	var began, started error
	e := New(Config{
		DataDir: t.TempDir(), Rows: s.Executors, Publish: func(beckon.Event) {}, Wake: func() {},
		Connect: func(executing.Executor) worker.Machine { return worker.Host{On: reached{}, End: func() {}} },
		Changed: func(context.Context, store.ChosenExecutors) error { return nil },
	})
	defer e.Close()
	start := func(ctx context.Context) (cli.Options, error) {
		return e.Options(ctx, beckon.Run{ID: "run", TaskID: "task", Executor: row.ID})
	}
	e.Working = func(ctx context.Context, id string) ([]string, error) { // a run begins once this was asked
		began = e.Ready(ctx, id, false)
		_, started = start(ctx)
		return works, nil
	}
	works = []string{"KES-1"}
	if err := e.Remove(t.Context(), row.ID, true); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("an executor where an agent works is removed: %v", err)
	}
	if _, err := start(t.Context()); err != nil {
		t.Errorf("no agent starts where it stays: %v", err)
	}
	works = nil
	if err := e.Remove(t.Context(), row.ID, true); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(began, beckon.ErrUnavailable) || !errors.Is(started, beckon.ErrUnavailable) {
		t.Errorf("while it is removed a run begins (%v), and its agent starts (%v)", began, started)
	}
	if _, err := start(t.Context()); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("once it is removed an agent starts: %v", err)
	}
}
