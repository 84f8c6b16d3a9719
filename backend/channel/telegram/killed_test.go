package telegram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/telegramtest"
)

// kinds of questions of the walk, and how each is answered in the end.
var walks = []struct {
	question func(id string) beckon.Question
	given    string
}{
	{database, " SQLite"},
	{func(id string) beckon.Question {
		q := database(id)
		q.Items = append(q.Items, beckon.QuestionItem{Text: "And then?", Options: []beckon.Option{{Label: "Go on"}, {Label: "Stop"}}})
		return q
	}, " SQLite;Go on"},
	{func(id string) beckon.Question {
		q := database(id)
		q.Items[0].Multiple = true
		return q
	}, " SQLite"},
	{func(id string) beckon.Question {
		return beckon.Question{ID: id, TaskID: "t" + id, Kind: beckon.Permission, Permission: &beckon.PermissionRequest{Tool: "Bash", Command: "rm -r x", Destructive: true}}
	}, "allow "},
}

// walker is a person who presses every button that leads on, once, and replies
// once to what is answered.
type walker struct {
	w       *world
	p       *telegramtest.Person
	pressed map[string]bool
	replied map[int]bool
}

func (k *walker) walk() {
	for _, m := range k.w.s.Messages(mira) {
		for _, row := range m.Buttons {
			leads := slices.Contains([]string{"SQLite", "Go on", "☐ SQLite", "Allow", "Yes, really"}, row[0].Text)
			b := row[0]
			if row[0].Text == "Done" && slices.Contains(m.Labels(), "✓ SQLite") {
				leads = true
			}
			if leads && !k.pressed[b.Data] {
				k.pressed[b.Data] = true
				k.p.PressData(mira, m.ID, b.Data)
			}
		}
		if m.From == telegramtest.BotID && strings.Contains(m.Text, "Answered: ") && !k.replied[m.ID] {
			k.replied[m.ID] = true
			k.p.Reply(mira, m.ID, "thanks")
		}
	}
}

// idle reports whether there is nothing to do for the bot. The lock is held.
func (w *world) idle() bool {
	for _, r := range w.rows {
		if w.due[r.ID] && !w.over[r.ID] {
			return false
		}
	}
	return w.offset > 0 && w.s.Unconfirmed() == 0
}

// TestDeathsAtAnyMomentLoseAndDoubleNothing kills the bot five hundred times, at
// any step of update, effect, offset and edit.
func TestDeathsAtAnyMomentLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walker{w, w.pair(), map[string]bool{}, map[int]bool{}}
	r := rand.New(rand.NewPCG(7, 8))
	deaths := 500
	if testing.Short() {
		deaths = 50
	}
	for died := 0; died < deaths; {
		if r.IntN(3) > 0 {
			w.askWalk()
		}
		k.walk()
		stop := w.run(1 + r.IntN(50))
		w.eventually("a death, or nothing to do", func() bool { return w.dead || w.idle() })
		w.mu.Lock()
		if w.dead {
			died++
		}
		w.dead = true // what is under way stops here, too
		w.mu.Unlock()
		if err := stop(); err != nil && !strings.Contains(err.Error(), errDead.Error()) {
			t.Fatal(err)
		}
	}
	stop := w.run(0)
	w.eventually("all is answered", func() bool {
		w.mu.Unlock()
		k.walk()
		w.mu.Lock()
		return len(w.given) == len(w.asked) && w.idle()
	})
	k.walk()
	w.eventually("all replies are there", func() bool { return len(w.said) == len(k.replied) && w.idle() })
	if err := stop(); err != nil {
		t.Error(err)
	}
	for n, id := range w.order {
		if want := []string{walks[n%len(walks)].given}; !slices.Equal(w.given[id], want) {
			t.Errorf("%s is answered %q, want %q", id, w.given[id], want)
		}
	}
	shown := map[string]bool{}
	for _, m := range w.s.Messages(mira) {
		if id, asks := strings.CutPrefix(m.Text, "KES-"); asks && strings.Contains(m.Text, "Answered: ") {
			id, _, _ = strings.Cut(id, " ")
			shown[id] = true
		}
	}
	if len(shown) != len(w.order) {
		t.Errorf("%d of %d questions are shown as answered", len(shown), len(w.order))
	}
	t.Logf("%d questions, %d messages", len(w.order), len(w.s.Messages(mira)))
}

func (w *world) askWalk() {
	n := len(w.order)
	w.ask(walks[n%len(walks)].question(strconv.Itoa(n)))
}

func TestAThousandPressesWhileBeckonWasClosedAreJudged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.pair()
	stop := w.run(0)
	const many = 1000
	for n := range many {
		w.ask(database(strconv.Itoa(n)))
	}
	w.eventually("all is sent", w.idle)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	presses := map[string]telegramtest.Query{}
	for _, m := range w.s.Messages(mira) {
		if id, asks := strings.CutPrefix(m.Text, "KES-"); asks && len(m.Buttons) > 0 {
			id, _, _ = strings.Cut(id, " ")
			presses[id] = p.Press(mira, m.ID, "Postgres")
		}
	}
	for n := range many / 2 {
		w.settle(strconv.Itoa(n), beckon.Answered, &beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"SQLite"}}}}, "Pixel 9")
	}
	stop = w.run(0)
	w.eventually("all is judged", w.idle)
	for n := range many {
		id, want, toast := strconv.Itoa(n), []string(nil), "Too late: Answered: SQLite, by Pixel 9"
		if n >= many/2 {
			want, toast = []string{" Postgres"}, "Sent."
		}
		if got := presses[id].Toast(); !slices.Equal(w.given[id], want) || got != toast {
			t.Fatalf("%s is answered %q, and the presser hears %q", id, w.given[id], got)
		}
	}
	if err := stop(); err != nil || len(presses) != many {
		t.Error(fmt.Sprint(len(presses), " presses"), err)
	}
}
