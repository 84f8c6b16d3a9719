package executor

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
)

// ring is a key ring, which may be locked.
type ring struct {
	has    map[string]string
	locked error
}

func (r ring) Get(name string) (string, error) {
	if value, is := r.has[name]; is && r.locked == nil {
		return value, nil
	}
	return "", errors.Join(r.locked, beckon.ErrNotFound)
}

func (r ring) Set(name, secret string) error {
	if r.has[name] = secret; secret == "" {
		delete(r.has, name)
	}
	return r.locked
}

// TestAValueThatIsKeptGoesToItsAgentsAndNowhereElse: it wins over this computer's, goes with the
// name and the executor, and without it nothing starts.
func TestAValueThatIsKeptGoesToItsAgentsAndNowhereElse(t *testing.T) {
	t.Setenv("BECKON_TEST_HERE", "here")
	t.Setenv("BECKON_TEST_BOTH", "here")
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	keys := ring{has: map[string]string{}}
	e := New(Config{
		DataDir: t.TempDir(), Rows: s.Executors, Publish: func(beckon.Event) {}, Wake: func() {}, Secrets: keys,
		Connect: func(executing.Executor) worker.Machine { return worker.Host{On: reached{}, End: func() {}} },
		Changed: func(context.Context, store.ChosenExecutors) error { return nil },
		Working: func(context.Context, string) ([]string, error) { return nil, nil },
	})
	defer e.Close()
	row, err := e.Save(t.Context(), executing.Executor{
		Name: "Farm", Kind: executing.SSH, Host: "farm.invalid", Slots: 1,
		Variables: []string{"BECKON_TEST_HERE", "BECKON_TEST_BOTH", "BECKON_TEST_NONE"}, Kept: []string{"BECKON_TEST_NONE"},
	})
	if err != nil || len(row.Kept) > 0 {
		t.Fatalf("saved %+v, %v: only a value makes a name a kept one", row, err)
	}
	if err := e.Keep(t.Context(), row.ID, "BECKON_TEST_BOTH", "own"); err != nil {
		t.Fatal(err)
	}
	now := func() executing.Executor {
		row, err := s.Executors.One(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	env, err := e.variables(now())
	if want := []string{"BECKON_TEST_HERE=here", "BECKON_TEST_BOTH=own"}; err != nil || !reflect.DeepEqual(env, want) {
		t.Errorf("agents there get %q, %v", env, err)
	}
	if got := named(now()); !reflect.DeepEqual(got, []string{"BECKON_TEST_HERE=here", "BECKON_TEST_BOTH=kept"}) {
		t.Errorf("without the ring it says %q", got)
	}
	for value, want := range map[string]problem.Kind{"two\nlines": problem.VariableValue} {
		err := e.Keep(t.Context(), row.ID, "BECKON_TEST_HERE", value)
		if kind, _ := problem.From(err); kind != want {
			t.Errorf("%q: %v", value, err)
		}
	}
	if err := e.Keep(t.Context(), row.ID, "PATH", "x"); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a variable that it does not have: %v", err)
	}
	delete(keys.has, secretOf(row.ID, "BECKON_TEST_BOTH"))
	if _, err := e.variables(now()); !errors.Is(err, beckon.ErrConflict) || beckon.ReasonOf(err) == nil {
		t.Errorf("without the value: %v", err)
	}

	if err := e.Keep(t.Context(), row.ID, "BECKON_TEST_BOTH", "again"); err != nil {
		t.Fatal(err)
	}
	works := now()
	works.Variables, works.Host = []string{"BECKON_TEST_HERE"}, "other.invalid"
	e.Working = func(context.Context, string) ([]string, error) { return []string{"KES-1"}, nil }
	if _, err := e.Save(t.Context(), works); !errors.Is(err, beckon.ErrConflict) || len(keys.has) != 1 {
		t.Errorf("a change that is refused: %v, the ring has %v", err, keys.has)
	}
	e.Working = func(context.Context, string) ([]string, error) { return nil, nil }
	changed := now()
	changed.Variables, changed.Kept = []string{"BECKON_TEST_HERE"}, nil
	if row, err = e.Save(t.Context(), changed); err != nil || len(row.Kept) > 0 || len(keys.has) > 0 {
		t.Errorf("its variable is gone, and the ring has %v: %+v, %v", keys.has, row, err)
	}
	if err := errors.Join(e.Keep(t.Context(), row.ID, "BECKON_TEST_HERE", "kept"), e.Remove(t.Context(), row.ID, true)); err != nil || len(keys.has) > 0 {
		t.Errorf("it was removed, and the ring has %v: %v", keys.has, err)
	}
}
