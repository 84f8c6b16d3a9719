//go:build soak

// Package soak waits as long as people do before they answer, which the CLI
// would not without Beckon's care: it gives up on a silent MCP call after 60
// and again after 300 seconds.
package soak

import (
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/drive"
	"beckon/tests/stage"
)

func TestMain(m *testing.M) { stage.Main(m) }

func TestAnswerComesAfterMinutes(t *testing.T) {
	const mcp = "mcp__beckon__ask_user"
	for _, wait := range []struct {
		tool  string
		after time.Duration
		heard string // by the model, in the answer
	}{
		{mcp, 330 * time.Second, `{"question":"Which greeting?","labels":["Good day"]`},
		{mcp, 720 * time.Second, `{"question":"Which greeting?","labels":["Good day"]`},
		{"AskUserQuestion", 330 * time.Second, `"Which greeting?"="Good day"`},
	} {
		t.Run(wait.tool+" after "+wait.after.String(), func(t *testing.T) {
			t.Parallel()
			s := stage.Set(t,
				stage.Turn{"tool": wait.tool, "input": stage.Questions(stage.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
				stage.Turn{"text": "I carry on."})
			task := s.Create(beckon.NewTask{Title: "Greet the user", WaitMs: (wait.after + time.Hour).Milliseconds()})
			q := s.Asked(task.ID, "Which greeting?")
			time.Sleep(wait.after)
			s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day") // it is open still
			s.InReview(task.ID)
			s.Heard(wait.heard)
			if runs := drive.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Turns != 1 {
				t.Errorf("runs %+v; want one with one turn", runs)
			}
			t.Logf("%s was answered %s after it asked; the turn carried on with the answer", wait.tool, time.Since(time.UnixMilli(q.Asked)).Round(time.Second))
		})
	}
}
