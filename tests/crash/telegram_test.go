package crash

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/tests/client"
	"beckon/tests/telegramtest"
)

const mira = 501

// paired is a victim with a bot of Telegram, and Mira, who may do everything there.
func paired(t *testing.T) (*victim, *telegramtest.Server, *telegramtest.Person) {
	t.Helper()
	service := telegramtest.New(t)
	v := raise(t, "BECKON_TELEGRAM_SERVER="+service.URL, "BECKON_TELEGRAM_TOKEN="+telegramtest.Token)
	who := v.PairChat(service, mira, "Mira")
	client.Must[any](v.Program, "EditDevice", fmt.Sprint(mira), remote.Rights{Questions: true, Steer: true})
	return v, service, who
}

// TestBeckonDiesWhileTelegramIsAnswered: what was pressed and written there is
// carried out, and once, whenever Beckon is killed.
func TestBeckonDiesWhileTelegramIsAnswered(t *testing.T) {
	t.Parallel()
	v, service, who := paired(t)
	die := func() {
		time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		v.slain()
	}
	m := service.WaitMessage(mira, "Which colour?", v.task.Key)
	who.Press(mira, m.ID, "Blue")
	die()
	service.WaitMessage(mira, v.task.Key+" · Answered: Blue, by @mira")
	if q, ok := v.question(); !ok || q.Answer == nil || !slices.Equal(q.Answer.Items[0].Labels, []string{"Blue"}) || q.Answer.By != beckon.ByTelegram {
		t.Fatalf("the row says %+v; want the answer Blue", q)
	}
	// The card of a run that died is in Review for a moment before the answer resumes it.
	v.Until("the agent has heard it, and is done", patience, func() bool {
		q, _ := v.question()
		return q.Delivered != 0 && v.Task(v.task.ID).Status == beckon.Review
	})

	var cards, words []string
	for n := range 12 {
		cards, words = append(cards, fmt.Sprintf("Card %02d", n)), append(words, fmt.Sprintf("word %02d", n))
		who.Type(mira, "/new "+v.project.Key+" "+cards[n])
		who.Reply(mira, m.ID, words[n])
		die()
	}
	v.Until("all is carried out", patience, func() bool { return service.Unconfirmed() == 0 })
	made := []string{}
	for _, e := range client.Must[beckon.Frame](v.Program, "Attach", "cards").Events {
		if e.Task != nil && e.Task.ID != v.task.ID {
			made = append(made, e.Task.Title)
		}
	}
	if slices.Sort(made); !slices.Equal(made, cards) {
		t.Errorf("%q is in the Backlog, want %q", made, cards)
	}
	if got := v.waiting(); !slices.Equal(got, words) {
		t.Errorf("%q waits for the agent, want %q", got, words)
	}
}
