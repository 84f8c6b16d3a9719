//go:build soak

// Package soak waits as long as people do before they answer, which the CLI
// would not without Beckon's care: it gives up on a silent MCP call after 60
// and again after 300 seconds.
package soak

import (
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

func TestMain(m *testing.M) { fixture.Main(m, fixture.RealCLI) }

// waits are how long people take: beyond each of the CLI's own limits, over
// lunch, and for an hour.
var waits = []time.Duration{
	3 * time.Minute, 330 * time.Second, 6 * time.Minute, 720 * time.Second, 15 * time.Minute, 30 * time.Minute, time.Hour,
}

func TestAnswerComesAfterMinutes(t *testing.T) {
	for tool, heard := range map[string]string{ // by the model, in the answer
		"mcp__beckon__ask_user": `{"question":"Which greeting?","labels":["Good day"]`,
		"AskUserQuestion":       `"Which greeting?"="Good day"`,
	} {
		for _, wait := range waits {
			t.Run(tool+" after "+wait.String(), func(t *testing.T) {
				t.Parallel()
				answeredAfter(t, tool, wait, heard)
			})
		}
	}
}

func answeredAfter(t *testing.T, tool string, wait time.Duration, heard string) {
	s := fixture.New(t,
		fixture.Turn{"tool": tool, "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "I carry on."})
	task := s.Create(beckon.NewTask{Title: "Greet the user", WaitMs: (wait + time.Hour).Milliseconds()})
	q := s.Asked(task.ID, "Which greeting?")
	time.Sleep(wait)
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day") // it is open still
	s.InReview(task.ID)
	s.Heard(heard)
	if runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID); len(runs) != 1 || runs[0].Turns != 1 {
		t.Errorf("runs %+v; want one with one turn", runs)
	}
	t.Logf("%s was answered %s after it asked; the turn carried on with the answer", tool, time.Since(time.UnixMilli(q.Asked)).Round(time.Second))
}
