package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// TestADecisionIsChosenDifferently: a new run in a session of its own hears the other answer in
// the files of then; what the first did stays on a branch, and comes back with its session.
func TestADecisionIsChosenDifferently(t *testing.T) {
	d := start(t, handedOver)
	task := d.run(beckon.NewTask{Title: "Paint", Brief: "Paint the shed."})
	q := d.Question("Which tone?")
	answer := func(id, label string) beckon.Answer {
		t.Helper()
		a := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}}
		if id != "" {
			if err := d.AnswerQuestion(id, a); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	d.Until("the checkpoint", func() bool { // an answer does not wait for long on a busy machine
		_, ok, err := d.p.store.Checkpoints.Of(t.Context(), q.ID)
		return ok && err == nil
	})
	answer(q.ID, "Red")
	before, first := d.Ended(task.ID)
	made := filepath.Join(before.Worktree, "made.txt")
	v, err := d.PreviewChoice(q.ID)
	if err != nil || v.Refusal != nil || v.Count != 1 || v.Files[0].Path != "made.txt" || len(v.Commits) != 1 || v.Run != 1 || v.Turn != 1 {
		t.Fatalf("the preview is %+v, %v", v, err)
	}

	if _, err := d.ChooseDifferently(q.ID, answer("", "Blue")); err != nil {
		t.Fatal(err)
	}
	again := d.Question("Which tone?")
	if _, err := os.Lstat(made); err == nil {
		t.Error("what came of the first answer is in the worktree")
	}
	if v, err := d.PreviewChoice(q.ID); err != nil || !v.Refusal.Is(reason.AgentAtWork) || v.Done == nil {
		t.Errorf("while an agent works the preview is %+v, %v", v, err)
	}
	// Taken back meanwhile, its agent is stopped, and asks no more.
	last := func() string {
		t.Helper()
		v, err := d.PreviewChoice(q.ID)
		if err != nil || v.Done == nil {
			t.Fatalf("what was done is %+v, %v", v.Done, err)
		}
		return v.Done.ID
	}
	earlier := last()
	back, err := d.TakeChoiceBack(task.ID, earlier)
	if err != nil || back.Session != first.Session {
		t.Fatalf("while an agent works: %+v, %v", back, err)
	}
	d.Until("the question is withdrawn", func() bool {
		return slices.ContainsFunc(d.Seen.Asked, func(q beckon.Question) bool { return q.ID == again.ID && q.Settlement == beckon.Withdrawn })
	})
	if _, err := os.Lstat(made); err != nil {
		t.Error(err)
	}
	// At once, before its agent is there: the earlier session is not told of the other answer.
	if _, err := d.ChooseDifferently(q.ID, answer("", "Blue")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.TakeChoiceBack(task.ID, last()); err != nil {
		t.Fatal(err)
	}
	if queue, err := d.p.store.Messages(t.Context(), task.ID); err != nil || len(queue) > 0 {
		t.Errorf("in the queue are %+v, %v", queue, err)
	}
	if _, err := d.ChooseDifferently(q.ID, answer("", "Blue")); err != nil {
		t.Fatal(err)
	}
	again = d.Question("Which tone?")
	answer(again.ID, "Blue")
	d.Until("the last run", func() bool { return d.Seen.Runs[task.ID].Number == 4 })
	after, second := d.Ended(task.ID)
	if second.Session == first.Session || second.Session == "" || after.Session != second.Session || after.Trouble != nil || after.Changes.Commits != 1 {
		t.Errorf("the task is %+v, its run %+v", after, second)
	}
	said := ""
	logs, err := filepath.Glob(filepath.Join(d.data, "transcripts", second.ID+"*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		said += strings.ReplaceAll(string(text), `\"`, `"`)
	}
	if !strings.Contains(said, "Paint the shed.") || !strings.Contains(said, "The user has changed a decision") || !strings.Contains(said, `"Which tone?" → "Blue"`) || strings.Contains(said, `→ "Red"`) {
		t.Errorf("the second run was told %.4000q", said)
	}
	show := exec.CommandContext(t.Context(), "git", "show", before.Branch+"-before-rewind:made.txt")
	show.Dir = before.Worktree
	if out, err := show.Output(); err != nil || string(out) != "hello" {
		t.Errorf("the branch has %q, %v", out, err)
	}

	if _, err := d.TakeChoiceBack(task.ID, earlier); err == nil {
		t.Error("an earlier choice is taken back for the last")
	}
	later := last()
	back, err = d.TakeChoiceBack(task.ID, later)
	if err != nil || back.Session != first.Session || back.Changes.Commits != before.Changes.Commits {
		t.Errorf("taken back the task is %+v, %v", back, err)
	}
	if v, err := d.PreviewChoice(q.ID); err != nil || v.Done != nil || v.Refusal != nil {
		t.Errorf("then the preview is %+v, %v", v, err)
	}
	if _, err := d.TakeChoiceBack(task.ID, later); err == nil {
		t.Error("it is taken back twice")
	}
}
