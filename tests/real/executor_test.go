//go:build linux

package real

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// TestTheMainJobElsewhere is the main job on another machine: it asks twice mid-run, hears
// both answers in the same turn, and its edit is committed on its branch here.
func TestTheMainJobElsewhere(t *testing.T) {
	t.Parallel()
	s, h := fixture.Elsewhere(t,
		fixture.Turn{"text": "One thing first.", "tool": "mcp__beckon__ask_user", "input": fixture.Questions(fixture.Question("Which greeting?", "Greeting", "Hello", "Good day"))},
		fixture.Turn{"text": "And another.", "tool": "AskUserQuestion", "input": fixture.Questions(fixture.Question("Which language?", "Language", "English", "German"))},
		fixture.Turn{"text": "Now I write it.", "tool": "Write", "input": map[string]any{"file_path": "greeting.txt", "content": "Good day\n"}},
		fixture.Turn{"text": "All done."},
	)
	task := s.Create(beckon.NewTask{Title: "Greet the user", Brief: "Ask how."})
	s.Answer(s.Asked(task.ID, "Which greeting?"), "Good day")
	if n := len(h.Agents()); n != 1 {
		t.Errorf("%d agents work there, want one", n)
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
	if got := client.Git(t, s.Dir, "show", "--format=", "--name-only", task.Branch); strings.TrimSpace(got) != "greeting.txt" {
		t.Errorf("the commit holds %q, want greeting.txt alone", got)
	}
	if got := client.Git(t, task.Worktree, "status", "--porcelain"); got != "" {
		t.Errorf("the worktree is not clean: %s", got)
	}
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || runs[0].Outcome != beckon.Succeeded || runs[0].Executor != s.Project.Executor {
		t.Errorf("runs %+v", runs)
	}
	s.Until("nothing is left there", patience, func() bool { return len(h.Agents()) == 0 })
}
