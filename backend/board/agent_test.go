package board_test

import (
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/board/steps"
)

// TestANewTaskHasTheAgentThatIsNamedNearest: by itself, by its project, by the settings.
func TestANewTaskHasTheAgentThatIsNamedNearest(t *testing.T) {
	t.Parallel()
	d := start(t, "")
	for _, c := range []struct{ task, project, settings, want string }{
		{"", "", "", ""},
		{"", "", "kimi", "kimi"},
		{"", "codex", "kimi", "codex"},
		{"", beckon.ClaudeCode, "kimi", ""},
		{"kimi", "codex", "", "kimi"},
		{beckon.ClaudeCode, "codex", "kimi", ""},
	} {
		s := beckon.DefaultSettings()
		s.Agent = c.settings
		if err := d.Board.SaveSettings(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		p := d.Project
		p.Agent = c.project
		if _, err := d.Board.EditProject(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: p.ID, Title: "Write", Agent: c.task})
		if err != nil || task.Agent != c.want {
			t.Errorf("%+v: the agent is %q, %v", c, task.Agent, err)
		}
	}
}

// TestATaskWithASessionKeepsItsAgent, which another could not go on with.
func TestATaskWithASessionKeepsItsAgent(t *testing.T) {
	t.Parallel()
	d := start(t, "write first.txt gold\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Turn: new(sync.Mutex)}
	r, err := many.Change(t.Context(), []string{task.ID}, beckon.ManyChange{Kind: beckon.ChangeAgent, Agent: "kimi"})
	if err != nil || len(r.Refused) != 1 || r.Refused[0].Why.Problem != problem.OtherSession {
		t.Errorf("given to another: %+v, %v", r, err)
	}
	if now := d.Now(task.ID); now.Agent != "" {
		t.Errorf("its agent is %q", now.Agent)
	}
}
