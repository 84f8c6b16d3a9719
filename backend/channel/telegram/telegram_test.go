package telegram

import (
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/telegram/api"
	"beckon/tests/telegramtest"
	"beckon/tests/timeout"
)

func database(id string) beckon.Question {
	return beckon.Question{ID: id, TaskID: "t" + id, Kind: beckon.Ask, Items: []beckon.QuestionItem{
		{Text: "Which database for " + id + "?", Options: []beckon.Option{{Label: "SQLite"}, {Label: "Postgres"}}},
	}}
}

// served is a world with a bot and Mira, who is paired.
func served(t *testing.T) (*world, *telegramtest.Person) {
	t.Helper()
	w := newWorld(t)
	p := w.pair()
	stop := w.run(0)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return w, p
}

func (w *world) answers(id string, want ...string) {
	w.t.Helper()
	w.eventually("an answer to "+id, func() bool { return len(w.given[id]) >= len(want) })
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.given[id], want) {
		w.t.Errorf("%s is answered %q, want %q", id, w.given[id], want)
	}
}

func TestAPressAnswersAndTheMessageSaysSo(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	m := w.s.WaitMessage(mira, "Which database for 1?")
	pressed := p.Press(mira, m.ID, "Postgres")
	w.answers("1", " Postgres")
	if got := pressed.Toast(); got != "Sent." {
		t.Errorf("%q", got)
	}
	settled := w.s.WaitMessage(mira, "KES-1 · Answered: Postgres, by @mira, 14:31")
	if settled.ID != m.ID || len(settled.Buttons) != 0 {
		t.Errorf("%+v", settled)
	}
}

func TestWhoComesSecondHearsWhoWasFirst(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	m := w.s.WaitMessage(mira, "Which database")
	data := m.Buttons[0][0].Data
	w.settle("1", beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}}, "Pixel 9")
	pressed := p.PressData(mira, m.ID, data)
	if got := pressed.Toast(); got != "Too late: Answered: SQLite, by Pixel 9" {
		t.Errorf("%q", got)
	}
	w.answers("1")
}

func TestOtherIsTheReplyToTheMessageThatAsksForIt(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	w.ask(database("2"))
	first, second := w.s.WaitMessage(mira, "for 1?"), w.s.WaitMessage(mira, "for 2?")
	p.Press(mira, first.ID, "Other…").Toast()
	p.Press(mira, second.ID, "Other…").Toast()
	prompt := w.s.WaitMessage(mira, "Your answer:", "for 1?")
	if !prompt.ForceReply {
		t.Errorf("%+v", prompt)
	}
	p.Type(mira, "for whom?")
	w.s.WaitMessage(mira, "Which one is that for?")
	p.Reply(mira, prompt.ID, "DuckDB")
	w.answers("1", " DuckDB")
	p.Type(mira, "CouchDB") // one is left that waits for words
	w.answers("2", " CouchDB")
	w.s.WaitMessage(mira, "Answered: CouchDB")
	w.eventually("no passing message stays", func() bool {
		return !slices.ContainsFunc(w.s.Messages(mira), func(m telegramtest.Message) bool { return m.ForceReply })
	})
}

func TestWordsThatNobodyAskedForAnswerNothing(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	m := w.s.WaitMessage(mira, "for 1?")
	p.Type(mira, "SQLite")
	w.eventually("it is judged", w.idle)
	w.answers("1")
	p.Speak(mira, m.ID)
	w.s.WaitMessage(mira, "I understand text only.")
	p.Reply(mira, m.ID, "SQLite") // a reply to the question says what it is for
	w.answers("1", " SQLite")
}

func TestAMutedChatHearsNoSound(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	if w.s.WaitMessage(mira, "for 1?").Silent {
		t.Error("a question comes without a sound")
	}
	p.Type(mira, "/mute 2h")
	w.s.WaitMessage(mira, "Without a sound until")
	w.ask(database("2"))
	if !w.s.WaitMessage(mira, "for 2?").Silent {
		t.Error("a muted chat hears a sound")
	}
}

func TestTheWholeDiffIsSentAsAFileWhereCodeMayLeave(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.mu.Lock()
	w.diffs = true
	w.mu.Unlock()
	diff := strings.Repeat("+line\n", 40) + "+password hunter2\n"
	w.ask(beckon.Question{ID: "1", TaskID: "t", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Edit", Path: "a.go", Diff: diff}})
	m := w.s.WaitMessage(mira, "… 16 more lines")
	p.Press(mira, m.ID, "Send the whole diff").Toast()
	sent := w.s.Messages(mira)[len(w.s.Messages(mira))-1]
	if sent.File == nil || sent.File.Name != "KES-1.diff" || string(sent.File.Data) != strings.ReplaceAll(diff, "hunter2", "[masked]") {
		t.Errorf("%+v", sent)
	}
	w.mu.Lock()
	w.diffs = false
	w.mu.Unlock()
	files := len(w.s.Calls("sendDocument"))
	p.Press(mira, m.ID, "Send the whole diff").Toast()
	if len(w.s.Calls("sendDocument")) != files {
		t.Error("a diff leaves that may not")
	}
	w.answers("1")
}

func TestADestructiveCommandTakesTwoPressesAndTheRightTo(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	rm := beckon.Question{ID: "1", TaskID: "t", Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash", Command: "rm -rf x # hunter2", Destructive: true}}
	w.ask(rm)
	m := w.s.WaitMessage(mira, "Allow Bash?", "rm -rf x # [masked]")
	p.Press(mira, m.ID, "Allow").Toast()
	w.answers("1")
	really := w.s.WaitMessage(mira, "Really allow this?")
	p.Press(mira, really.ID, "Yes, really").Toast()
	w.answers("1", "allow ")

	w.mu.Lock()
	chat := w.chats[mira]
	chat.Rights = remote.Rights{Questions: true}
	w.chats[mira] = chat
	w.mu.Unlock()
	rm.ID = "2"
	w.ask(rm)
	m = w.s.WaitMessage(mira, "KES-2", "Allow Bash?")
	if got := p.Press(mira, m.ID, "Allow").Toast(); got != "This chat may not allow commands." {
		t.Errorf("%q", got)
	}
	plan := beckon.Question{ID: "3", TaskID: "t", Kind: beckon.Plan, Plan: "steps"}
	w.ask(plan)
	m = w.s.WaitMessage(mira, "A plan to approve")
	if got := p.Press(mira, m.ID, "Approve").Toast(); got != "This chat may not approve plans." {
		t.Errorf("%q", got)
	}
	w.answers("2")
	w.answers("3")
	w.counted(2)
}

func TestPairingTakesAPrivateChatAndACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.run(0)
	t.Cleanup(func() { _ = stop() })
	p := w.s.Person(mira, "Mira")
	for range 5 {
		p.Type(mira, "let me in")
	}
	p.Type(mira, "/start WRONG")
	p.Type(mira, "/start CODE1234")
	w.s.WaitMessage(mira, "Paired.", "not end-to-end encrypted")
	refusals := 0
	for _, m := range w.s.Messages(mira) {
		if strings.Contains(m.Text, "private Beckon") || strings.Contains(m.Text, "not valid") {
			refusals++
		}
	}
	if refusals != 3 {
		t.Errorf("a stranger is answered %d times in an hour", refusals)
	}
	w.counted(6)
	p.Type(mira, "/start CODE1234") // which was used
	w.counted(7)
	w.ask(database("1"))
	w.s.WaitMessage(mira, "for 1?")
	p.Type(mira, "/forget")
	w.s.WaitMessage(mira, "This chat is unpaired.")
	w.eventually("the chat is unpaired", func() bool { return len(w.chats) == 0 })
}

func TestInAGroupOnlyThePairedCanAnswer(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	other := w.s.Person(stranger, "Eve")
	crew := p.Group(-100, "Crew", true)
	w.s.WaitMessage(crew, "Questions come to this group too.")
	w.ask(database("1"))
	m := w.s.WaitMessage(crew, "for 1?")
	if w.s.Topics(crew)[m.Topic] != "kestrel" {
		t.Errorf("topic %d of %v", m.Topic, w.s.Topics(crew))
	}
	if got := other.Press(crew, m.ID, "SQLite").Toast(); got != "Only people who are paired can use this." {
		t.Errorf("%q", got)
	}
	w.counted(1)
	w.ask(database("2"))
	if second := w.s.WaitMessage(crew, "for 2?"); second.Topic != m.Topic {
		t.Errorf("a second topic: %d, %d", second.Topic, m.Topic)
	}
	private := w.s.WaitMessage(mira, "for 1?")
	forged := p.PressData(crew, m.ID, private.Buttons[0][0].Data)
	if got := forged.Toast(); got != "That button is not Beckon’s." {
		t.Errorf("%q", got)
	}
	w.counted(2)
	w.answers("1")
	p.Press(crew, m.ID, "SQLite").Toast()
	w.answers("1", " SQLite")
	w.s.WaitMessage(mira, "KES-1 · Answered: SQLite")
	strange := other.Group(-200, "Strangers", false)
	other.Type(strange, "/waiting")
	w.s.WaitMessage(strange, "private Beckon")
	other.Type(strange, "/start CODE1234")
	w.counted(4)
}

func TestCommands(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	says := func(command, want string) {
		t.Helper()
		p.Type(mira, command)
		w.s.WaitMessage(mira, want)
	}
	says("/waiting", "Nothing waits for you.")
	w.ask(database("1"))
	w.s.WaitMessage(mira, "for 1?")
	says("/waiting@beckon_test_bot", "• KES-1 Title of 1")
	says("/hold", "All clocks are held.")
	says("/mute", "Say for how long")
	says("/mute 1h", "Without a sound until")
	says("/mute off", "With a sound again.")
	says("/new KES Fix the login", "KES-99 is in the Backlog.")
	says("/new NOPE Fix", "No project is called NOPE.")
	says("/new KES", "Say for which project")
	says("/nonsense", "/waiting – what waits for you")
	says("/tasks", "No agent is at work.")
	if len(w.s.Commands("")) != 7 || len(w.s.Commands("de")) != 7 {
		t.Errorf("%v", w.s.Commands(""))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.said) != 1 || !slices.Equal(w.held, []string{"all"}) {
		t.Errorf("%v %v", w.said, w.held)
	}
}

func TestStoppingTakesTwoPresses(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.mu.Lock()
	w.tasks = []Task{{ID: "t1", Key: "KES-1", Title: "One"}, {ID: "t2", Key: "KES-2", Title: "Two"}}
	w.mu.Unlock()
	p.Type(mira, "/tasks")
	list := w.s.WaitMessage(mira, "At work:", "KES-1 One", "KES-2 Two")
	p.Press(mira, list.ID, "Stop KES-2").Toast()
	w.s.WaitMessage(mira, "Really stop KES-2 Two?")
	p.Press(mira, list.ID, "No, go back").Toast()
	w.s.WaitMessage(mira, "At work:")
	p.Press(mira, list.ID, "Stop KES-2").Toast()
	p.Press(mira, list.ID, "Yes, stop it").Toast()
	w.s.WaitMessage(mira, "Stopping KES-2.")
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.stopped, []string{"t2"}) {
		t.Errorf("%v", w.stopped)
	}
}

func TestAReplyToATasksMessageIsForItsAgent(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	m := w.s.WaitMessage(mira, "for 1?")
	p.Press(mira, m.ID, "SQLite").Toast()
	w.s.WaitMessage(mira, "Answered: SQLite")
	p.Reply(mira, m.ID, "and write tests")
	w.s.WaitMessage(mira, "Sent to the agent of KES-1.")
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, said := range w.said {
		if said != "t1: and write tests" {
			t.Errorf("%q", said)
		}
	}
	if len(w.said) != 1 {
		t.Errorf("%v", w.said)
	}
}

func TestAnExpiredQuestionIsAnsweredLate(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.ask(database("1"))
	m := w.s.WaitMessage(mira, "for 1?")
	w.settle("1", beckon.Expired, nil, "")
	w.s.WaitMessage(mira, "Nobody answered in time.")
	p.Press(mira, m.ID, "Answer late").Toast()
	w.s.WaitMessage(mira, "Which database for 1?")
	p.Press(mira, m.ID, "SQLite").Toast()
	w.answers("1", " SQLite")
	w.s.WaitMessage(mira, "Answered: SQLite", "on its way to the agent")
}

// TestAPressThatArrivesLateIsALateAnswer: Beckon was closed, or the phone was away,
// when an option was pressed, and the agent's turn ended meanwhile.
func TestAPressThatArrivesLateIsALateAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settlement beckon.Settlement
		shown      string
	}{"expired": {beckon.Expired, "Nobody answered in time."}, "orphaned": {beckon.Orphaned, "Its run has ended."}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, p := served(t)
			w.ask(database("1"))
			m := w.s.WaitMessage(mira, "for 1?")
			rows := m.Buttons
			w.settle("1", c.settlement, nil, "")
			w.s.WaitMessage(mira, c.shown)
			if got := p.PressData(mira, m.ID, rows[0][0].Data).Toast(); got != "Your late answer is on its way to the agent." {
				t.Errorf("%q", got)
			}
			w.answers("1", " SQLite")
			w.s.WaitMessage(mira, "Answered: SQLite")
			if got := p.PressData(mira, m.ID, rows[1][0].Data).Toast(); !strings.HasPrefix(got, "Too late: Answered: SQLite") {
				t.Errorf("the second press hears %q", got)
			}
			w.answers("1", " SQLite")
		})
	}
}

func TestWhatIsSettledWhileTheNetworkIsAwayIsNeverSent(t *testing.T) {
	t.Parallel()
	w, _ := served(t)
	w.s.WaitMessage(mira, "Which one is that for?") // the answer to hello
	w.s.Fail(telegramtest.Fault{Method: "sendMessage", Status: 503, Times: 1})
	w.ask(database("1"))
	w.eventually("a try", func() bool { return w.rows[0].Tries > 0 })
	w.settle("1", beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}}, "Pixel 9")
	w.ask(database("2"))
	w.s.WaitMessage(mira, "for 2?")
	for _, m := range w.s.Messages(mira) {
		if strings.Contains(m.Text, "KES-1") {
			t.Errorf("it was settled and is sent: %q", m.Text)
		}
	}
}

func TestTooManyEditsEndInTheLastState(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	w.s.LimitEdits(time.Second)
	q := database("1")
	q.Items[0].Multiple = true
	w.ask(q)
	m := w.s.WaitMessage(mira, "for 1?")
	p.Press(mira, m.ID, "☐ SQLite").Toast()
	p.PressData(mira, m.ID, m.Buttons[1][0].Data).Toast()
	deadline := time.Now().Add(timeout.For(30 * time.Second))
	for got := ""; got != "✓ SQLite ✓ Postgres"; {
		got = strings.Join(w.s.Message(mira, m.ID).Labels()[:2], " ")
		if time.Now().After(deadline) {
			t.Fatalf("%q", got)
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Press(mira, m.ID, "Done").Toast()
	w.answers("1", " SQLite+Postgres")
}

func TestAChatThatMovesOrThrowsTheBotOut(t *testing.T) {
	t.Parallel()
	w, p := served(t)
	crew := p.Group(-42, "Crew", false)
	w.s.WaitMessage(crew, "Questions come to this group too.")
	w.s.Migrate(crew, -10042)
	w.eventually("the chat moved", func() bool { _, moved := w.chats[-10042]; return moved })
	w.ask(database("1"))
	w.s.WaitMessage(-10042, "for 1?")
	p.Block(mira)
	w.eventually("the chat is unpaired", func() bool { _, paired := w.chats[mira]; return !paired })
}

func TestTheBotEndsWhereItsTokenOrItsUpdatesAreLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		status int
		kind   api.Kind
	}{{"getMe", 401, api.BadToken}, {"getUpdates", 401, api.BadToken}, {"sendMessage", 404, api.BadToken}} {
		w := newWorld(t)
		w.pair()
		w.s.Fail(telegramtest.Fault{Method: c.method, Status: c.status, Times: 9})
		stop := w.run(0)
		w.ask(database("1"))
		select {
		case <-w.ended:
		case <-time.After(timeout.For(30 * time.Second)):
			t.Errorf("%s: the bot goes on", c.method)
		}
		if err := stop(); api.KindOf(err) != c.kind {
			t.Errorf("%s: %v", c.method, err)
		}
	}
}

func TestTheTokenOfTheEnvironmentComesFirst(t *testing.T) {
	t.Parallel()
	kept := func() (string, error) { return "kept\n", nil }
	for env, want := range map[string]string{"": "kept", " set ": "set"} {
		got, err := Token(func(name string) string {
			if name != "BECKON_TELEGRAM_TOKEN" {
				t.Errorf("%q is read", name)
			}
			return env
		}, kept)
		if got != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestAStrangersFloodIsBounded(t *testing.T) {
	t.Parallel()
	l, now := newLimiter(), time.Now()
	for chat := range int64(2 * maxChats) {
		l.allows(chat, now)
	}
	if len(l.chats) > maxChats || l.allows(3*maxChats, now) {
		t.Errorf("%d chats are remembered", len(l.chats))
	}
	if !l.allows(3*maxChats, now.Add(2*time.Hour)) {
		t.Error("nobody is answered ever again")
	}
}
