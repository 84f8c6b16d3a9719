package runner_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

// swap returns how agents are started, and what has the next ones play
// another script.
func swap(t *testing.T, script string) (find func() (cli.Options, error), play func(string)) {
	t.Helper()
	var now atomic.Value
	play = func(script string) { now.Store(runnertest.Agents(t, script)) }
	play(script)
	return func() (cli.Options, error) { return now.Load().(func() (cli.Options, error))() }, play
}

// rejected is a turn that meets a limit which resets that long after it is met.
func rejected(after time.Duration) string {
	return fmt.Sprintf(`say {"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":"+%s","rateLimitType":"five_hour"}}
error 429 You've hit your session limit
`, after)
}

// waits waits until a task is queued to resume on its own, and returns it.
func (d driver) waits(id string, why beckon.Setback, tries int) beckon.Task {
	d.T.Helper()
	d.Until("a task that resumes on its own", func() bool {
		r := d.Tasks[id].Resume
		return d.Tasks[id].Status == beckon.Queued && r.Why == why && r.Tries == tries
	})
	d.Lock()
	defer d.Unlock()
	return d.Tasks[id]
}

func TestATaskThatMetALimitGoesOnWhenItResetsAndNoOtherRunsIntoIt(t *testing.T) {
	t.Parallel()
	find, play := swap(t, "text Half.\n"+rejected(12*time.Second))
	d := startWith(t, find)
	first := d.Run(beckon.NewTask{Title: "First"})
	first = d.waits(first.ID, beckon.PlanLimit, 0)
	if first.Trouble != nil || first.Resume.At < time.Now().UnixMilli() {
		t.Errorf("the card %+v; want that it waits for the reset, and no trouble", first)
	}
	play("text Carried on.\n")
	second, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Second", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.ID, second.ID} {
		if _, run := d.Ended(id); run.Outcome != beckon.Succeeded || run.Started < first.Resume.At {
			t.Errorf("run %+v; want success, and none before %d", run, first.Resume.At)
		}
	}
	runs, err := d.History.Runs(t.Context(), first.ID)
	if err != nil || len(runs) != 2 || runs[0].Outcome != beckon.Limited || !strings.Contains(runs[0].Reason.String(), "resets at") || runs[0].Session != runs[1].Session {
		t.Errorf("runs %+v, %v; want one that was limited, and one that goes on in its session", runs, err)
	}
	if now, err := d.Store.Task(t.Context(), first.ID); err != nil || now.Resume != (beckon.Resume{}) {
		t.Errorf("after that the card keeps %+v, %v", now.Resume, err)
	}
}

func TestAnOverloadedAPIIsTriedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	find, play := swap(t, "error 529 Overloaded\n")
	d := startWith(t, find)
	d.Board.Backoff = 300 * time.Millisecond
	task := d.Run(beckon.NewTask{Title: "Overloaded"})
	d.waits(task.ID, beckon.Overload, 1)
	d.waits(task.ID, beckon.Overload, 3)
	play("text Carried on.\n")
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("run %+v", run)
	}
	runs, err := d.History.Runs(t.Context(), task.ID)
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
	d.Board.Backoff = time.Millisecond
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Signed out"}).ID)
	if run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String(), "Sign in again") || task.Resume != (beckon.Resume{}) {
		t.Errorf("run %+v, card %+v; want it in review with what to do", run, task)
	}
}

func TestATaskThatWaitsForAResetOutlivesBeckon(t *testing.T) {
	t.Parallel()
	d := start(t, rejected(12*time.Second))
	task := d.Run(beckon.NewTask{Title: "Limited"})
	task = d.waits(task.ID, beckon.PlanLimit, 0)
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "text Carried on.\n"))
	if _, run := again.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Started < task.Resume.At {
		t.Errorf("run %+v; want success, and none before %d", run, task.Resume.At)
	}
}

func TestATaskThatIsTakenOutOfTheQueueDoesNotGoOnByItself(t *testing.T) {
	t.Parallel()
	find, play := swap(t, rejected(time.Hour))
	d := startWith(t, find)
	task := d.waits(d.Run(beckon.NewTask{Title: "Limited"}).ID, beckon.PlanLimit, 0)
	play("text Done.\n")
	moved, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Backlog, 0)
	if err != nil || moved.Resume != (beckon.Resume{}) {
		t.Errorf("moved to %+v, %v", moved, err)
	}
	other, err := d.Board.CreateTask(t.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: "Other", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(other.ID); run.Outcome != beckon.Succeeded { // nothing waits for the limit any more
		t.Errorf("run %+v", run)
	}
	if runs, err := d.History.Runs(t.Context(), task.ID); err != nil || len(runs) != 1 {
		t.Errorf("runs %+v, %v; want none but the first", runs, err)
	}
}
