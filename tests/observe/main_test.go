//go:build linux

// Package observe holds what Beckon sees of sessions that it did not start
// against the real TUI.
package observe

import (
	"testing"

	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

func TestMain(m *testing.M) { tui.Main(m) }

// TestTheFixtureAnswersAQuestion: the screens, keys and files are those of the
// real TUI.
func TestTheFixtureAnswersAQuestion(t *testing.T) {
	t.Parallel()
	s := tui.NewMachine(t).Open(tui.Spec{Turns: []fixture.Turn{
		{"text": "Let me ask.", "tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")},
		{"text": "Noted."},
	}})
	if p := s.Presence(); p.Status != "idle" || p.PID != s.PID {
		t.Errorf("presence %+v", p)
	}
	s.Say("ask me")
	s.See("Which database?", "2. SQLite", "Esc to cancel")
	s.Press("2")
	s.See("SQLite", "Noted.")
}
