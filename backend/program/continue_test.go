package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/tests/runnertest"
)

// handedOver is Claude's part of a task: it asks, is answered, and leaves a file.
const handedOver = `
ask Which tone? | Red | Blue
write made.txt hello
text half of it is done
`

// promptsOf are the texts of the prompts that the scripted agent has read.
func promptsOf(t *testing.T, home string) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(home, "log.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	prompts := ""
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, `"session/prompt"`) {
			prompts += strings.ReplaceAll(line, `\"`, `"`)
		}
	}
	return prompts
}

// TestAnotherAgentGoesOnWhereClaudeWas: in the same worktree and with a session of its own,
// it gets the brief, what was asked and answered, and where the diff stands.
func TestAnotherAgentGoesOnWhereClaudeWas(t *testing.T) {
	d, home := withKimiAnd(t, runnertest.Agents(t, handedOver))
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "Paint the shed.", Model: "opus"})
	if _, err := d.ContinueWith(task.ID, "kimi", "x"); beckon.FailureOf(err).Problem != "agentWorks" {
		t.Errorf("while Claude works: %v", err)
	}
	q := d.Question("Which tone?")
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{"Red"}}}}); err != nil {
		t.Fatal(err)
	}
	before, first := d.Ended(task.ID)
	if _, err := d.ContinueWith(task.ID, "", "x"); beckon.FailureOf(err).Problem != "handOver" {
		t.Errorf("with the agent that it has: %v", err)
	}
	if _, err := d.ContinueWith(task.ID, "codex", "x"); err == nil {
		t.Error("an agent that is not here takes over")
	}
	if now, err := d.p.store.Task(t.Context(), task.ID); err != nil || now.Agent != "" || now.Session != before.Session || now.Status != beckon.Review {
		t.Errorf("what was refused left %+v, %v", now, err)
	}

	if _, err := d.ContinueWith(task.ID, "kimi", "write more.txt on\nsay continued"); err != nil {
		t.Fatal(err)
	}
	d.Until("the second run", func() bool { return d.Seen.Runs[task.ID].Number == 2 })
	after, second := d.Ended(task.ID)
	if second.Agent != "kimi" || second.Outcome != beckon.Succeeded || second.Session == first.Session || after.Agent != "kimi" || after.Model != "" || second.Model != "fast" || after.Session != second.Session {
		t.Errorf("the task is %+v, its run %+v", after, second)
	}
	if after.Worktree != before.Worktree || after.Branch != before.Branch || after.Changes.Files != 2 {
		t.Errorf("it worked elsewhere: %+v, before %+v", after, before)
	}
	prompts := promptsOf(t, home)
	for _, want := range []string{
		`Paint the shed.`, `Claude worked on this task until now`, `An agent asked: Which tone?`, `The user answered: "Which tone?" → "Red"`,
		"on branch " + before.Branch, "commit " + before.BaseCommit + " of " + before.Base, "Its own commits by now: 1. Files that differ from there: 1 (+1 −0 lines).", `say continued`,
	} {
		if !strings.Contains(prompts, want) {
			t.Errorf("it was not told %q: %s", want, prompts)
		}
	}
	runs, err := d.API.Runs(task.ID)
	if err != nil || len(runs) != 2 || runs[0].Session != first.Session || runs[0].Agent != "" {
		t.Errorf("the runs are %+v, %v", runs, err)
	}
}

// TestAnAgentThatDidNotStartIsToldNextTime: what it was to go on with waits, and is in the
// first message of the run that comes up.
func TestAnAgentThatDidNotStartIsToldNextTime(t *testing.T) {
	d, home := withKimiAnd(t, runnertest.Agents(t, "write made.txt hello\ntext half of it is done\n"))
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "Paint the shed."})
	d.Ended(task.ID)
	broken := filepath.Join(home, "broken")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.ContinueWith(task.ID, "kimi", "say continued"); err != nil {
		t.Fatal(err)
	}
	d.Until("a run that did not come up", func() bool {
		run := d.Seen.Runs[task.ID]
		return run.Number == 2 && run.Phase == beckon.Ended && run.Outcome == beckon.Failed
	})
	d.Ended(task.ID)
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	d.Until("the third run", func() bool { return d.Seen.Runs[task.ID].Number == 3 })
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Agent != "kimi" || run.Turns != 1 {
		t.Errorf("it ended %+v", run)
	}
	prompts := promptsOf(t, home)
	for _, want := range []string{"Paint the shed.", "Claude worked on this task until now", "say continued"} {
		if strings.Count(prompts, want) != 1 {
			t.Errorf("it was not told %q once: %s", want, prompts)
		}
	}
}

// TestAQuestionOfTheAgentBeforeIsWithdrawn: nobody would hear its answer, and the next agent
// knows that there was none.
func TestAQuestionOfTheAgentBeforeIsWithdrawn(t *testing.T) {
	d, home := withKimiAnd(t, runnertest.Agents(t, handedOver))
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "Paint the shed.", Policy: beckon.Wait})
	q := d.Question("Which tone?")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	d = openAt(t, d.data, d.find)
	if _, err := d.ContinueWith(task.ID, "kimi", ""); err != nil {
		t.Fatal(err)
	}
	if now := d.Became(task.ID, beckon.Withdrawn); now.ID != q.ID || now.Reason.Code != reason.ContinuedWith {
		t.Errorf("the question is %+v", now)
	}
	d.Ended(task.ID)
	if prompts := promptsOf(t, home); !strings.Contains(prompts, `An agent asked: Which tone?\nThere was no answer.\n\nCarry on with the task from there.`) {
		t.Errorf("it was told %s", prompts)
	}
}
