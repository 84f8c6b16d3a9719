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
	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Project: d.Store.Project, Turn: new(sync.Mutex)}
	r, err := many.Change(t.Context(), []string{task.ID}, beckon.ManyChange{Kind: beckon.ChangeAgent, Agent: "kimi"})
	if err != nil || len(r.Refused) != 1 || r.Refused[0].Why.Problem != problem.OtherSession {
		t.Errorf("given to another: %+v, %v", r, err)
	}
	if now := d.Now(task.ID); now.Agent != "" {
		t.Errorf("its agent is %q", now.Agent)
	}
}

// TestTheModelOfOneAgentIsNotAnothers: what the project says is Claude's, and what a task had
// of its agent does not go to the next.
func TestTheModelOfOneAgentIsNotAnothers(t *testing.T) {
	t.Parallel()
	d := start(t, "")
	p := d.Project
	p.Model = "opus"
	if _, err := d.Board.EditProject(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	var made []beckon.Task
	for _, c := range []struct{ agent, model, want string }{
		{"", "", "opus"}, {"", "haiku", "haiku"}, {"kimi", "", ""}, {"kimi", "k3", "k3"},
	} {
		task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: p.ID, Title: "Write", Agent: c.agent, Model: c.model})
		if err != nil || task.Model != c.want {
			t.Errorf("%+v: the model is %q, %v", c, task.Model, err)
		}
		made = append(made, task)
	}
	claudes, kimis := made[1], made[3]

	many := steps.ManyCards{Board: d.Board, Task: d.Store.Task, Project: d.Store.Project, Turn: new(sync.Mutex)}
	for _, c := range []struct {
		task        beckon.Task
		agent, want string
	}{
		{claudes, beckon.ClaudeCode, "haiku"}, {claudes, "kimi", ""}, {claudes, beckon.ClaudeCode, "opus"}, {kimis, "kimi", "k3"}, {kimis, "codex", ""},
	} {
		if _, err := many.Change(t.Context(), []string{c.task.ID}, beckon.ManyChange{Kind: beckon.ChangeAgent, Agent: c.agent}); err != nil {
			t.Fatal(err)
		}
		if now := d.Now(c.task.ID); now.Model != c.want {
			t.Errorf("given to %s it has the model %q, want %q", c.agent, now.Model, c.want)
		}
	}
	for _, c := range []struct{ agent, model, want string }{
		{"codex", "gpt", "gpt"}, {"kimi", "gpt", ""}, {"codex", "gpt", "gpt"}, {"kimi", "k3", "k3"}, {"kimi", "k3", "k3"},
	} {
		task, err := d.Board.EditTask(t.Context(), kimis.ID, beckon.TaskEdit{Title: "Write", Agent: c.agent, Model: c.model, Mode: beckon.ModeDefault, Policy: beckon.Wait})
		if err != nil || task.Model != c.want {
			t.Errorf("edited to %s with %q: it has the model %q, %v", c.agent, c.model, task.Model, err)
		}
	}
}
