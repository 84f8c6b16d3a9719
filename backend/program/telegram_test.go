package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/access"
	"beckon/backend/channel/desk"
	"beckon/backend/channel/telegram"
	"beckon/backend/mask"
	"beckon/tests/telegramtest"
	"beckon/tests/timeout"
)

const mira = 501

// chatted is Beckon with a bot, and Mira, who is paired and may do everything.
type chatted struct {
	*desktopOf
	s   *telegramtest.Server
	bot *telegram.Service
	who *telegramtest.Person
}

func chat(t *testing.T, script string) chatted {
	t.Helper()
	d := start(t, script)
	c := chatted{desktopOf: d, s: telegramtest.New(t)}
	codes := &access.Codes{}
	c.bot = telegram.NewService(telegram.Parts{
		Server: c.s.URL, Rows: d.p.store.Told, Pairs: d.p.store.Paired, Codes: codes, Desk: desk.Telegram{Away: d.p.away()},
		Key: func() ([]byte, error) { return []byte("a key of tests"), nil }, Token: func() (string, error) { return telegramtest.Token, nil }, Mask: mask.Text, Leaves: func() (bool, bool) { return true, true }, Elsewhere: func() bool { return false }, Zone: time.UTC, Changed: func() {},
	})
	t.Cleanup(d.p.feed.Attach("telegram", func(f beckon.Frame) {
		for _, e := range f.Events {
			c.bot.OnEvent(e)
		}
	}))
	t.Cleanup(c.bot.Stop)
	if err := c.bot.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.who = c.s.Person(mira, "Mira")
	code, _, err := codes.Issue()
	if err != nil {
		t.Fatal(err)
	}
	c.who.Type(mira, "/start "+code)
	c.s.WaitMessage(mira, "Paired.")
	all := remote.Rights{Questions: true, Plans: true, Commands: true, Steer: true, Elsewhere: true}
	if err := d.p.store.Paired.Allow(t.Context(), mira, all); err != nil {
		t.Fatal(err)
	}
	if err := d.p.store.Paired.AllowPerson(t.Context(), mira, all); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAPressInTelegramReachesTheRunningTurn(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	task := c.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	m := c.s.WaitMessage(mira, "Which colour?", task.Key+" Paint")
	if labels := strings.Join(m.Labels(), "|"); strings.Contains(labels, "Open") {
		t.Errorf("it leads to a page that there is not: %s", labels)
	}
	c.who.Type(mira, "/waiting")
	c.s.WaitMessage(mira, "Waiting for you:", task.Key)
	c.who.Press(mira, m.ID, "Blue").Toast()
	task, run := c.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 1 {
		t.Fatalf("run %+v, want success in one turn", run)
	}
	text, err := os.ReadFile(filepath.Join(task.Worktree, "colour.txt"))
	if err != nil || !strings.Contains(string(text), "Blue") {
		t.Errorf("the agent wrote %q, %v; want what was answered", text, err)
	}
	c.s.WaitMessage(mira, task.Key+" · Answered: Blue, by @mira")
	questions, err := c.AnsweredSince(0)
	if err != nil || len(questions) != 1 || questions[0].Answer.By != beckon.ByTelegram || questions[0].Answer.ByName != "@mira" {
		t.Errorf("%+v, %v", questions, err)
	}
	if p, err := c.p.store.Paired.Person(t.Context(), mira); err != nil || p.Last == 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestTheDeskAnswersFirstAndTheChatSaysWho(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	task := c.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	m := c.s.WaitMessage(mira, "Which colour?")
	data := m.Buttons[0][0].Data
	q := c.Question("Which colour?")
	if err := c.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}); err != nil {
		t.Fatal(err)
	}
	c.s.WaitMessage(mira, task.Key+" · Answered: Blue, by Beckon")
	if got := c.who.PressData(mira, m.ID, data).Toast(); !strings.HasPrefix(got, "Too late: Answered: Blue, by Beckon") {
		t.Errorf("%q", got)
	}
	c.Ended(task.ID)
}

// TestAChangedAnswerIsToldInTheChat that was told the first: its message is over by
// then, and says the later one all the same.
func TestAChangedAnswerIsToldInTheChat(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	task := c.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	m := c.s.WaitMessage(mira, "Which colour?")
	q := c.Question("Which colour?")
	if err := c.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}); err != nil {
		t.Fatal(err)
	}
	c.s.WaitMessage(mira, task.Key+" · Answered: Blue, by Beckon")
	c.Ended(task.ID)
	if err := c.ChangeAnswer(q.ID, 0, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Red"}}}}); err != nil {
		t.Fatal(err)
	}
	if now := c.s.WaitMessage(mira, task.Key+" · Answered: Red, by Beckon", "Before it was changed: Blue"); now.ID != m.ID {
		t.Errorf("it is another message: %+v", now)
	}
}

func TestACardFromTelegramRunsNothing(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	c.who.Type(mira, "/new "+c.project.Key+" Fix the login\nand test it")
	c.s.WaitMessage(mira, "is in the Backlog.")
	tasks, err := c.p.store.Tasks(t.Context())
	if err != nil || len(tasks) != 1 || tasks[0].Status != beckon.Backlog || tasks[0].Title != "Fix the login" || tasks[0].Brief != "Fix the login\nand test it" {
		t.Errorf("%+v, %v", tasks, err)
	}
	c.who.Type(mira, "/tasks")
	c.s.WaitMessage(mira, "No agent is at work.")
}

// TestAnUpdateThatComesAgainDoesNothingAgain: as after Beckon died between what an
// update brought about and its note of that.
func TestAnUpdateThatComesAgainDoesNothingAgain(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	cards := desk.Telegram{Away: c.p.away()}
	keys := []string{}
	for range 2 {
		key, err := cards.NewCard(t.Context(), c.project.Key, "Fix the login", "telegram/1")
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	tasks, err := c.p.store.Tasks(t.Context())
	if err != nil || len(tasks) != 1 || keys[0] != tasks[0].Key || keys[1] != keys[0] {
		t.Fatalf("%q, %+v, %v; want one card", keys, tasks, err)
	}
	for range 2 {
		if err := cards.Message(t.Context(), tasks[0].ID, "And test it", "telegram/2"); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := c.p.store.Messages(t.Context(), tasks[0].ID); err != nil || len(kept) != 1 {
		t.Errorf("%+v, %v; want one message", kept, err)
	}
}

func TestWhatIsAskedAndAnsweredWhileTheBotIsOffIsSaidOnceItIsOn(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	first := c.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	c.s.WaitMessage(mira, "Which colour?", first.Key)
	c.bot.Stop()
	if c.bot.State().On {
		t.Error("a bot that was stopped is on")
	}
	blue := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Blue"}}}}
	if err := c.AnswerQuestion(c.Question("Which colour?").ID, blue); err != nil {
		t.Fatal(err)
	}
	c.Ended(first.ID)
	second := c.run(beckon.NewTask{Title: "Paint again", Brief: "In a colour."})
	c.Until("phase asking", func() bool { return c.Seen.Runs[second.ID].Phase == beckon.Asking })
	sent := len(c.s.Calls("sendMessage"))
	if err := c.bot.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := c.s.WaitMessage(mira, "Which colour?", second.Key)
	c.s.WaitMessage(mira, first.Key+" · Answered: Blue, by Beckon")
	if got := len(c.s.Calls("sendMessage")); got != sent+1 {
		t.Errorf("%d messages for one question", got-sent)
	}
	c.who.Press(mira, m.ID, "Red").Toast()
	c.Ended(second.ID)
}

func TestABotThatEndsByItselfSaysWhy(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	c.bot.Stop()
	c.s.Fail(telegramtest.Fault{Method: "getMe", Status: 401})
	if err := c.bot.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(timeout.For(30 * time.Second))
	for c.bot.State().Trouble == nil {
		if time.Now().After(deadline) {
			t.Fatal("nothing is said")
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.bot.Token = func() (string, error) { return "no token", nil }
	if err := c.bot.Start(t.Context()); err == nil {
		t.Error("what is no token is taken for one")
	}
}

// TestAMessageLeadsToThePageForPhones, where the whole of a long one is.
func TestAMessageLeadsToThePageForPhones(t *testing.T) {
	t.Parallel()
	c := chat(t, asking)
	carry(t, c.desktopOf, "Pixel 9")
	c.run(beckon.NewTask{Title: "Paint", Brief: "In a colour."})
	m := c.s.WaitMessage(mira, "Which colour?")
	if q := c.Question("Which colour?"); !slices.ContainsFunc(slices.Concat(m.Buttons...), func(b telegramtest.Button) bool { return b.URL == phoneOrigin+"/#/q/"+q.ID }) {
		t.Errorf("its buttons are %+v", m.Buttons)
	}
}
