package view

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram/api"
	"beckon/tests/telegramtest"

	"github.com/go-telegram/bot"
)

const (
	chat = 501
	id   = "Q2XK4M7A"
)

// seen is q as the tests' chat sees it.
func seen(q beckon.Question, p Progress) View {
	return View{
		Question: q, Progress: p, Task: "KES-12 Pick a store", Project: "kestrel", Zone: time.UTC,
		Words: english, ID: id, Chat: chat, Key: Key("a key of tests"),
	}
}

func labels(m Message) string {
	var rows []string
	for _, row := range m.Keyboard.Rows {
		var said []string
		for _, b := range row {
			said = append(said, b.Text)
		}
		rows = append(rows, strings.Join(said, " | "))
	}
	return strings.Join(rows, "\n")
}

var database = beckon.Question{
	ID: "q", TaskID: "t", Kind: beckon.Ask, Settlement: beckon.Open, Agent: "scout",
	Items: []beckon.QuestionItem{
		{Header: "Store", Text: "Which database?", Options: []beckon.Option{{Label: "SQLite", Description: "One file."}, {Label: "Postgres"}}},
		{Header: "Extras", Text: "Which extras?", Multiple: true, Options: []beckon.Option{{Label: "Backups"}, {Label: "Metrics"}}},
	},
}

func TestAnAskShowsWhereItIsAndWhatWasAnswered(t *testing.T) {
	t.Parallel()
	first := Render(seen(database, Progress{}))
	want := "KES-12 Pick a store\nkestrel · sub-agent scout\n\nQuestion 1 of 2\n\nWhich database?\n\n1. SQLite\nOne file.\n2. Postgres\n\nAnswers reach Beckon while it runs."
	if first.Plain != want || labels(first) != "SQLite\nPostgres\nOther…" {
		t.Errorf("%q\n%q", first.Plain, labels(first))
	}
	p := Progress{Item: 1, Answers: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}, {Labels: []string{"Metrics"}, Other: "logs"}}}
	second := Render(seen(database, p))
	for _, part := range []string{"Question 2 of 2\n✓ Store: SQLite\n", "Which extras?", "✎ logs"} {
		if !strings.Contains(second.Plain, part) {
			t.Errorf("%q is not in %q", part, second.Plain)
		}
	}
	if got := labels(second); got != "☐ Backups\n✓ Metrics\nOther…\n‹ Back | Done" {
		t.Errorf("%q", got)
	}
}

func permission(p beckon.PermissionRequest) beckon.Question {
	return beckon.Question{ID: "q", TaskID: "t", Kind: beckon.Permission, Settlement: beckon.Open, Permission: &p}
}

func TestAPermissionShowsWhatItRunsOrSaysWhatIsHidden(t *testing.T) {
	t.Parallel()
	run := Render(seen(permission(beckon.PermissionRequest{Tool: "Bash", Command: "make test", Always: "Bash(make test)"}), Progress{}))
	if !strings.Contains(run.Plain, "Allow Bash?\nmake test\n“Always allow here” lasts for this session and covers: Bash(make test)") || labels(run) != "Allow | Deny\nAlways allow here" {
		t.Errorf("%q\n%q", run.Plain, labels(run))
	}
	long := permission(beckon.PermissionRequest{Tool: "Bash", Command: strings.Repeat("echo\n", 60) + "rm x"})
	if got := Render(seen(long, Progress{})).Plain; !strings.Contains(got, "… 21 more lines\nNot all of it is shown here.") {
		t.Errorf("%q", got)
	}
	over := permission(beckon.PermissionRequest{Tool: "Bash", Command: "x", Always: strings.Repeat("x", 301)})
	if got := labels(Render(seen(over, Progress{}))); got != "Allow | Deny" {
		t.Errorf("what cannot be shown is offered: %q", got)
	}
	second := Render(seen(long, Progress{Pending: Allow}))
	if !strings.Contains(second.Plain, "Really allow this?\necho") || labels(second) != "No, go back\nYes, really" {
		t.Errorf("%q\n%q", second.Plain, labels(second))
	}
}

func TestDiffsAndPlansLeaveOnlyWhereTheyMay(t *testing.T) {
	t.Parallel()
	diff := "--- a\n+++ b\n" + strings.Repeat("+secret\n", 30) + "-old\n"
	v := seen(permission(beckon.PermissionRequest{Tool: "Edit", Path: "a.go", Diff: diff, Input: "secret"}), Progress{})
	if got := Render(v).Plain; strings.Contains(got, "secret") || !strings.Contains(got, "+30 −1 lines") {
		t.Errorf("%q", got)
	}
	v.Diffs = true
	got := Render(v)
	if !strings.Contains(got.Plain, "… 8 more lines") || strings.Count(got.Plain, "secret") != 23 || got.Entities[len(got.Entities)-2].Language != "diff" {
		t.Errorf("%q %+v", got.Plain, got.Entities)
	}
	plan := seen(beckon.Question{Kind: beckon.Plan, Settlement: beckon.Open, Plan: strings.Repeat("a step of the plan\n", 500)}, Progress{})
	if got := Render(plan).Plain; strings.Contains(got, "a step") || !strings.Contains(got, "500 lines") {
		t.Errorf("%q", got)
	}
	plan.Plans, plan.Link = true, "https://desk.example"
	full := Render(plan)
	if !strings.Contains(full.Plain, "more lines") || api.Units(full.Plain) < 3300 || labels(full) != "Approve\nApprove and accept edits\nChange…\nOpen in Beckon" {
		t.Errorf("%d units, %q", api.Units(full.Plain), labels(full))
	}
}

func TestASettledQuestionIsOneLine(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 14, 31, 0, 0, time.UTC).UnixMilli()
	one := database
	one.Items = one.Items[:1]
	answered := func(s beckon.Settlement, kind beckon.QuestionKind, a *beckon.Answer) beckon.Question {
		q := one
		q.Settlement, q.Kind, q.Answer = s, kind, a
		return q
	}
	chosen := &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}, By: beckon.ByUser, At: at}
	changed := answered(beckon.Answered, beckon.Ask, chosen)
	changed.Earlier = []beckon.Answer{{Items: []beckon.ItemAnswer{{Labels: []string{"CouchDB"}}}}, {Items: []beckon.ItemAnswer{{Labels: []string{"Postgres"}}}}}
	for name, c := range map[string]struct {
		q             beckon.Question
		says, buttons string
	}{
		"answered":   {answered(beckon.Answered, beckon.Ask, chosen), "KES-12 · Answered: SQLite, by Pixel 9, 14:31", ""},
		"terminal":   {answered(beckon.Answered, beckon.Ask, &beckon.Answer{Items: chosen.Items, By: beckon.ByTerminal, At: at}), "KES-12 · Answered: SQLite, by the terminal, 14:31", ""},
		"changed":    {changed, "KES-12 · Answered: SQLite, by Pixel 9, 14:31. Before it was changed: Postgres", ""},
		"denied":     {answered(beckon.Answered, beckon.Permission, &beckon.Answer{Verdict: beckon.Deny, Text: "not\nnow"}), "KES-12 · Answered: denied: not now, by Pixel 9", ""},
		"approved":   {answered(beckon.Answered, beckon.Plan, &beckon.Answer{Verdict: beckon.AllowOnce}), "KES-12 · Answered: approved, by Pixel 9", ""},
		"expired":    {answered(beckon.Expired, beckon.Ask, nil), "KES-12 · Nobody answered in time. The agent went on as it judged best.", "Answer late"},
		"refused":    {answered(beckon.Expired, beckon.Permission, nil), "KES-12 · Nobody answered in time, so it was denied.", ""},
		"late":       {answered(beckon.Expired, beckon.Ask, chosen), "KES-12 · Answered: SQLite, by Pixel 9, 14:31. Your late answer is on its way to the agent.", ""},
		"withdrawn":  {answered(beckon.Withdrawn, beckon.Ask, nil), "KES-12 · The agent does not wait for this any more.", ""},
		"orphaned":   {answered(beckon.Orphaned, beckon.Plan, nil), "KES-12 · Its run has ended. An answer starts the agent again.", "Answer late"},
		"impossible": {answered(beckon.Answered, beckon.Ask, nil), "KES-12 · Beckon does not know this question any more.", ""},
	} {
		v := seen(c.q, Progress{})
		v.By = "Pixel 9"
		if got := Render(v); got.Plain != c.says || labels(got) != c.buttons {
			t.Errorf("%s: %q, %q", name, got.Plain, labels(got))
		}
	}
	if got := labels(Render(seen(answered(beckon.Expired, beckon.Ask, nil), Progress{Late: true}))); got != "SQLite\nPostgres\nOther…" {
		t.Errorf("nothing to answer late with: %q", got)
	}
}

func TestManyOptionsAreSaidToBeMore(t *testing.T) {
	t.Parallel()
	q := beckon.Question{Kind: beckon.Ask, Settlement: beckon.Open, Items: []beckon.QuestionItem{{Text: "Which?"}}}
	for n := range 120 {
		q.Items[0].Options = append(q.Items[0].Options, beckon.Option{Label: fmt.Sprint("option ", n)})
	}
	m := Render(seen(q, Progress{}))
	if !strings.Contains(m.Plain, "… 90 more options; reply with the one you mean") || len(m.Keyboard.Rows) != 31 {
		t.Errorf("%q, %d rows", m.Plain, len(m.Keyboard.Rows))
	}
}

var alphabet = []string{"a", "word ", "ß", "\n", "\t", "😀", "👩\u200d👩\u200d👧", "e\u0301", "\u202e", "שלום ", "\x00", "\xff", " /forget ", "*_`[", "漢", "🇩🇪", "\u0301\u0301\u0301", "https://x.org "}

func hostile(r *rand.Rand, most int) string {
	var b strings.Builder
	for n := r.IntN(most + 1); n > 0; n-- {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func randomQuestion(r *rand.Rand) beckon.Question {
	kinds := beckon.QuestionKinds
	q := beckon.Question{
		ID: "q", TaskID: "t", Kind: kinds[r.IntN(len(kinds))], Settlement: beckon.Settlements[r.IntN(len(beckon.Settlements))],
		Agent: hostile(r, 300), Origin: hostile(r, 300), Plan: hostile(r, 9000), Message: hostile(r, 9000), Deadline: int64(r.IntN(2)),
		Permission: &beckon.PermissionRequest{
			Tool: hostile(r, 100), Description: hostile(r, 2000), Command: hostile(r, 6000), Path: hostile(r, 900),
			Diff: hostile(r, 9000), Input: hostile(r, 3000), Always: hostile(r, 200), Destructive: r.IntN(2) == 0,
		},
	}
	for range 1 + r.IntN(4) {
		item := beckon.QuestionItem{Header: hostile(r, 90), Text: hostile(r, 5000), Multiple: r.IntN(2) == 0}
		for range r.IntN(5) {
			item.Options = append(item.Options, beckon.Option{Label: hostile(r, 1000), Description: hostile(r, 1000)})
		}
		q.Items = append(q.Items, item)
	}
	return q
}

// TestWhateverIsAskedTheServiceTakesIt sends random questions, and what random
// presses and replies make of them, to a server that refuses what Telegram does.
func TestWhateverIsAskedTheServiceTakesIt(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Person(chat, "Mira").Type(chat, "/start")
	b, err := bot.New(telegramtest.Token, bot.WithServerURL(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 75 {
		q, p := randomQuestion(r), Progress{}
		for range 4 {
			v := seen(q, p)
			v.Task, v.Project, v.Plans, v.Diffs = hostile(r, 200), hostile(r, 200), r.IntN(2) == 0, r.IntN(2) == 0
			m := Render(v)
			if !strings.HasSuffix(m.Plain, english.WhileItRuns) && Takes(q, p) {
				t.Fatalf("its foot is cut off: %q", m.Plain)
			}
			params := &bot.SendMessageParams{ChatID: chat, Text: m.Plain, Entities: m.Entities, ReplyMarkup: m.Keyboard}
			if _, err := b.SendMessage(t.Context(), params); err != nil {
				t.Fatalf("%v: %.200q", err, m.Plain)
			}
			p = step(t, r, v, m)
		}
	}
}

// step presses one of the buttons, each of which means something, or types.
func step(t *testing.T, r *rand.Rand, v View, m Message) Progress {
	t.Helper()
	p := v.Progress
	for _, row := range m.Keyboard.Rows {
		for _, b := range row {
			c, err := v.Key.Parse(chat, b.Data)
			if err != nil {
				t.Fatalf("button %+v: %v", b, err)
			}
			if r.IntN(3) > 0 {
				p, _ = Press(v.Question, p, c)
			}
		}
	}
	if r.IntN(2) == 0 {
		p, _ = Type(v.Question, p, hostile(r, 500))
	}
	kept, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read Progress
	if err := json.Unmarshal(kept, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestAnotherAgentIsNamed(t *testing.T) {
	t.Parallel()
	v := seen(database, Progress{})
	v.Agent = "codex"
	if m := Render(v); !strings.HasPrefix(m.Plain, "KES-12 Pick a store\nkestrel · Codex · sub-agent scout\n") {
		t.Errorf("%q", m.Plain)
	}
	for kind, want := range map[string]string{"": "Wartet auf Claude", "codex": "Wartet auf Codex"} {
		if got := german.Does(kind, beckon.Waiting, "x"); got != want {
			t.Errorf("%q", got)
		}
	}
}
