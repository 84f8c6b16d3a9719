package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/beckon"
	"beckon/backend/observe"
	"beckon/backend/question"
	"beckon/backend/store"
	"beckon/tests/timeout"
)

// patience is how long a test waits for what must happen.
var patience = timeout.For(30 * time.Second)

// claudePID is the session's process, and callers those above its hook.
const claudePID = 70

var callers = []int{90, 80, claudePID, 1}

const (
	sessionID = "0a0a0a0a-0000-4000-8000-000000000001"
	which     = `{"questions":[{"question":"Which one?","header":"Pick","multiSelect":false,"options":[{"label":"SQLite","description":""},{"label":"Postgres, managed","description":""}]}]}`
	several   = `{"questions":[{"question":"Which ones?","header":"Pick","multiSelect":true,"options":[{"label":"Auth","description":""},{"label":"Auth, strict","description":""},{"label":"Search","description":""}]}]}`
	command   = `{"command":"make"}`
)

// place is a Relay with a real desk on a real database.
type place struct {
	*Relay
	t     *testing.T
	desk  *question.Desk
	store *store.Store

	mu    sync.Mutex
	shown map[string]beckon.Question
	seen  map[string]beckon.OutsideSession
	ended []string // runs
}

func open(t *testing.T) *place {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir())
	must(t, err)
	p := &place{t: t, store: s, shown: map[string]beckon.Question{}, seen: map[string]beckon.OutsideSession{}}
	p.desk = question.New(s, func(e beckon.Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if e.Question != nil {
			p.shown[e.Question.ID] = *e.Question
		}
	})
	p.Relay = New(Config{
		Desk: p.desk, Check: func(string, string) (bool, *sessionfile.Result) { return true, nil },
		BeginRun: func(ctx context.Context, session string) (string, func(), error) {
			run := beckon.Run{Kind: beckon.ExternalRun, Session: session}
			err := s.AddRun(ctx, &run)
			return run.ID, func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.ended = append(p.ended, run.ID)
			}, err
		},
		Publish: func(o beckon.OutsideSession) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.seen[o.ID] = o
		},
		Gone: func(id string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.seen, id)
		},
	})
	p.fileIn = 20 * time.Millisecond
	t.Cleanup(func() {
		p.Close()
		must(t, s.Close())
	})
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *place) until(what string, look func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		p.mu.Lock()
		there := look()
		p.mu.Unlock()
		if there {
			return
		}
	}
	p.t.Fatalf("%s: not in %s", what, patience)
}

// asked waits for the nth question that was ever shown, and returns it.
func (p *place) asked(n int) (q beckon.Question) {
	p.t.Helper()
	p.until(fmt.Sprintf("%d questions", n), func() bool {
		all := []beckon.Question{}
		for _, q := range p.shown {
			all = append(all, q)
		}
		if len(all) < n {
			return false
		}
		slices.SortFunc(all, func(a, b beckon.Question) int { return int(a.Asked - b.Asked) })
		q = all[n-1]
		return true
	})
	return q
}

// settled waits until a question is no longer open.
func (p *place) settled(id string) (q beckon.Question) {
	p.t.Helper()
	p.until("the question to close", func() bool {
		q = p.shown[id]
		return q.Settlement != beckon.Open
	})
	return q
}

func lives(asks ...observe.Ask) observe.Session {
	return observe.Session{ID: "one", PID: claudePID, SessionID: sessionID, CWD: "/src/kestrel", Name: "fix upload", Status: observe.Waiting, Asks: asks}
}

func callOf(id, tool, input string) observe.Ask {
	return observe.Ask{ID: id, Tool: tool, Input: json.RawMessage(input), MayShow: true}
}

func (p *place) opens(a observe.Ask) {
	p.OnEvent(observe.Event{Kind: observe.Opened, Session: lives(a), Ask: &a})
}

func (p *place) closes(a observe.Ask, how observe.How, answers ...sessionfile.Answer) {
	p.OnEvent(observe.Event{Kind: observe.Settled, Session: lives(), Ask: &a, How: how, Answers: answers})
}

// hook is a hook that waits.
type hook struct {
	leave  context.CancelFunc
	output chan json.RawMessage
}

func (p *place) hook(tool, input string) *hook { return p.hookOf(HookCall{Pids: callers}, tool, input) }

func (p *place) hookOf(call HookCall, tool, input string) *hook {
	return p.hookWith(call, tool, input, "[]")
}

func (p *place) hookWith(call HookCall, tool, input, suggestions string) *hook {
	ctx, leave := context.WithCancel(p.t.Context())
	h := &hook{leave, make(chan json.RawMessage, 1)}
	text := fmt.Sprintf(`{"session_id":%q,"cwd":"/src/kestrel","hook_event_name":"PermissionRequest","tool_name":%q,"tool_input":%s,"permission_suggestions":%s}`, sessionID, tool, input, suggestions)
	call.Input = json.RawMessage(text)
	go func() { h.output <- p.OnHook(ctx, call) }()
	return h
}

// printed waits for what the hook prints.
func (h *hook) printed(t *testing.T) string {
	t.Helper()
	select {
	case out := <-h.output:
		return string(out)
	case <-time.After(patience):
		t.Fatal("the hook waits")
		panic("unreachable")
	}
}

// hooked waits until the only question has a hook.
func (p *place) hooked() {
	p.t.Helper()
	p.until("a hook", func() bool {
		s, ok := p.seen["one"]
		return ok && len(s.Asks) > 0 && !slices.ContainsFunc(s.Asks, func(a beckon.OutsideAsk) bool { return a.Way != beckon.WayHook })
	})
}

func pick(labels ...string) beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: labels}}}
}

func TestAnAnswerFromHereGoesBackThroughTheHook(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(p *place, a observe.Ask) *hook{
		"the file first": func(p *place, a observe.Ask) *hook {
			p.opens(a)
			return p.hook(a.Tool, string(a.Input))
		},
		"the hook first": func(p *place, a observe.Ask) *hook {
			h := p.hook(a.Tool, string(a.Input))
			p.asked(1) // by the hook's word alone
			p.opens(a)
			return h
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			p.OnEvent(observe.Event{Kind: observe.Appeared, Session: lives()})
			a := callOf("toolu_1", "AskUserQuestion", which)
			h := begin(p, a)
			q := p.asked(1)
			if q.Kind != beckon.Ask || q.Items[0].Text != "Which one?" || q.Policy != beckon.Wait || q.Origin != "fix upload · /src/kestrel" {
				t.Errorf("shown as %+v", q)
			}
			p.hooked()
			must(t, p.desk.Answer(t.Context(), q.ID, pick("Postgres, managed")))
			if out := h.printed(t); !strings.Contains(out, `"Which one?":"Postgres, managed"`) || !strings.Contains(out, `"behavior":"allow"`) {
				t.Errorf("the session reads %s", out)
			}
			if now := p.settled(q.ID); now.Delivered != 0 {
				t.Error("it counts as heard before the session says so")
			}
			p.closes(a, observe.Answered, sessionfile.Answer{Question: "Which one?", Answer: "Postgres, managed"})
			p.until("it to count as heard", func() bool { return p.shown[q.ID].Delivered != 0 })
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.shown) != 1 || p.shown[q.ID].Answer.By != beckon.ByUser {
				t.Errorf("%d questions, the first %+v", len(p.shown), p.shown[q.ID].Answer)
			}
		})
	}
}

func TestAnAnswerInTheTerminalClosesTheCardAndLetsTheHookGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, input string
		how         observe.How
		answer      string
		words       string
		want        beckon.Answer
	}{
		"a label":          {"AskUserQuestion", which, observe.Answered, "SQLite", "", pick("SQLite")},
		"a label, a comma": {"AskUserQuestion", which, observe.Answered, "Postgres, managed", "", pick("Postgres, managed")},
		"words":            {"AskUserQuestion", which, observe.Answered, "neither", "", beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{}, Other: "neither"}}}},
		"several and words": {"AskUserQuestion", several, observe.Answered, "Auth, strict, Search, and more, please", "", beckon.Answer{
			Items: []beckon.ItemAnswer{{Labels: []string{"Auth, strict", "Search"}, Other: "and more, please"}},
		}},
		"allowed": {"Bash", command, observe.Allowed, "", "", beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: beckon.AllowOnce}},
		"denied":  {"Bash", command, observe.Declined, "", "not now", beckon.Answer{Items: []beckon.ItemAnswer{}, Verdict: beckon.Deny, Text: "not now"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			a := callOf("toolu_1", c.tool, c.input)
			p.opens(a)
			h := p.hook(c.tool, c.input)
			q := p.asked(1)
			p.hooked()
			e := observe.Event{Kind: observe.Settled, Session: lives(), Ask: &a, How: c.how, Words: c.words}
			if c.answer != "" {
				e.Answers = []sessionfile.Answer{{Question: q.Items[0].Text, Answer: c.answer}}
			}
			p.OnEvent(e)
			if out := h.printed(t); out != "" {
				t.Errorf("the hook prints %s", out)
			}
			got := *p.settled(q.ID).Answer
			got.At = 0
			c.want.By = beckon.ByTerminal
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("kept as %+v, want %+v", got, c.want)
			}
			if err := p.desk.Answer(t.Context(), q.ID, pick("SQLite")); !errors.Is(err, beckon.ErrConflict) && !errors.Is(err, beckon.ErrInvalid) {
				t.Errorf("answered again: %v", err)
			}
		})
	}
}

func TestWhatNobodyAnsweredClosesWithTheReason(t *testing.T) {
	t.Parallel()
	for how, reason := range map[observe.How]string{observe.Interrupted: errInterrupted.Error(), observe.Gone: errEnded.Error()} {
		p := open(t)
		a := callOf("toolu_1", "Bash", command)
		p.opens(a)
		q := p.asked(1)
		p.closes(a, how)
		if now := p.settled(q.ID); now.Settlement != beckon.Withdrawn || now.Reason.String() != reason {
			t.Errorf("%s: %s, %q", how, now.Settlement, now.Reason)
		}
	}
}

// answersHook has the hook of a call wait, answers it here, and returns its question and
// what the hook prints.
func (p *place) answersHook(a observe.Ask, given beckon.Answer) (q beckon.Question, printed string) {
	p.t.Helper()
	h := p.hook(a.Tool, string(a.Input))
	q = p.asked(1)
	p.hooked()
	must(p.t, p.desk.Answer(p.t.Context(), q.ID, given))
	return q, h.printed(p.t)
}

func TestADenialFromHereIsHeardOnceTheCallFailedWithItsWords(t *testing.T) {
	t.Parallel()
	for words, by := range map[string]beckon.By{"Hook says: not now": beckon.ByUser, "exit status 1": beckon.ByTerminal} {
		p := open(t)
		a := callOf("toolu_1", "Bash", command)
		p.opens(a)
		q, out := p.answersHook(a, beckon.Answer{Verdict: beckon.Deny, Text: "not now"})
		if !strings.Contains(out, "not now") {
			t.Errorf("the session reads %s", out)
		}
		p.OnEvent(observe.Event{Kind: observe.Settled, Session: lives(), Ask: &a, How: observe.Allowed, Words: words})
		p.until("it to count as heard", func() bool { return p.shown[q.ID].Delivered != 0 })
		if now := p.settled(q.ID); now.Answer.By != by {
			t.Errorf("after %q it was answered by %s", words, now.Answer.By)
		}
	}
}

// TestADenialFromHereIsHeardLate: the session goes on, as if it ran the call, and
// only then writes down that it was denied.
func TestADenialFromHereIsHeardLate(t *testing.T) {
	t.Parallel()
	p := open(t)
	var result atomic.Pointer[sessionfile.Result]
	p.Check = func(string, string) (bool, *sessionfile.Result) { return false, result.Load() }
	a := callOf("toolu_1", "Bash", command)
	p.opens(a)
	q, _ := p.answersHook(a, beckon.Answer{Verdict: beckon.Deny, Text: "not now"})
	p.closes(a, observe.Allowed)
	time.AfterFunc(3*lookAgain, func() { result.Store(&sessionfile.Result{Words: "not now"}) })
	p.until("it to count as heard", func() bool { return p.shown[q.ID].Delivered != 0 })
	if now := p.settled(q.ID); now.Answer.By != beckon.ByUser || now.Answer.Verdict != beckon.Deny {
		t.Errorf("kept as %+v", now.Answer)
	}
}

// TestAnAnswerIsHeardHoweverTheSessionWritesIt: labels in the order of the
// options, and lines ended as by the key Enter.
func TestAnAnswerIsHeardHoweverTheSessionWritesIt(t *testing.T) {
	t.Parallel()
	for there, here := range map[string]beckon.ItemAnswer{
		"Auth, Search":              {Labels: []string{"Search", "Auth"}},
		"Search, one\rtwo\r\nthree": {Labels: []string{"Search"}, Other: "one\ntwo\nthree"},
	} {
		p := open(t)
		a := callOf("toolu_1", "AskUserQuestion", several)
		p.opens(a)
		q, _ := p.answersHook(a, beckon.Answer{Items: []beckon.ItemAnswer{here}})
		p.closes(a, observe.Answered, sessionfile.Answer{Question: "Which ones?", Answer: there})
		p.until("it to count as heard", func() bool { return p.shown[q.ID].Delivered != 0 })
		if now := p.settled(q.ID); now.Answer.By != beckon.ByUser {
			t.Errorf("%q was answered by %s", there, now.Answer.By)
		}
	}
}

// TestAHookWhoseCallIsNowhereLeavesOnceNobodyIsWaitedFor, with or without an
// answer from here: its dialog is gone.
func TestAHookWhoseCallIsNowhereLeavesOnceNobodyIsWaitedFor(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.doubtIn = 500 * time.Millisecond // more than two events take one after the other
	p.OnEvent(observe.Event{Kind: observe.Appeared, Session: lives()})
	h := p.hook("Bash", command)
	q := p.asked(1)
	given := p.hook("Bash", `{"command":"make 2"}`)
	answered := p.asked(2)
	if answered.ID == q.ID {
		q = p.asked(1)
	}
	must(t, p.desk.Answer(t.Context(), answered.ID, beckon.Answer{Verdict: beckon.AllowOnce}))
	given.printed(t)
	idle := lives()
	idle.Status = observe.Idle
	p.OnEvent(observe.Event{Kind: observe.Changed, Session: idle})
	p.OnEvent(observe.Event{Kind: observe.Changed, Session: lives()}) // it waits once more: no doubt
	time.Sleep(2 * p.doubtIn)
	if now := p.asked(1); now.ID == q.ID && now.Settlement != beckon.Open {
		t.Errorf("while its dialog was drawn it was %s", now.Settlement)
	}
	p.OnEvent(observe.Event{Kind: observe.Changed, Session: idle})
	if out := h.printed(t); out != "" {
		t.Errorf("the hook prints %s", out)
	}
	if now := p.settled(q.ID); now.Reason.String() != errHookLeft.Error() {
		t.Errorf("%s, %q", now.Settlement, now.Reason)
	}
	p.until("the answer to count as heard", func() bool { return p.shown[answered.ID].Delivered != 0 })
}

func TestWithoutAHookAQuestionIsShownAndAnsweredInItsTerminal(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.opens(callOf("toolu_1", "Bash", command))
	q := p.asked(1)
	allow := beckon.Answer{Verdict: beckon.AllowOnce}
	if typed, err := p.Answer(t.Context(), q.ID, allow); !typed || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("it can be answered: %t, %v", typed, err)
	}
	if typed, err := p.Answer(t.Context(), "another", allow); typed || err != nil {
		t.Errorf("a question of Beckon's own: %t, %v", typed, err)
	}
	h := p.hook("Bash", command)
	p.hooked()
	if typed, err := p.Answer(t.Context(), q.ID, allow); typed || err != nil {
		t.Errorf("with a hook: %t, %v", typed, err)
	}
	h.leave()
	h.printed(t)
	if typed, err := p.Answer(t.Context(), q.ID, allow); !typed || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("after the hook left: %t, %v", typed, err)
	}
	if now := p.asked(1); now.Settlement != beckon.Open {
		t.Errorf("with the hook's end it was %s", now.Settlement)
	}
}

// TestACallThatIsWrittenDownAtTheLastMomentIsOneQuestion: between the last look for
// it and the moment in which the hook is taken at its word.
func TestACallThatIsWrittenDownAtTheLastMomentIsOneQuestion(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.opens(callOf("toolu_1", "Bash", command))
	q := p.asked(1)
	c := p.told(HookCall{Pids: callers}, claude.HookInput{SessionID: sessionID, ToolName: "Bash", ToolInput: json.RawMessage(command)})
	if c == nil || c.id != q.ID {
		t.Errorf("the hook is for %+v, and not for what is asked already", c)
	}
}

// TestTwoEqualCallsAreEachAnsweredByTheirOwnHook, the oldest first.
func TestTwoEqualCallsAreEachAnsweredByTheirOwnHook(t *testing.T) {
	t.Parallel()
	p := open(t)
	first, second := callOf("toolu_1", "Bash", command), callOf("toolu_2", "Bash", command)
	p.opens(first)
	one := p.asked(1)
	p.OnEvent(observe.Event{Kind: observe.Opened, Session: lives(first, second), Ask: &second})
	p.asked(2)
	h1, h2 := p.hook("Bash", command), p.hook("Bash", `{ "command" : "make" }`)
	p.hooked()
	must(t, p.desk.Answer(t.Context(), one.ID, beckon.Answer{Verdict: beckon.Deny, Text: "not that one"}))
	var denied string
	select {
	case out := <-h1.output:
		denied = string(out)
	case out := <-h2.output:
		denied = string(out)
	case <-time.After(patience):
		t.Fatal("no hook was let go")
	}
	if !strings.Contains(denied, "not that one") {
		t.Errorf("the session reads %s", denied)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if open := len(p.shown); open != 2 {
		t.Errorf("there are %d questions", open)
	}
}

func TestAHookThatNoFileTellsOfIsTakenAtItsWordUntilItLeaves(t *testing.T) {
	t.Parallel()
	p := open(t)
	h := p.hook("Bash", command)
	q := p.asked(1)
	if q.Origin != "says it is in /src/kestrel" {
		t.Errorf("it comes from %q", q.Origin)
	}
	if listed := p.Sessions(); len(listed) != 0 {
		t.Errorf("a session that nobody has seen is listed: %+v", listed)
	}
	h.leave()
	if now := p.settled(q.ID); now.Settlement != beckon.Withdrawn || now.Reason.String() != errHookLeft.Error() {
		t.Errorf("%s, %q", now.Settlement, now.Reason)
	}
}

// TestAHookThatIsQuickerThanTheWatcherHasOneQuestion: the session is found, and
// its file read, after the hook was taken at its word.
func TestAHookThatIsQuickerThanTheWatcherHasOneQuestion(t *testing.T) {
	t.Parallel()
	p := open(t)
	h := p.hook("Bash", command)
	q := p.asked(1)
	a := callOf("toolu_1", "Bash", command)
	p.OnEvent(observe.Event{Kind: observe.Appeared, Session: lives()})
	p.opens(a)
	p.hooked()
	must(t, p.desk.Answer(t.Context(), q.ID, beckon.Answer{Verdict: beckon.AllowOnce}))
	if out := h.printed(t); !strings.Contains(out, "allow") {
		t.Errorf("the session reads %s", out)
	}
	p.closes(a, observe.Allowed)
	p.until("it to count as heard", func() bool { return len(p.shown) == 1 && p.shown[q.ID].Delivered != 0 })
}

// TestOneOfTwoAnswersWins, wherever the two meet.
func TestOneOfTwoAnswersWins(t *testing.T) {
	t.Parallel()
	for range 10 {
		p := open(t) // more of one session would be a flood
		for n := range 20 {
			p.race(n)
		}
	}
}

// race answers the nth question here and in the terminal, at once.
func (p *place) race(n int) {
	p.t.Helper()
	a := callOf(fmt.Sprintf("toolu_%d", n), "AskUserQuestion", which)
	p.opens(a)
	h := p.hook(a.Tool, string(a.Input))
	q := p.asked(n + 1)
	p.hooked()
	here := make(chan error, 1)
	pause := func() { time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond) }
	go func() {
		pause()
		here <- p.desk.Answer(p.t.Context(), q.ID, pick("SQLite"))
	}()
	pause()
	p.closes(a, observe.Answered, sessionfile.Answer{Question: "Which one?", Answer: "Postgres, managed"})
	err := <-here
	if out := h.printed(p.t); errors.Is(err, beckon.ErrConflict) && out != "" {
		p.t.Fatalf("%d: what was refused was sent: %s", n, out)
	}
	p.until("the terminal's word", func() bool {
		now := p.shown[q.ID]
		return now.Delivered != 0 && now.Answer.By == beckon.ByTerminal && now.Answer.Items[0].Labels[0] == "Postgres, managed"
	})
}

func TestBeckonsEndLetsTheHooksGoAndEndsTheRuns(t *testing.T) {
	t.Parallel()
	p := open(t)
	var hooks []*hook
	for n := range 10 {
		input := fmt.Sprintf(`{"command":"make %d"}`, n)
		p.opens(callOf(fmt.Sprintf("toolu_%d", n), "Bash", input))
		hooks = append(hooks, p.hook("Bash", input))
	}
	p.asked(10)
	p.hooked()
	p.Close()
	for _, h := range hooks {
		if out := h.printed(t); out != "" {
			t.Errorf("a hook prints %s", out)
		}
	}
	for id := range p.shown {
		if now := p.settled(id); now.Settlement != beckon.Withdrawn || now.Reason.String() != errQuit.Error() {
			t.Errorf("%s, %q", now.Settlement, now.Reason)
		}
	}
	if len(p.ended) != 1 {
		t.Errorf("%d runs ended, want the session's", len(p.ended))
	}
	p.opens(callOf("toolu_late", "Bash", command)) // which does nothing
	if out := p.hook("Bash", command).printed(t); out != "" {
		t.Errorf("a late hook prints %s", out)
	}
}

func TestASessionThatIsNoLongerListedTakesItsQuestionsAlong(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.opens(callOf("toolu_1", "Bash", command))
	q := p.asked(1)
	p.OnEvent(observe.Event{Kind: observe.Left, Session: lives()})
	if now := p.settled(q.ID); now.Settlement != beckon.Withdrawn {
		t.Errorf("it is %s", now.Settlement)
	}
	p.until("the run's end", func() bool { return len(p.ended) == 1 })
	if listed := p.Sessions(); len(listed) != 0 {
		t.Errorf("still listed: %+v", listed)
	}
}

// TestASessionInAWorktreeNamesItsRepository, once that was found; and its folder is
// shown as people write it.
func TestASessionInAWorktreeNamesItsRepository(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.Home = "/src"
	p.Repo = func(dir string) string { return "/repos/of" + dir }
	a := callOf("toolu_1", "Bash", command)
	p.opens(a)
	if q := p.asked(1); !strings.HasSuffix(q.Origin, "~/kestrel") {
		t.Errorf("it comes from %q", q.Origin)
	}
	p.until("its repository", func() bool {
		for _, s := range p.seen {
			if s.Repo == "/repos/of"+s.Dir {
				return true
			}
		}
		return false
	})
	p.closes(a, observe.Gone)
}
