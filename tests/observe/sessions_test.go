//go:build linux

package observe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"beckon/backend/observe"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// seen is an event, and when it came.
type seen struct {
	observe.Event
	at time.Time
}

// sight is a watcher whose events can be waited for. Watchers see the sessions of
// the other tests too, as far as their roots are in environments.
type sight struct {
	*observe.Watcher
	t       *testing.T
	events  chan seen
	results int // that settled saw
}

func watch(t *testing.T, roots ...string) *sight {
	t.Helper()
	s := &sight{t: t, events: make(chan seen, 1000)}
	w, err := observe.Open(observe.Options{Roots: roots, Notify: func(e observe.Event) { s.events <- seen{e, time.Now()} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	s.Watcher = w
	return s
}

// next waits for an event of a session's.
func (s *sight) next(kind observe.EventKind, cwd string) seen {
	s.t.Helper()
	return s.wait(kind, cwd, func() {})
}

// opened waits until a session is seen to ask.
func (s *sight) opened(session *tui.Session) seen {
	s.t.Helper()
	return s.wait(observe.Opened, session.Dir, session.SkipUnwritten)
}

// settled waits until a session's call has a result.
func (s *sight) settled(session *tui.Session) seen {
	s.t.Helper()
	e := s.wait(observe.Settled, session.Dir, func() { session.SkipUnsettled(s.results) })
	s.results++
	return e
}

func (s *sight) wait(kind observe.EventKind, cwd string, late func()) seen {
	s.t.Helper()
	deadline := time.After(tui.Patience)
	var others []string
	for {
		select {
		case e := <-s.events:
			if e.Kind == kind && e.Session.CWD == cwd {
				return e
			}
			others = append(others, fmt.Sprintf("%s %s %s %s", e.Kind, e.Session.CWD, e.Session.Status, e.How))
		case <-deadline:
			late()
			s.t.Fatalf("no event %s; there were %q", kind, others)
		}
	}
}

// prompt is how late an event may be. The watcher holds the end of a dialog back for a
// third of a second, and looks by itself every two: what comes sooner it was told of.
const prompt = 1500 * time.Millisecond

// prompted fails the test where an event did not come soon after what it is about.
func prompted(t *testing.T, what string, e seen, since time.Time) {
	t.Helper()
	late := e.at.Sub(since)
	t.Logf("%s: %v", what, late.Round(time.Millisecond))
	if late > prompt {
		t.Errorf("%s came %v late, want at most %v", what, late, prompt)
	}
}

// since watches for a condition and sends when it was first seen to hold.
func since(t *testing.T, holds func() bool) <-chan time.Time {
	t.Helper()
	at := make(chan time.Time, 1)
	go func() {
		for t.Context().Err() == nil {
			if holds() {
				at <- time.Now()
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}()
	return at
}

// written reports whether a session file of the root has all of the words.
func written(root string, times int, words string) bool {
	files, _ := filepath.Glob(filepath.Join(root, "projects", "*", "*.jsonl")) // the pattern is valid
	n := 0
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			n += bytes.Count(text, []byte(words))
		}
	}
	return n >= times
}

// says reports whether the presence file of the session has a status.
func says(s *tui.Session, status string) bool {
	text, err := os.ReadFile(filepath.Join(s.Root, "sessions", fmt.Sprint(s.PID)+".json"))
	return err == nil && bytes.Contains(text, []byte(`"status":"`+status+`"`))
}

// TestATerminalsSessionIsListedAtOnce: one that ran before, one with a root of its
// own, and one that starts afterwards.
func TestATerminalsSessionIsListedAtOnce(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	own := filepath.Join(m.Home, "other")
	done := []fixture.Turn{{"text": "Noted."}}
	before := m.Open(tui.Spec{Turns: done})
	apart := m.Open(tui.Spec{Root: own, Turns: done})
	w := watch(t, filepath.Join(m.Home, ".claude"))
	found := map[string]observe.Session{}
	for _, s := range []*tui.Session{before, apart} {
		for found[s.Dir].PID == 0 {
			e := <-w.events
			found[e.Session.CWD] = e.Session
		}
	}
	for _, s := range []*tui.Session{before, apart} {
		got := found[s.Dir]
		want := observe.Terminal{TmuxSocket: m.Socket, TmuxPane: s.Pane}
		if got.PID != s.PID || got.Root != s.Root || got.Entrypoint != "cli" || got.Version == "" || got.Name == "" || got.Status != observe.Idle || got.Terminal != want {
			t.Errorf("listed %+v", got)
		}
	}
	after := m.Start(tui.Spec{Turns: done})
	there := since(t, func() bool {
		files, _ := filepath.Glob(filepath.Join(after.Root, "sessions", "*.json"))
		return len(files) > 1
	})
	e := w.next(observe.Appeared, after.Dir)
	prompted(t, "a session that starts", e, <-there)
	after.See("❯")
	after.Say("hello")
	for e.Session.Last.Text != "Noted." {
		e = w.next(observe.Changed, after.Dir)
	}
	after.Say("/exit")
	if e := w.next(observe.Ended, after.Dir); e.Session.Ended == 0 {
		t.Errorf("ended %+v", e.Session)
	}
}

// TestADialogIsAskedAndSettledAsInTheTerminal: each kind, first declined, then
// answered.
func TestADialogIsAskedAndSettledAsInTheTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool  string
		input map[string]any
		args  []string
		kind  observe.AskKind
		key   string
		how   observe.How
	}{
		"question": {"AskUserQuestion", tui.Ask("Which database?", "PostgreSQL", "SQLite"), nil, observe.AskQuestion, "2", observe.Answered},
		"Bash":     {"Bash", map[string]any{"command": "sleep 1; touch done", "description": "wait"}, nil, observe.AskPermission, "1", observe.Allowed},
		"Write":    {"Write", map[string]any{"file_path": "new.txt", "content": "hello\n"}, nil, observe.AskPermission, "1", observe.Allowed},
		"plan":     {"ExitPlanMode", map[string]any{"plan": "# Plan\n\n1. Do it."}, []string{"--permission-mode", "plan"}, observe.AskPlan, "1", observe.Allowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks := fixture.Turn{"tool": c.tool, "input": c.input}
			m := tui.NewMachine(t)
			w := watch(t, filepath.Join(m.Home, ".claude"))
			s := m.Open(tui.Spec{Turns: []fixture.Turn{asks, asks, {"text": "Noted."}}, Args: c.args})
			for i, how := range []observe.How{observe.Declined, c.how} {
				ready := since(t, func() bool {
					return written(s.Root, i+1, `"name":"`+c.tool+`","type":"tool_use"`) && (c.kind == observe.AskQuestion || says(s, "waiting"))
				})
				s.Say(fmt.Sprint("please do ", i))
				e := w.opened(s)
				prompted(t, "the dialog", e, <-ready)
				if e.Ask.Kind != c.kind || e.Ask.Tool != c.tool || !e.Ask.MayShow || len(e.Session.Asks) != 1 {
					t.Errorf("opened %+v", e.Ask)
				}
				s.See("❯ 1.")
				settled := since(t, func() bool {
					return written(s.Root, i+1, `"type":"tool_result"`) || how == observe.Allowed && says(s, "busy")
				})
				if how == observe.Declined {
					s.Press("Escape")
				} else {
					s.Press(c.key)
				}
				e = w.settled(s)
				prompted(t, "its end", e, <-settled)
				if e.How != how || e.Ask.Kind != c.kind || len(e.Session.Asks) != 0 {
					t.Errorf("settled %s %+v, want %s", e.How, e.Ask, how)
				}
				if how == observe.Answered && (len(e.Answers) != 1 || e.Answers[0].Answer != "SQLite") {
					t.Errorf("answers %+v", e.Answers)
				}
			}
			s.See("Noted.")
		})
	}
}

// TestTwoQuestionsAreBothListed: only the screen says which of them is drawn.
func TestTwoQuestionsAreBothListed(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	w := watch(t, filepath.Join(m.Home, ".claude"))
	s := m.Open(tui.Spec{Turns: []fixture.Turn{{"blocks": []any{
		map[string]any{"tool": "AskUserQuestion", "input": tui.Ask("First?", "A", "B")},
		map[string]any{"tool": "AskUserQuestion", "input": tui.Ask("Second?", "C", "D")},
	}}, {"text": "Noted."}}})
	s.Say("ask me twice")
	w.opened(s)
	w.opened(s)
	s.See("Second?", "2. D")
	got, _ := w.Find(s.Presence().SessionID)
	if len(got.Asks) != 2 || !got.Asks[0].MayShow || !got.Asks[1].MayShow || !bytes.Contains(got.Asks[1].Input, []byte("Second?")) {
		t.Errorf("waits for %+v", got.Asks)
	}
	s.Press("2")
	if e := w.settled(s); e.Answers[0].Answer != "D" || len(e.Session.Asks) != 1 || !e.Session.Asks[0].MayShow {
		t.Errorf("settled %+v of %+v", e.Answers, e.Session.Asks)
	}
	s.See("2. B")
	s.Press("1")
	if e := w.settled(s); e.Answers[0].Answer != "A" {
		t.Errorf("settled %+v", e.Answers)
	}
}

// TestAKilledTerminalLeavesNoQuestion.
func TestAKilledTerminalLeavesNoQuestion(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	w := watch(t, filepath.Join(m.Home, ".claude"))
	s := m.Open(tui.Spec{Turns: []fixture.Turn{{"tool": "AskUserQuestion", "input": tui.Ask("Which?", "A", "B")}}})
	s.Say("ask me")
	w.opened(s)
	if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if e := w.settled(s); e.How != observe.Gone {
		t.Errorf("settled %s", e.How)
	}
	w.next(observe.Ended, s.Dir)
}

// TestTheRowGoesOnAfterClearAndResume under the same process.
func TestTheRowGoesOnAfterClearAndResume(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	w := watch(t, filepath.Join(m.Home, ".claude"))
	s := m.Open(tui.Spec{Turns: []fixture.Turn{{"text": "The first."}, {"text": "The second."}, {"text": "The third."}}})
	row := w.next(observe.Appeared, s.Dir).Session
	said := func(text string) observe.Session {
		t.Helper()
		for {
			if e := w.next(observe.Changed, s.Dir); e.Session.Last.Text == text {
				return e.Session
			}
		}
	}
	s.Say("one")
	first := said("The first.")
	s.Say("/clear")
	s.Until("another session", func() bool { return s.Presence().SessionID != first.SessionID })
	s.Say("two")
	second := said("The second.")
	if second.ID != row.ID || second.SessionID == first.SessionID || second.File == first.File {
		t.Errorf("after /clear %+v", second)
	}
	s.Say("/resume")
	s.See("Resume session", "❯ one")
	s.Press("Enter")
	s.Until("the first session", func() bool { return s.Presence().SessionID == first.SessionID })
	s.Say("three")
	if third := said("The third."); third.ID != row.ID || third.SessionID != first.SessionID || third.File != first.File {
		t.Errorf("after /resume %+v", third)
	}
}

// TestASubAgentsDialogIsNamed in the terminal's session.
func TestASubAgentsDialogIsNamed(t *testing.T) {
	t.Parallel()
	m := tui.NewMachine(t)
	w := watch(t, filepath.Join(m.Home, ".claude"))
	s := m.Open(tui.Spec{Turns: []fixture.Turn{
		{"tool": "Agent", "input": map[string]any{"description": "look around", "prompt": "do it", "subagent_type": "general-purpose"}},
		{"tool": "Bash", "input": map[string]any{"command": "touch here", "description": "touch"}},
		{"text": "Sub done."},
		{"text": "Noted."},
	}})
	s.Say("send somebody")
	e := w.opened(s)
	if e.Ask.Tool != "Bash" || e.Ask.Agent.Type != "general-purpose" || e.Ask.Agent.Description != "look around" || len(e.Session.Asks) != 1 {
		t.Errorf("opened %+v", e.Ask)
	}
	s.See("❯ 1.")
	s.Press("1")
	if e := w.settled(s); e.How != observe.Allowed {
		t.Errorf("settled %s", e.How)
	}
	s.See("Noted.")
}
