//go:build linux

package observe

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/observe/tui"
)

// racesEnv says how often the terminal and Beckon answer at once; a sample
// without it.
const racesEnv = "BECKON_RACES"

const sample = 5

// apart is how far the two answers are from each other at most. The dialog takes
// keys until the session has read what its hook printed, which may be half a
// second later: so every other time the terminal is that late, that either side
// wins now and then.
const (
	apart = 100 * time.Millisecond
	late  = 800 * time.Millisecond
)

// TestOfTwoAnswersInTheSameMomentOneWins (H6): no answer is lost, none counts
// twice, and Beckon says whose it was.
func TestOfTwoAnswersInTheSameMomentOneWins(t *testing.T) {
	t.Parallel()
	tries := sample
	if n, err := strconv.Atoi(os.Getenv(racesEnv)); err == nil {
		tries = n
	}
	m := tui.NewMachine(t)
	d := open(t, m)
	var turns []fixture.Turn
	for range tries {
		turns = append(turns, fixture.Turn{"tool": "AskUserQuestion", "input": tui.Ask("Which database?", "PostgreSQL", "SQLite")}, fixture.Turn{"text": "Noted."})
	}
	s := m.Open(tui.Spec{Turns: turns})
	tally := map[string]int{}
	pace := time.NewTicker(1200 * time.Millisecond) // a session may ask 60 times in a minute
	defer pace.Stop()
	for i := range tries {
		if tries > sample {
			<-pace.C
		}
		s.Say(fmt.Sprintf("try %d", i))
		q := d.asked(s, beckon.WayHook)
		s.See("❯ 1. PostgreSQL", "Esc to cancel")
		behind := time.Duration(0)
		if i%2 == 1 {
			behind = rand.N(late)
		}
		tally[race(t, d, s, q, behind)]++
		s.Until("the session is idle", func() bool { return s.Presence().Status == "idle" })
		s.Press("C-u") // the person's digit may have come too late for the dialog
	}
	if left := hooksOf(t, s); len(left) > 0 {
		t.Errorf("hooks that wait on: %q", left)
	}
	t.Logf("of %d: %v", tries, tally)
}

// race answers a question in Beckon and in its terminal, and returns who won.
func race(t *testing.T, d *desk, s *tui.Session, q beckon.Question, behind time.Duration) (winner string) {
	t.Helper()
	here, there := rand.N(apart), behind+rand.N(apart)
	before := len(resultsOf(s))
	sent := make(chan error, 1)
	go func() {
		time.Sleep(here)
		_, err := client.Call[any](d.Program, "AnswerQuestion", q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}})
		sent <- err
	}()
	time.Sleep(there)
	s.Press("1")
	err := <-sent
	now := d.answered(q.ID)
	results := resultsOf(s)[before:]
	kept := now.Answer.Items[0].Labels[0]
	says := func(label string) bool {
		return len(results) == 1 && strings.Contains(results[0], `"Which database?":"`+label+`"`)
	}
	var refused *client.Error
	switch {
	case says("SQLite") && kept == "SQLite" && now.Answer.By == beckon.ByUser && err == nil:
		return "Beckon"
	case says("PostgreSQL") && kept == "PostgreSQL" && now.Answer.By == beckon.ByTerminal && err == nil:
		return "the terminal, after Beckon had taken the other"
	case says("PostgreSQL") && kept == "PostgreSQL" && now.Answer.By == beckon.ByTerminal && errors.As(err, &refused) && refused.Code == "conflict":
		return "the terminal"
	}
	t.Errorf("%v here, %v there: %v; kept is %q by %s; the session has %q", here, there, err, kept, now.Answer.By, results)
	return "nobody"
}

// resultsOf returns the lines of a session's file that are results of calls.
func resultsOf(s *tui.Session) []string {
	return slices.DeleteFunc(s.Lines(), func(line string) bool { return !strings.Contains(line, `"tool_use_id":"`) })
}

// TestAKilledBeckonLeavesTheDialogsToTheTerminal (H7): ten hooks wait, all leave,
// and each question is answered where it was asked.
func TestAKilledBeckonLeavesTheDialogsToTheTerminal(t *testing.T) {
	t.Parallel()
	const many = 10
	m := tui.NewMachine(t)
	d := open(t, m)
	var blocks []any
	for i := range many {
		blocks = append(blocks, map[string]any{"tool": "AskUserQuestion", "input": tui.Ask(fmt.Sprintf("Question %d?", i), "Yes", "No")})
	}
	s := m.Open(tui.Spec{Turns: []fixture.Turn{{"blocks": blocks}, {"text": "All done."}}})
	s.Say("ask them all")
	d.askedAll(s, beckon.WayHook, many)
	s.Until("ten hooks", func() bool { return len(hooks(s)) == many })
	if err := d.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	hooksOf(t, s)
	t.Logf("all hooks had left after %v", time.Since(killed).Round(time.Millisecond))
	_ = d.Cmd.Wait() // which says that it was killed
	question := regexp.MustCompile(`(?m)^Question \d\?$`)
	var pressed time.Time
	s.Until("all to be answered", func() bool {
		screen := s.Screen()
		// A key that comes in the moment in which a dialog is drawn may be lost.
		if question.MatchString(screen) && time.Since(pressed) > 500*time.Millisecond {
			s.Press("1")
			pressed = time.Now()
		}
		return strings.Contains(screen, "All done.")
	})
	s.Until("all results to be written down", func() bool { return len(resultsOf(s)) >= many })
	for _, result := range resultsOf(s) {
		if !strings.Contains(result, `?":"Yes"`) {
			t.Errorf("the session has %s", result)
		}
	}
	if results := resultsOf(s); len(results) != many {
		t.Errorf("%d of %d were answered", len(results), many)
	}
}
