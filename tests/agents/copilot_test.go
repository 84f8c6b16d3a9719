package agents

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// copilot starts Beckon with Copilot CLI, whose model follows a script, and whose user's
// environment allows everything. Its licence grants to install and run copies.
func copilot(t *testing.T, turns ...fixture.Turn) *fixture.Fixture {
	t.Helper()
	home := t.TempDir()
	model := fixture.Model(t, t.TempDir(), fixture.Script{Turns: turns}, home+"/api.ndjson")
	return fixture.NewWithEnv(t, []string{
		onPath(t, "copilot", module(t, "@github", "copilot-linux-x64", "copilot")), "COPILOT_HOME=" + home,
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_TYPE=anthropic", "COPILOT_PROVIDER_BASE_URL=" + model,
		"COPILOT_PROVIDER_API_KEY=sk-test", "COPILOT_MODEL=claude-sonnet-4-5", "COPILOT_ALLOW_ALL=true",
	})
}

// TestCopilotDoesATask from Beckon's question to work that is committed. Its model calls the
// command something else.
func TestCopilotDoesATask(t *testing.T) {
	t.Parallel()
	s := copilot(t,
		fixture.Turn{"text": "One thing first.", "tool": "beckon-ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "Now I write it.", "tool": "bash", "input": map[string]any{"command": "echo 'Good day' > greeting.txt", "description": "look around"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Agent: "copilot"})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	wish := s.Asked(task.ID, "greeting.txt")
	if p := wish.Permission; wish.Kind != beckon.Permission || p.Command != "echo 'Good day' > greeting.txt" || p.Description != "look around" {
		t.Errorf("it is asked %+v", wish.Permission)
	}
	allow(s, wish)
	task = s.InReview(task.ID)
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt" {
		t.Errorf("the commit holds %q", got)
	}
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "copilot" || run.Spent.Tokens == 0 {
		t.Errorf("the run ended %+v", run)
	}
}

// TestNothingOfCopilotsIsLeft: its shell runs in a session and group of its own.
func TestNothingOfCopilotsIsLeft(t *testing.T) {
	t.Parallel()
	const sleeps = "sleep 54323"
	leavesNothing(t, copilot(t, sleepy("bash", sleeps)), "copilot", sleeps)
}
