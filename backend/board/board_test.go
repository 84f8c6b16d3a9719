package board_test

import (
	"errors"
	"slices"
	"testing"

	"beckon/backend/beckon"
)

func TestQueueingInAnUntrustedProjectIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "text must not run\n")
	d.Distrust()
	task := d.Card("Queue me")
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Queued, 0); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("queueing: %v; want a refusal that asks for trust", err)
	}
	if s := d.Now(task.ID).Status; s != beckon.Backlog {
		t.Errorf("the refused card is in %s", s)
	}
	for _, status := range []beckon.Status{beckon.Queued, beckon.Running} {
		_, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "New", Status: status})
		if !errors.Is(err, beckon.ErrUntrusted) {
			t.Errorf("a new task in %s: %v; want a refusal that asks for trust", status, err)
		}
	}
	if tasks, err := d.Store.Tasks(t.Context()); err != nil || len(tasks) != 1 {
		t.Errorf("%d cards, %v; what is refused leaves none that trying again would double", len(tasks), err)
	}
}

func TestARemovedProjectTakesItsCardsAndTranscriptsAlong(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	first, _ := d.Ended(d.Run(beckon.NewTask{Title: "One"}).ID)
	second := d.Card("Two")
	d.Until("the run is over for good", func() bool { return d.Runner.Working() == 0 })
	if len(d.Transcripts()) == 0 {
		t.Fatal("there is no transcript")
	}
	if err := d.Board.RemoveProject(t.Context(), d.Project.ID); err != nil {
		t.Fatal(err)
	}
	d.Until("every screen knows", func() bool {
		return slices.Contains(d.Gone, first.ID) && slices.Contains(d.Gone, second.ID) && slices.Contains(d.Gone, d.Project.ID)
	})
	if left := d.Transcripts(); len(left) != 0 {
		t.Errorf("what was said stays on the disk: %v", left)
	}
}

func TestAnUntrustedProjectRunsNothing(t *testing.T) {
	t.Parallel()
	d := start(t, "text hello\n")
	edit := d.Project
	edit.Trusted = false
	if _, err := d.Board.EditProject(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Run"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("start in an untrusted project: %v", err)
	}
	if _, err := d.Runner.StartInteractive(t.Context(), task.ID); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("chat in an untrusted project: %v", err)
	}
}

func TestNoClockRunsWhileTheScreenIsLocked(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	d.Run(beckon.NewTask{Title: "Nobody looks", Policy: beckon.Proceed, WaitMs: 60_000})
	q := d.Question("Which?")
	held := func(want bool) {
		t.Helper()
		now, err := d.Store.Question(t.Context(), q.ID)
		if err != nil || (now.HeldMs > 0) != want || (now.Deadline > 0) == want {
			t.Errorf("held for %d, deadline %d, %v; want held: %t", now.HeldMs, now.Deadline, err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.Board.ScreenLocked(t.Context(), true))
	held(true)
	must(d.Board.PauseAll(t.Context(), true))
	must(d.Board.ScreenLocked(t.Context(), false))
	held(true) // the user is still away
	must(d.Board.ScreenLocked(t.Context(), true))
	must(d.Board.PauseAll(t.Context(), false))
	held(true) // and the screen locked
	must(d.Board.ScreenLocked(t.Context(), false))
	held(false)
}
