package board_test

import (
	"errors"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// TestATaskStartsWhenTheOneBeforeItIsMerged: however many slots are free before.
func TestATaskStartsWhenTheOneBeforeItIsMerged(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	first, _ := d.Ended(d.Run(beckon.NewTask{Title: "First"}).ID)
	then, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Then", Status: beckon.Queued, After: first.ID})
	if err != nil || then.After != first.ID {
		t.Fatalf("%+v, %v", then, err)
	}
	d.Ended(d.Run(beckon.NewTask{Title: "Beside"}).ID) // the queue has looked by then
	if now := d.Now(then.ID); now.Status != beckon.Queued {
		t.Fatalf("before the first is done it is in %s", now.Status)
	}
	if _, err := d.Board.Merge(t.Context(), first.ID, reviewing.MergeOrder{}); err != nil {
		t.Fatal(err)
	}
	d.Ended(then.ID)
}

func TestATaskStartsWhenItIsToWaitNoMore(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	first := d.Card("First")
	for _, free := range []func(then beckon.Task) error{
		func(then beckon.Task) error {
			_, err := d.Board.EditTask(t.Context(), then.ID, beckon.TaskEdit{Title: then.Title, Mode: then.Mode, Policy: then.Policy})
			return err
		},
		func(beckon.Task) error { return d.Board.DeleteTask(t.Context(), first.ID, "") },
	} {
		then, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Then", Status: beckon.Queued, After: first.ID})
		if err != nil {
			t.Fatal(err)
		}
		if err := free(then); err != nil {
			t.Fatal(err)
		}
		d.Ended(then.ID)
	}
}

func TestATaskIsHeldUntilItsTime(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	at := beckon.Now() + 2*time.Second.Milliseconds()
	then, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Then", Status: beckon.Queued, StartsAt: at})
	if err != nil || then.StartsAt != at {
		t.Fatalf("%+v, %v", then, err)
	}
	if _, run := d.Ended(then.ID); run.Started < at {
		t.Errorf("it began %d ms before its time", at-run.Started)
	}
	if _, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Then", StartsAt: -1}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("before there were computers: %v", err)
	}
}
