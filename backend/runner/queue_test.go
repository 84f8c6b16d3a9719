package runner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

func TestQueuedTasksStartInOrderWhileSlotsAreFree(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	if err := d.Board.SaveSettings(t.Context(), beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, title := range []string{"first", "second", "third"} {
		task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: title, Status: beckon.Queued})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, task.ID)
	}
	for i, id := range ids {
		d.Until("task "+id+" asks", func() bool {
			return slices.ContainsFunc(d.Asked, func(q beckon.Question) bool { return q.TaskID == id && q.Settlement == beckon.Open })
		})
		d.Lock()
		for _, later := range ids[i+1:] {
			if s := d.Tasks[later].Status; s != beckon.Queued {
				t.Errorf("with one slot, task %d stands in %s while task %d runs", i+2, s, i+1)
			}
		}
		d.Unlock()
		d.Choose(d.Question("Go on?"), "Yes")
		d.Ended(id)
	}
}

func TestAHeldQueueStartsNothingUntilItIsLetGo(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	held := beckon.Settings{Slots: 2, SingleKeys: true, HoldQueue: true}
	if err := d.Board.SaveSettings(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	queued, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Waits", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	// One that is started by hand runs, and its end wakes the queue.
	d.Ended(d.Run(beckon.NewTask{Title: "By hand"}).ID)
	if s := d.Now(queued.ID).Status; s != beckon.Queued {
		t.Errorf("in a held queue a card went to %s", s)
	}
	held.HoldQueue = false
	if err := d.Board.SaveSettings(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	d.Ended(queued.ID)
}

// TestACardPulledBackIntoTheQueueStartsAgain: the queue waits for the run that
// is ending, and does not take it for trouble.
func TestACardPulledBackIntoTheQueueStartsAgain(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | A | B\n")
	task := d.Run(beckon.NewTask{Title: "Back and forth"})
	first := d.Question("Which?")
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Queued, 0); err != nil {
		t.Fatal(err)
	}
	d.Until("it asks again", func() bool {
		return slices.ContainsFunc(d.Asked, func(q beckon.Question) bool { return q.ID != first.ID && q.Settlement == beckon.Open })
	})
	d.Lock()
	trouble := d.Tasks[task.ID].Trouble
	d.Unlock()
	if trouble != nil {
		t.Errorf("the card says %q", trouble)
	}
	d.Choose(d.Question("Which?"), "A")
	d.Ended(task.ID)
}

func TestACardThatTheQueuePutsBackSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	if err := d.Board.SaveSettings(t.Context(), beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	first := d.Run(beckon.NewTask{Title: "Takes the slot"})
	q := d.Question("Go on?")
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Waits", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	d.Distrust()
	d.Choose(q, "Yes")
	d.Ended(first.ID)
	d.Until("it is put back", func() bool { return d.Tasks[task.ID].Status == beckon.Backlog })
	if trouble := d.Now(task.ID).Trouble; !strings.Contains(trouble.String(), "Trust") {
		t.Errorf("the card that was put back says %q", trouble)
	}
}

func TestAChatOnTheFirstQueuedCardLeavesTheQueueGoing(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	first, second := d.Card("Talked about"), d.Card("Waits behind")
	if _, err := d.Runner.StartInteractive(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	for _, task := range []beckon.Task{first, second} {
		if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	d.Ended(second.ID)
	if s := d.Now(first.ID).Status; s != beckon.Queued {
		t.Errorf("the card that is talked about is in %s", s)
	}
	if err := d.Runner.Stop(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	d.Ended(first.ID)
}

// inTheWindow starts Beckon so that during runs between the queue's choice of
// a task and its start.
func inTheWindow(t *testing.T, during func(d driver)) driver {
	t.Helper()
	agent := runnertest.Agents(t, "ask Go on? | Yes | No\n")
	var d driver
	var armed atomic.Bool
	d = startWith(t, func() (cli.Options, error) {
		if armed.CompareAndSwap(true, false) {
			during(d)
		}
		return agent()
	})
	armed.Store(true)
	return d
}

func TestTheQueueLeavesACardThatTheUserHasJustStarted(t *testing.T) {
	t.Parallel()
	var task beckon.Task
	d := inTheWindow(t, func(d driver) {
		if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); err != nil {
			t.Errorf("start: %v", err)
		}
	})
	task = d.Card("Mine")
	other := d.Card("Next")
	for _, id := range []string{task.ID, other.ID} {
		if _, err := d.Board.MoveTask(t.Context(), id, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{task.ID, other.ID} {
		d.Until("it asks", func() bool { return d.Runs[id].Phase == beckon.Asking })
		if now := d.Now(id); now.Status != beckon.Running || now.Trouble != nil {
			t.Errorf("the started card is in %s and says %q", now.Status, now.Trouble)
		}
	}
}

func TestACardTakenOutOfTheQueueInTimeDoesNotStart(t *testing.T) {
	t.Parallel()
	var task beckon.Task
	d := inTheWindow(t, func(d driver) {
		if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Backlog, 0); err != nil {
			t.Errorf("take it out: %v", err)
		}
	})
	task = d.Card("Not now")
	other := d.Card("Next")
	for _, id := range []string{task.ID, other.ID} {
		if _, err := d.Board.MoveTask(t.Context(), id, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	d.Until("the next asks", func() bool { return d.Runs[other.ID].Phase == beckon.Asking })
	if now := d.Now(task.ID); now.Status != beckon.Backlog || now.Trouble != nil {
		t.Errorf("the card is in %s and says %q", now.Status, now.Trouble)
	}
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || len(runs) != 0 {
		t.Errorf("runs %+v, %v; want none", runs, err)
	}
}

func TestTheQueueGoesOnWhenClaudeIsBack(t *testing.T) {
	t.Parallel()
	var back atomic.Bool
	agent := runnertest.Agents(t, "text done\n")
	d := startWith(t, func() (cli.Options, error) {
		if !back.Load() {
			return cli.Options{}, cli.ErrNotFound
		}
		return agent()
	})
	task, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Waits for claude", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	d.Until("the card says why it waits", func() bool { return strings.Contains(d.Tasks[task.ID].Trouble.String(), "claude") })
	back.Store(true)
	if now, _ := d.Ended(task.ID); now.Trouble != nil {
		t.Errorf("it ran, and still says %q", now.Trouble)
	}
}

// TestWhatOnlyTakesRoomKeepsNoBeckonFromStarting: what is in the place of a folder to clean
// up cannot be read as one.
func TestWhatOnlyTakesRoomKeepsNoBeckonFromStarting(t *testing.T) {
	t.Parallel()
	d := start(t, "text Hello.\n")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	images := filepath.Join(d.DataDir, "images")
	if err := errors.Join(os.RemoveAll(images), os.WriteFile(images, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.DataDir, d.Find)
	again.Project = d.Project
	again.Ended(again.Run(beckon.NewTask{Title: "Write"}).ID)
}
