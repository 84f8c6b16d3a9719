package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/observe"
	"beckon/backend/observe/dialog"
)

var edge = strings.Repeat("─", 120)

// The screens of version 2.1.197 that the tests need.
var (
	idleScreen    = "● Done.\n\n" + edge + "\n❯\u00a0\n" + edge + "\n  ? for shortcuts"
	whichScreen   = edge + "\n ☐ Pick\n\nWhich one?\n\n❯ 1. SQLite\n  2. Postgres, managed\n  3. Type something.\n" + edge + "\n  4. Chat about this\n\nEnter to select · ↑/↓ to navigate · Esc to cancel"
	commandScreen = edge + "\n Bash command\n\n   make\n   Run shell command\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don't ask again for: make *\n   3. No\n\n Esc to cancel · Tab to amend"
)

// pane is a terminal with what the session's file says of its call.
type pane struct {
	mu     sync.Mutex
	text   string
	screen func() // called before each look, with mu held
	keys   []string
	onKey  func(key string) // with mu held
	open   bool
	result *sessionfile.Result
}

func (p *pane) ID() string { return "a pane" }

func (p *pane) Screen(context.Context) (dialog.Screen, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen != nil {
		p.screen()
	}
	return dialog.Screen{Text: p.text, Width: 120, Height: 40}, nil
}

func (p *pane) Key(_ context.Context, key string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = append(p.keys, key)
	if p.onKey != nil {
		p.onKey(key)
	}
	return nil
}

func (p *pane) Paste(ctx context.Context, text string) error { return p.Key(ctx, text) }

func (p *pane) typed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.keys, " ")
}

// takes is what a dialog does with a key that answers it: it goes, and the file
// has the result.
func (p *pane) takes(result sessionfile.Result) func(string) {
	return func(string) { p.open, p.result, p.text = false, &result, idleScreen }
}

// inTmux is a place whose session is drawn in a pane.
func inTmux(t *testing.T) (*place, *pane) {
	t.Helper()
	p, on := open(t), &pane{open: true, text: idleScreen}
	p.Terminal = func(context.Context, observe.Session) (dialog.Terminal, error) { return on, nil }
	p.Check = func(string, string) (bool, *sessionfile.Result) {
		on.mu.Lock()
		defer on.mu.Unlock()
		return on.open, on.result
	}
	return p, on
}

// drawn is the session in its pane.
func drawn(version string, asks ...observe.Ask) observe.Session {
	s := lives(asks...)
	s.Version, s.Terminal = version, observe.Terminal{TmuxSocket: "/tmp/tmux", TmuxPane: "%3"}
	return s
}

const tested = "2.1.197"

func (p *place) draws(version string, all ...observe.Ask) {
	a := all[len(all)-1]
	p.OnEvent(observe.Event{Kind: observe.Opened, Session: drawn(version, all...), Ask: &a})
}

func answers(text string) sessionfile.Result {
	return sessionfile.Result{Outcome: sessionfile.Answered, Answers: []sessionfile.Answer{{Question: "Which one?", Answer: text}}}
}

func (p *place) types(q beckon.Question, a beckon.Answer) error {
	p.t.Helper()
	typed, err := p.Answer(p.t.Context(), q.ID, a)
	if !typed {
		p.t.Error("it is not answered by keys")
	}
	return err
}

// TestAnAnswerWaitsUntilItsDialogIsDrawn: the file has the call before that.
func TestAnAnswerWaitsUntilItsDialogIsDrawn(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	looks := 0
	on.screen = func() {
		if looks++; looks == 4 {
			on.text = whichScreen
		}
	}
	on.onKey = on.takes(answers("Postgres, managed"))
	p.draws(tested, callOf("toolu_1", "AskUserQuestion", which))
	q := p.asked(1)
	must(t, p.types(q, pick("Postgres, managed")))
	if typed := on.typed(); typed != "2" {
		t.Errorf("typed %q", typed)
	}
	if now := p.settled(q.ID); now.Settlement != beckon.Answered || now.Answer.By != beckon.ByUser {
		t.Errorf("it is %s, by %+v", now.Settlement, now.Answer)
	}
}

// TestAnAnswerWaitsUntilItsSessionSaysThatItWaits: the dialog may be drawn before
// that is written down.
func TestAnAnswerWaitsUntilItsSessionSaysThatItWaits(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	on.text, on.open = whichScreen, false
	on.onKey = on.takes(answers("SQLite"))
	p.draws(tested, callOf("toolu_1", "AskUserQuestion", which))
	q := p.asked(1)
	time.AfterFunc(3*lookAgain, func() {
		on.mu.Lock()
		defer on.mu.Unlock()
		on.open = true
	})
	must(t, p.types(q, pick("SQLite")))
	if typed := on.typed(); typed != "1" {
		t.Errorf("typed %q", typed)
	}
}

// staysOpen checks that an answer to what a screen shows is refused for a reason, with
// those keys typed by then, and that its question stays open.
func staysOpen(t *testing.T, screen string, why dialog.Reason, keys string) {
	t.Helper()
	p, on := inTmux(t)
	on.text = screen
	p.draws(tested, callOf("toolu_1", "AskUserQuestion", which))
	q := p.asked(1)
	if err := p.types(q, pick("SQLite")); !errors.Is(err, dialog.Because(why)) || beckon.FailureOf(err).Problem != why {
		t.Errorf("%v; want it refused for %s", err, why)
	}
	if typed := on.typed(); typed != keys || p.asked(1).Settlement != beckon.Open {
		t.Errorf("typed %q, and the question is %s", typed, p.asked(1).Settlement)
	}
}

// TestAnotherDialogIsNotWaitedOutForEver, and gets no key.
func TestAnotherDialogIsNotWaitedOutForEver(t *testing.T) {
	t.Parallel()
	staysOpen(t, commandScreen, dialog.OtherDialog, "")
}

// TestAnAnswerThatWasNotTakenIsTypedOnce, and the question stays open (T2).
func TestAnAnswerThatWasNotTakenIsTypedOnce(t *testing.T) {
	t.Parallel()
	staysOpen(t, whichScreen, dialog.NotTaken, "1")
}

// takenAtOnce has a session ask whose dialog takes the first key as SQLite, and whose file
// says so while that key is typed. It returns the question.
func (p *place) takenAtOnce(on *pane) beckon.Question {
	p.t.Helper()
	on.text = whichScreen
	a := callOf("toolu_1", "AskUserQuestion", which)
	there := answers("SQLite")
	on.onKey = func(key string) {
		on.takes(there)(key)
		p.closes(a, observe.Answered, there.Answers...)
	}
	p.draws(tested, a)
	return p.asked(1)
}

// full is a desk that has no room for an answer.
type full struct{ Desk }

var errFull = errors.New("the disk is full")

func (full) Answer(context.Context, string, beckon.Answer) error { return errFull }

// TestAnAnswerThatWasTypedAndCannotBeKeptClosesItsQuestion: the session has it, and
// would never be asked again.
func TestAnAnswerThatWasTypedAndCannotBeKeptClosesItsQuestion(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	p.Desk = full{p.Desk}
	q := p.takenAtOnce(on)
	if err := p.types(q, pick("SQLite")); !errors.Is(err, errFull) {
		t.Errorf("%v; want that there is no room", err)
	}
	if now := p.settled(q.ID); now.Settlement != beckon.Answered || now.Answer.Items[0].Labels[0] != "SQLite" {
		t.Errorf("it is %s with %+v", now.Settlement, now.Answer)
	}
}

// TestWhatIsAnsweredThereMeanwhileCounts (T2): the person at the terminal was
// quicker, and who answered here learns it.
func TestWhatIsAnsweredThereMeanwhileCounts(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	q := p.takenAtOnce(on)
	if err := p.types(q, pick("Postgres, managed")); !errors.Is(err, dialog.Because(dialog.Answered)) || !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("%v; want it answered there", err)
	}
	if now := p.settled(q.ID); now.Answer.By != beckon.ByTerminal || now.Answer.Items[0].Labels[0] != "SQLite" {
		t.Errorf("kept as %+v", now.Answer)
	}
}

// TestOfTwoQuestionsTheOneOnTheScreenIsAnswered by keys, and the other later (Q7): the
// screen says which it is, whatever the order of the calls.
func TestOfTwoQuestionsTheOneOnTheScreenIsAnswered(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"Bash", "AskUserQuestion"}, {"AskUserQuestion", "Bash"}} {
		t.Run(strings.Join(order, " before "), func(t *testing.T) {
			t.Parallel()
			p, on := inTmux(t)
			on.text = whichScreen
			var calls []observe.Ask
			for i, tool := range order {
				calls = append(calls, callOf(fmt.Sprint("toolu_", i), tool, map[string]string{"Bash": command, "AskUserQuestion": which}[tool]))
				p.draws(tested, calls...)
				p.asked(i + 1)
			}
			p.until("both to be listed", func() bool { return len(p.seen["one"].Asks) == 2 })
			for _, a := range p.Sessions()[0].Asks {
				if a.Way != beckon.WayKeys || a.OnScreen {
					t.Errorf("listed as %+v", a)
				}
			}
			hidden, shown := p.of("make"), p.of("")
			if err := p.types(hidden, beckon.Answer{Verdict: beckon.AllowOnce}); !errors.Is(err, dialog.Because(dialog.OtherDialog)) || on.typed() != "" {
				t.Errorf("the other one: %v, typed %q", err, on.typed())
			}
			on.mu.Lock()
			on.onKey = on.takes(answers("SQLite"))
			on.mu.Unlock()
			must(t, p.types(shown, pick("SQLite")))
			if typed := on.typed(); typed != "1" {
				t.Errorf("typed %q", typed)
			}
		})
	}
}

// TestASessionThatIsInNoTmuxIsAnsweredInItsTerminal: no key can reach it.
func TestASessionThatIsInNoTmuxIsAnsweredInItsTerminal(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.opens(callOf("toolu_1", "Bash", command))
	q := p.asked(1)
	if err := p.types(q, beckon.Answer{Verdict: beckon.AllowOnce}); beckon.FailureOf(err).Problem != problem.InTerminal {
		t.Errorf("%v; want it left to the terminal", err)
	}
}

// of returns the question for leave to run a command, or for "" the one that asks.
func (p *place) of(command string) (q beckon.Question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.shown {
		if one.Permission != nil && one.Permission.Command == command || one.Permission == nil && command == "" {
			q = one
		}
	}
	return q
}

// TestAnUnknownVersionIsAskedAboutBeforeItsFirstKey, once for all of its sessions.
func TestAnUnknownVersionIsAskedAboutBeforeItsFirstKey(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	on.text = whichScreen
	on.onKey = on.takes(answers("SQLite"))
	p.draws("9.9.9", callOf("toolu_1", "AskUserQuestion", which))
	q := p.asked(1)
	f := beckon.FailureOf(p.types(q, pick("SQLite")))
	if f.Problem != dialog.Untested || f.Data["version"] != "9.9.9" || on.typed() != "" {
		t.Errorf("refused as %+v after the keys %q", f, on.typed())
	}
	must(t, p.AllowKeys(q.ID))
	must(t, p.types(q, pick("SQLite")))
	if typed := on.typed(); typed != "1" {
		t.Errorf("typed %q", typed)
	}
	if err := p.AllowKeys("another"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("for no question: %v", err)
	}
}

// TestAlwaysIsTheRowThatTheTerminalOffers: its words are on the card, and it is
// the one that is pressed. With a hook they are what the hook suggests.
func TestAlwaysIsTheRowThatTheTerminalOffers(t *testing.T) {
	t.Parallel()
	p, on := inTmux(t)
	on.text = commandScreen
	a := callOf("toolu_1", "Bash", command)
	p.draws(tested, a)
	q := p.asked(1)
	offers := func(words string) {
		t.Helper()
		p.until("it offers "+words, func() bool { return p.shown[q.ID].Permission.Always == words })
	}
	const row = "Yes, and don't ask again for: make *"
	offers(row)
	h := p.hookWith(HookCall{Pids: callers}, "Bash", command, `[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"make"}],"behavior":"allow","destination":"localSettings"}]`)
	offers("Bash(make)")
	h.leave()
	h.printed(t)
	offers(row)
	on.mu.Lock()
	on.text = strings.ReplaceAll(commandScreen, "make *", "anything")
	on.mu.Unlock()
	if err := p.types(q, beckon.Answer{Verdict: beckon.AllowAlways}); !errors.Is(err, dialog.Because(dialog.NoChoice)) || on.typed() != "" {
		t.Errorf("another row was pressed: %v, %q", err, on.typed())
	}
	on.mu.Lock()
	on.text, on.onKey = commandScreen, on.takes(sessionfile.Result{})
	on.mu.Unlock()
	must(t, p.types(q, beckon.Answer{Verdict: beckon.AllowAlways}))
	if typed := on.typed(); typed != "2" {
		t.Errorf("typed %q", typed)
	}
}

// TestAHookOfAnotherProcessIsNotTakenForTheSessions (S-e): it gets no answer that
// was meant for it.
func TestAHookOfAnotherProcessIsNotTakenForTheSessions(t *testing.T) {
	t.Parallel()
	for name, pids := range map[string][]int{"another's": {91, 81, 71, 1}, "one that cannot be checked": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			p.opens(callOf("toolu_1", "Bash", command))
			real := p.asked(1)
			h := p.hookOf(HookCall{Pids: pids}, "Bash", command)
			claim := p.asked(2)
			if claim.ID == real.ID {
				claim = p.asked(1)
			}
			if claim.Origin != "says it is in /src/kestrel" {
				t.Errorf("it comes from %q", claim.Origin)
			}
			if way := p.Sessions()[0].Asks[0].Way; way != beckon.WayTerminal {
				t.Errorf("the session's own question is answered by %s", way)
			}
			must(t, p.desk.Answer(t.Context(), claim.ID, beckon.Answer{Verdict: beckon.AllowOnce}))
			if out := h.printed(t); !strings.Contains(out, "allow") {
				t.Errorf("it reads %s", out)
			}
			p.until("its run's end", func() bool { return len(p.ended) == 1 })
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.shown[real.ID].Settlement != beckon.Open {
				t.Error("the session's own question closed")
			}
		})
	}
}

// TestTheHooksTerminalBeatsTheEnvironments, for as long as the session is listed.
func TestTheHooksTerminalBeatsTheEnvironments(t *testing.T) {
	t.Parallel()
	p, _ := inTmux(t)
	a := callOf("toolu_1", "Bash", command)
	p.draws(tested, a)
	p.asked(1)
	h := p.hookOf(HookCall{Pids: callers, Tmux: "/tmp/other,7,0", Pane: "%9"}, "Bash", command)
	p.hooked()
	h.leave()
	h.printed(t)
	p.OnEvent(observe.Event{Kind: observe.Changed, Session: drawn(tested, a)})
	now, _ := p.Session("one")
	if now.Terminal != (observe.Terminal{TmuxSocket: "/tmp/other", TmuxPane: "%9"}) {
		t.Errorf("it is in %+v", now.Terminal)
	}
}

// TestOneSessionCannotAskWithoutEnd (S-d): what is beyond the limit is asked in
// its terminal alone.
func TestOneSessionCannotAskWithoutEnd(t *testing.T) {
	t.Parallel()
	p := open(t)
	var hooks []*hook
	for n := range mostAsks {
		hooks = append(hooks, p.hook("Bash", fmt.Sprintf(`{"command":"make %d"}`, n)))
	}
	p.asked(mostAsks)
	if out := p.hook("Bash", command).printed(t); out != "" {
		t.Errorf("one too many prints %s", out)
	}
	hooks[0].leave()
	hooks[0].printed(t)
	again := p.hook("Bash", command)
	p.asked(mostAsks + 1)
	again.leave()
}

func TestAllHooksTogetherAreLimited(t *testing.T) {
	t.Parallel()
	r := New(Config{})
	for range mostHooks {
		if !r.enter() {
			t.Fatal("one of the first was refused")
		}
	}
	if r.enter() {
		t.Error("one too many was taken")
	}
	r.leave()
	if !r.enter() {
		t.Error("after one left, none comes in")
	}
}

// TestASessionOfHooksAloneGoesWithItsLast: with the watch off no file tells that
// an answer was heard.
func TestASessionOfHooksAloneGoesWithItsLast(t *testing.T) {
	t.Parallel()
	p := open(t)
	for n := range 3 {
		h := p.hook("Bash", command)
		q := p.asked(n + 1)
		must(t, p.desk.Answer(t.Context(), q.ID, beckon.Answer{Verdict: beckon.AllowOnce}))
		if out := h.printed(t); !strings.Contains(out, "allow") {
			t.Errorf("the session reads %s", out)
		}
		p.until("it to count as heard", func() bool { return p.shown[q.ID].Delivered != 0 })
		p.until("the run's end", func() bool { return len(p.ended) == n+1 })
	}
	p.Relay.mu.Lock()
	defer p.Relay.mu.Unlock()
	if len(p.sessions) != 0 {
		t.Errorf("%d sessions are kept", len(p.sessions))
	}
}

func TestARowIsOfferedOnlyWhereItIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	for want, rows := range map[string][]string{
		"Yes, always": {"Yes", "Yes, always", "No"},
		"":            {"Yes", "Yes, always", "Yes, and more", "No"},
	} {
		if got := alwaysRow(rows); got != want || !slices.Contains(rows, "Yes") {
			t.Errorf("of %q: %q", rows, got)
		}
	}
}
