package real

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
	"beckon/tests/telegramtest"
)

// TestAQuestionIsAnsweredFromTelegram: the same turn goes on with what was pressed
// there, and the chat says so.
func TestAQuestionIsAnsweredFromTelegram(t *testing.T) {
	t.Parallel()
	const mira = 501
	service := telegramtest.New(t)
	s := fixture.NewWithEnv(
		t, []string{"BECKON_TELEGRAM_SERVER=" + service.URL, "BECKON_TELEGRAM_TOKEN=" + telegramtest.Token},
		fixture.Turn{"tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which database?", "Store", "SQLite", "Postgres"))},
		fixture.Turn{"text": "Done."},
	)
	who := s.PairChat(service, mira, "Mira")

	task := s.Create(beckon.NewTask{Title: "Choose"})
	m := service.WaitMessage(mira, "Which database?", task.Key)
	who.Press(mira, m.ID, "Postgres").Toast()
	s.InReview(task.ID)
	s.Heard(`"Which database?"="Postgres"`)
	service.WaitMessage(mira, task.Key+" · Answered: Postgres, by @mira")
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Turns != 1 {
		t.Errorf("%+v, want one run of one turn", runs)
	}
	if strings.Contains(s.Logs(), telegramtest.Token) {
		t.Error("the token is in the log")
	}
}
