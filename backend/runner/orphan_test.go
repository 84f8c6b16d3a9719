package runner_test

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

// death is that of an agent which kills itself once its test says so: a time would come
// before its question does, on a busy machine.
type death struct {
	t    *testing.T
	file string
}

func dying(t *testing.T) death { return death{t, filepath.Join(t.TempDir(), "die")} }

// line is that of the agent's script.
func (d death) line() string {
	return "run until [ -e " + d.file + " ]; do sleep 0.05; done; kill -9 $PPID\n"
}

func (d death) now() {
	if err := os.WriteFile(d.file, nil, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// later has another agent live until it is now again.
func (d death) later() {
	if err := os.Remove(d.file); err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
}

func TestAKilledAgentLeavesItsQuestionOrphaned(t *testing.T) {
	t.Parallel()
	die := dying(t)
	d := start(t, "parallel\nask Which? | A | B\n"+die.line()+"end\n")
	task := d.Run(beckon.NewTask{Title: "Die"})
	d.Question("Which?")
	die.now()
	d.Ended(task.ID)
	qs, err := d.History.Questions(t.Context(), task.ID)
	if err != nil || len(qs) != 1 || qs[0].Settlement != beckon.Orphaned {
		t.Errorf("questions %+v, %v; want one, orphaned", qs, err)
	}
}

// TestACardThatIsOverLeavesNothingInTheInbox: its questions are settled, and
// say why; those of one that is not over can be dismissed.
func TestACardThatIsOverLeavesNothingInTheInbox(t *testing.T) {
	t.Parallel()
	die := dying(t)
	d := start(t, "parallel\nask Which? | A | B\n"+die.line()+"end\n")
	for to, want := range map[beckon.Status]string{
		beckon.Done: "The card is done.", beckon.Archived: "The card was archived.", beckon.Review: "You dismissed it.",
	} {
		die.later()
		task := d.Run(beckon.NewTask{Title: "Die"})
		d.Question("Which?")
		die.now()
		d.Ended(task.ID)
		q := d.Became(task.ID, beckon.Orphaned)
		if _, err := d.Board.MoveTask(t.Context(), task.ID, to, 0); err != nil {
			t.Fatal(err)
		}
		if to == beckon.Review {
			if err := d.Desk.Dismiss(t.Context(), q.ID); err != nil {
				t.Fatal(err)
			}
		}
		if q := d.Became(task.ID, beckon.Withdrawn); q.Reason.String() != want {
			t.Errorf("%s: withdrawn because %q, want %q", to, q.Reason, want)
		}
		if open, err := d.Store.OpenQuestions(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%s: %d questions wait, %v", to, len(open), err)
		}
	}
}

// TestAnOlderInboxIsClearedOfCardsThatAreOver, at the next start.
func TestAnOlderInboxIsClearedOfCardsThatAreOver(t *testing.T) {
	t.Parallel()
	die := dying(t)
	d := start(t, "parallel\nask Which? | A | B\n"+die.line()+"end\n")
	task := d.Run(beckon.NewTask{Title: "Die"})
	d.Question("Which?")
	die.now()
	d.Ended(task.ID)
	if _, err := d.Store.UpdateTask(t.Context(), task.ID, func(t *beckon.Task) error { return t.Move(beckon.Archived) }); err != nil {
		t.Fatal(err)
	}
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text none\n"))
	if open, err := again.Store.OpenQuestions(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("%d questions wait, %v", len(open), err)
	}
}

// TestBeckonKilledWhileAClientAskedKeepsNoGhost: the client was told, and has
// nothing that an answer could resume.
func TestBeckonKilledWhileAClientAskedKeepsNoGhost(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	d := openAt(t, data, runnertest.NoAgents)
	id, _, err := d.Runner.BeginExternalRun(t.Context(), "") // which never leaves, as after a kill
	if err != nil {
		t.Fatal(err)
	}
	q := beckon.Question{
		ID: beckon.NewID(), RunID: id, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open,
		Origin: "codex", Items: []beckon.QuestionItem{{Text: "Which?"}},
	}
	if err := d.Store.AddQuestion(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = openAt(t, data, runnertest.NoAgents)
	after, err := d.Store.Question(t.Context(), q.ID)
	if err != nil || after.Settlement != beckon.Withdrawn || after.Reason == nil {
		t.Errorf("the question is %s because %q, %v", after.Settlement, after.Reason, err)
	}
	if run, err := d.Store.Run(t.Context(), id); err != nil || run.Outcome != beckon.Lost {
		t.Errorf("its run is %+v, %v", run, err)
	}
}
