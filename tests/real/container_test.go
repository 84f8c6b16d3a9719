//go:build linux

package real

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheMainJobInAContainer is the main job in a container of a real engine: it asks
// twice mid-run, hears both answers in the same turn, and its edit is committed on its
// branch here. The container is stopped then.
func TestTheMainJobInAContainer(t *testing.T) {
	t.Parallel()
	s, e := fixture.Contained(t,
		fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
		fixture.Turn{"text": "Now I write it.", "tool": "Bash", "input": map[string]any{"command": "hostname > host.txt; echo Good day > greeting.txt"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how.", Mode: beckon.ModeBypass})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	if names := e.Podman("ps", "--format", "{{.Names}}"); names != "beckon-"+s.Project.Executor+"-"+task.ID {
		t.Errorf("containers that run: %q", names)
	}
	s.Answer(s.Asked(task.ID, "Which language?"), "German")
	task = s.InReview(task.ID)
	s.Heard(`{"question":"Which greeting?","labels":["Good day"]`)
	s.Heard(`"Which language?"="German"`)
	if task.Trouble != "" {
		t.Errorf("trouble: %s", task.Trouble)
	}
	if got := strings.TrimSpace(client.Git(t, s.Dir, "log", "--format=%s", "main.."+task.Branch)); got != task.Title {
		t.Errorf("commits on the branch: %q, want one named %q", got, task.Title)
	}
	if got := client.Git(t, s.Dir, "show", task.Branch+":greeting.txt"); got != "Good day\n" {
		t.Errorf("the commit holds %q", got)
	}
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Executor != s.Project.Executor || runs[0].Waits != (executing.Waits{}) {
		t.Errorf("runs %+v", runs)
	}
	if names := e.Podman("ps", "--format", "{{.Names}}"); names != "" {
		t.Errorf("containers that run still: %q", names)
	}
}
