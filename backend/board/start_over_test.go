package board_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

// TestATaskIsStartedOverAndWhatItHadIsKept: in a new session, on a new branch of the
// base as it is by then; nothing is taken away that the user did not see.
func TestATaskIsStartedOverAndWhatItHadIsKept(t *testing.T) {
	t.Parallel()
	d := start(t, "write first.txt gold\n")
	task, first := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(task.Worktree, "mine.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Git("commit", "--allow-empty", "-m", "The base goes on")
	if _, err := d.Board.StartOver(t.Context(), task.ID, "guessed"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("of a loss that nobody saw: %v", err)
	}
	begun, err := d.Board.StartOver(t.Context(), task.ID, d.token(task.ID))
	if err != nil || begun.Status != beckon.Running {
		t.Fatalf("started over: %+v, %v", begun, err)
	}
	d.Until("the second run is over", func() bool {
		return d.Runs[task.ID].Number == 2 && d.Runs[task.ID].Phase == beckon.Ended && d.Tasks[task.ID].Status == beckon.Review
	})
	now := d.Now(task.ID)
	_, second := d.Ended(task.ID)
	if second.Session == first.Session || second.Outcome != beckon.Succeeded {
		t.Errorf("the second run is %+v; want a session of its own", second)
	}
	if _, err := os.Stat(filepath.Join(now.Worktree, "mine.txt")); err == nil || now.Changes.Commits != 1 {
		t.Errorf("it did not begin with the base: %+v, %v", now.Changes, err)
	}
	if tip := d.Git("rev-parse", "main"); now.BaseCommit != tip {
		t.Errorf("it grew from %s, the base is at %s", now.BaseCommit, tip)
	}
	if now.KeptUntil <= beckon.Now() || d.Git("show", now.KeptRef+":mine.txt") != "mine" || d.Git("show", now.KeptRef+":first.txt") != "gold" {
		t.Errorf("what it had is not kept: %+v", now)
	}
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Archived, 0); err != nil {
		t.Fatal(err)
	}
	if back, err := d.Board.Restore(t.Context(), task.ID); err != nil || back.KeptRef != now.KeptRef {
		t.Errorf("from the archive it comes back as %+v, %v", back, err)
	}
	d.Git("show", now.KeptRef+":mine.txt")
}

func TestNothingIsTakenAwayWhereNoAgentCanBegin(t *testing.T) {
	t.Parallel()
	d := start(t, "write first.txt gold\nask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Write"})
	q := d.Question("Which?")
	if _, err := d.Board.StartOver(t.Context(), task.ID, ""); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("while its agent lives: %v", err)
	}
	d.Choose(q, "A")
	d.Ended(task.ID)
	token := d.token(task.ID)
	d.Distrust()
	if _, err := d.Board.StartOver(t.Context(), task.ID, token); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("in a project without trust: %v", err)
	}
	now := d.Now(task.ID)
	if _, err := os.Stat(filepath.Join(now.Worktree, "first.txt")); err != nil || now.Session == "" || now.KeptRef != "" {
		t.Errorf("it became %+v, %v", now, err)
	}
}
