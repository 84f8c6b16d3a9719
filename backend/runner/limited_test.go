package main

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
)

// swap returns how agents are started, and what has the next ones play
// another script.
func swap(t *testing.T, script string) (find func() (cli.Options, error), play func(string)) {
	t.Helper()
	var now atomic.Value
	play = func(script string) { now.Store(agents(t, script)) }
	play(script)
	return func() (cli.Options, error) { return now.Load().(func() (cli.Options, error))() }, play
}

// rejected is a turn that meets a limit which resets then.
func rejected(at time.Time) string {
	return fmt.Sprintf(`say {"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour"}}
error 429 You've hit your session limit
`, at.Unix())
}

// waits waits until a task is queued to go on by itself, and returns it.
func (d *desktopOf) waits(id string, why beckon.Setback, tries int) beckon.Task {
	d.t.Helper()
	d.until("a task that goes on by itself", func() bool {
		r := d.tasks[id].Resume
		return d.tasks[id].Status == beckon.Queued && r.Why == why && r.Tries == tries
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tasks[id]
}

func TestATaskThatMetALimitGoesOnWhenItResetsAndNoOtherRunsIntoIt(t *testing.T) {
	t.Parallel()
	find, play := swap(t, "text Half.\n"+rejected(time.Now().Add(12*time.Second)))
	d := startWith(t, find)
	first := d.run(beckon.NewTask{Title: "First"})
	first = d.waits(first.ID, beckon.PlanLimit, 0)
	if first.Trouble != "" || first.Resume.At < time.Now().UnixMilli() {
		t.Errorf("the card %+v; want that it waits for the reset, and no trouble", first)
	}
	play("text Carried on.\n")
	second, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Second", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.ID, second.ID} {
		if _, run := d.ended(id); run.Outcome != beckon.Succeeded || run.Started < first.Resume.At {
			t.Errorf("run %+v; want success, and none before %d", run, first.Resume.At)
		}
	}
	runs, err := d.Runs(first.ID)
	if err != nil || len(runs) != 2 || runs[0].Outcome != beckon.Limited || !strings.Contains(runs[0].Reason, "resets at") || runs[0].Session != runs[1].Session {
		t.Errorf("runs %+v, %v; want one that was limited, and one that goes on in its session", runs, err)
	}
	if now, err := d.p.store.Task(t.Context(), first.ID); err != nil || now.Resume != (beckon.Resume{}) {
		t.Errorf("after that the card keeps %+v, %v", now.Resume, err)
	}
}

func TestAnOverloadedAPIIsTriedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	find, play := swap(t, "error 529 Overloaded\n")
	d := startWith(t, find)
	d.p.board.Backoff = 300 * time.Millisecond
	task := d.run(beckon.NewTask{Title: "Overloaded"})
	d.waits(task.ID, beckon.Overload, 1)
	d.waits(task.ID, beckon.Overload, 3)
	play("text Carried on.\n")
	if _, run := d.ended(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("run %+v", run)
	}
	runs, err := d.Runs(task.ID)
	if err != nil || len(runs) < 4 {
		t.Fatalf("runs %+v, %v", runs, err)
	}
	if one, two := runs[1].Started-runs[0].Ended, runs[2].Started-runs[1].Ended; one < 300 || two < 600 {
		t.Errorf("tried again after %d and %d ms, want 300 and 600 at least", one, two)
	}
}

func TestWhoIsNotSignedInIsToldWhatToDoAndNothingGoesOnByItself(t *testing.T) {
	t.Parallel()
	d := start(t, "error 401 Please run /login\n")
	d.p.board.Backoff = time.Millisecond
	task, run := d.ended(d.run(beckon.NewTask{Title: "Signed out"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason, "Sign in again") || task.Resume != (beckon.Resume{}) {
		t.Errorf("run %+v, card %+v; want it in review with what to do", run, task)
	}
}

func TestATaskThatWaitsForAResetOutlivesBeckon(t *testing.T) {
	t.Parallel()
	d := start(t, rejected(time.Now().Add(12*time.Second)))
	task := d.run(beckon.NewTask{Title: "Limited"})
	task = d.waits(task.ID, beckon.PlanLimit, 0)
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "text Carried on.\n"))
	if _, run := again.ended(task.ID); run.Outcome != beckon.Succeeded || run.Started < task.Resume.At {
		t.Errorf("run %+v; want success, and none before %d", run, task.Resume.At)
	}
}

func TestATaskThatIsTakenOutOfTheQueueDoesNotGoOnByItself(t *testing.T) {
	t.Parallel()
	find, play := swap(t, rejected(time.Now().Add(time.Hour)))
	d := startWith(t, find)
	task := d.waits(d.run(beckon.NewTask{Title: "Limited"}).ID, beckon.PlanLimit, 0)
	play("text Done.\n")
	moved, err := d.MoveTask(task.ID, beckon.Backlog, 0)
	if err != nil || moved.Resume != (beckon.Resume{}) {
		t.Errorf("moved to %+v, %v", moved, err)
	}
	other, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Other", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	if _, run := d.ended(other.ID); run.Outcome != beckon.Succeeded { // nothing waits for the limit any more
		t.Errorf("run %+v", run)
	}
	if runs, err := d.Runs(task.ID); err != nil || len(runs) != 1 {
		t.Errorf("runs %+v, %v; want none but the first", runs, err)
	}
}
