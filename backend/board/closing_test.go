package board_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

func TestUnmergedWorkIsNotDoneInSilence(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	_, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0)
	if !errors.Is(err, beckon.ErrUnmerged) || beckon.Code(err) != "unmerged" {
		t.Errorf("done without a merge: %v; want to be asked", err)
	}
	if s := d.Now(task.ID).Status; s != beckon.Review {
		t.Errorf("the card is in %s", s)
	}
	closed, err := d.Board.CloseTask(t.Context(), task.ID)
	if err != nil || closed.Status != beckon.Done || closed.Resolution != beckon.Closed || closed.Branch == "" {
		t.Errorf("closed it is %+v, %v", closed, err)
	}
	back, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Review, 0)
	if err != nil || back.Resolution != "" {
		t.Errorf("taken back it is %q, %v", back.Resolution, err)
	}
	merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if err != nil || merged.Resolution != beckon.Merged {
		t.Errorf("merged it is %q, %v", merged.Resolution, err)
	}
}

func TestWorkThatNoCommitHoldsIsUnmergedToo(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if _, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Review, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(task.Worktree, "later.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0); !errors.Is(err, beckon.ErrUnmerged) {
		t.Errorf("done with a file that no commit holds: %v", err)
	}
	if err := os.Remove(filepath.Join(task.Worktree, "later.txt")); err != nil {
		t.Fatal(err)
	}
	if done, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Done, 0); err != nil || done.Resolution != beckon.Merged {
		t.Errorf("what is in the base is %q, %v; want merged", done.Resolution, err)
	}
}

func TestWhatWasNeverWorkedOnIsSimplyDone(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	if done, err := d.Board.MoveTask(t.Context(), d.Card("Done by hand").ID, beckon.Done, 0); err != nil || done.Resolution != "" {
		t.Errorf("it is %q, %v", done.Resolution, err)
	}
}

func TestAnArchivedCardGoesBackToWhereItWas(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	worked, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	for name, c := range map[string]struct {
		task beckon.Task
		want beckon.Status
	}{
		"never ran":     {d.Card("Later"), beckon.Backlog},
		"was looked at": {worked, beckon.Review},
	} {
		if _, err := d.Board.MoveTask(t.Context(), c.task.ID, beckon.Archived, 0); err != nil {
			t.Fatal(err)
		}
		back, err := d.Board.Restore(t.Context(), c.task.ID)
		if err != nil || back.Status != c.want || back.ArchivedFrom != "" {
			t.Errorf("a card that %s is in %s, %v; want %s", name, back.Status, err, c.want)
		}
		if _, err := d.Board.Restore(t.Context(), c.task.ID); !errors.Is(err, beckon.ErrConflict) {
			t.Errorf("restored twice: %v", err)
		}
	}
	if _, err := d.Board.Merge(t.Context(), worked.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Board.MoveTask(t.Context(), worked.ID, beckon.Archived, 0); err != nil {
		t.Fatal(err)
	}
	if back, err := d.Board.Restore(t.Context(), worked.ID); err != nil || back.Status != beckon.Done || back.Resolution != beckon.Merged {
		t.Errorf("a merged card is in %s as %q, %v", back.Status, back.Resolution, err)
	}
}

func TestDiscardedWorkComesBackWithItsCard(t *testing.T) {
	t.Parallel()
	d := start(t, "write precious.txt gold\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(task.Worktree, "later.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	gone, err := d.Board.Discard(t.Context(), task.ID, d.token(task.ID))
	if err != nil || gone.Resolution != beckon.Discarded || gone.KeptUntil <= beckon.Now() {
		t.Fatalf("discarded it is %+v, %v", gone, err)
	}
	back, err := d.Board.Restore(t.Context(), task.ID)
	if err != nil || back.Status != beckon.Review || back.Branch != task.Branch || back.KeptRef != "" {
		t.Fatalf("restored it is %+v, %v", back, err)
	}
	review, err := d.Board.Review(t.Context(), task.ID, reviewing.View{})
	if err != nil || len(review.Files) != 2 || back.Changes.Files != 2 {
		t.Errorf("the review has %+v, the card %+v, %v; want both files", review.Files, back.Changes, err)
	}
	if merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || merged.Status != beckon.Done {
		t.Errorf("merge of what came back: %v", err)
	}
}

func TestACardComesBackThoughItsDiscardedWorkIsGone(t *testing.T) {
	t.Parallel()
	d := start(t, "write precious.txt gold\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	gone, err := d.Board.Discard(t.Context(), task.ID, d.token(task.ID))
	if err != nil {
		t.Fatal(err)
	}
	d.Git("update-ref", "-d", gone.KeptRef)
	if err := os.RemoveAll(filepath.Join(d.DataDir, "trash")); err != nil {
		t.Fatal(err)
	}
	back, err := d.Board.Restore(t.Context(), task.ID)
	if err != nil || back.Status != beckon.Backlog || back.Branch != "" || back.Trouble == nil {
		t.Errorf("restored it is %+v, %v; want a card that says what is gone", back, err)
	}
}
