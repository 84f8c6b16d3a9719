package executor

import (
	"context"
	"fmt"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
	"beckon/backend/store"
)

// signedOut is a machine where nobody is signed in.
type signedOut struct{ worker.Machine }

func (signedOut) Inspect(context.Context) (executing.Found, error) {
	return executing.Found{Claude: "2.1.197", Login: executing.SignedOut}, nil
}
func (signedOut) Close() {}

// TestAKeyThatIsGivenFromHereSignsIn: nothing of it is on the machine when that is looked at.
func TestAKeyThatIsGivenFromHereSignsIn(t *testing.T) {
	t.Setenv("CLAUDE_CODE_OAUTH_TOKEN", "token")
	t.Setenv("ANTHROPIC_API_KEY", "")
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for variable, want := range map[string]executing.Login{"CLAUDE_CODE_OAUTH_TOKEN": executing.SignedIn, "ANTHROPIC_API_KEY": executing.SignedOut} {
		e := New(Config{DataDir: t.TempDir(), Publish: func(beckon.Event) {}, Wake: func() {}, Rows: s.Executors})
		m := &machine{Machine: signedOut{}}
		m.is.Store(&executing.Executor{ID: "farm", Name: "Farm", Variables: []string{variable}})
		e.machines["farm"] = m
		e.lookNow(m)
		if got := e.health("farm").Found.Login; got != want {
			t.Errorf("with %s its sign-in is %q, want %q", variable, got, want)
		}
		e.Close()
	}
}

// unfit is a machine without claude.
type unfit struct{ signedOut }

func (unfit) Inspect(context.Context) (executing.Found, error) {
	return executing.Found{}, fmt.Errorf("claude was not found there: %w", beckon.ErrUnavailable)
}

// TestAMachineThatCannotBeUsedSaysWhyInWords: the user reads it, in the settings and on cards.
func TestAMachineThatCannotBeUsedSaysWhyInWords(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := New(Config{DataDir: t.TempDir(), Publish: func(beckon.Event) {}, Wake: func() {}, Rows: s.Executors})
	defer e.Close()
	m := &machine{Machine: unfit{}}
	m.is.Store(&executing.Executor{ID: "farm", Name: "Farm"})
	e.machines["farm"] = m
	e.lookNow(m)
	if got := e.health("farm").Problem; got.String() != "claude was not found there" {
		t.Errorf("it says %q", got)
	}
}
