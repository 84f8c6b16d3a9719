package runner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// shows waits until the transcript has a notice with the words.
func (d driver) shows(taskID, notice, words string) {
	d.T.Helper()
	page, err := d.History.Transcript(d.T.Context(), taskID, "", 100)
	if err != nil {
		d.T.Fatal(err)
	}
	if !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool { return e.Notice == notice && strings.Contains(e.Text, words) }) {
		d.T.Errorf("the transcript has no notice %q of %q: %+v", notice, words, page.Entries)
	}
}

// waitsFor waits until a task's run waits for the command, and says so.
func (d driver) waitsFor(taskID, command string) beckon.Run {
	d.T.Helper()
	d.Until("a run that waits for "+command, func() bool {
		return d.Runs[taskID].Activity.Verb == beckon.Background && d.Runs[taskID].Phase == beckon.Working
	})
	d.Lock()
	defer d.Unlock()
	run := d.Runs[taskID]
	if run.Activity.Target != command || run.Activity.Since == 0 {
		d.T.Errorf("it shows %+v, want that it waits for %q and since when", run.Activity, command)
	}
	return run
}

func TestATurnThatBeginsByItselfAsksAndItsWorkCounts(t *testing.T) {
	t.Parallel()
	d := start(t, "background 700ms make all\ntext Started.\nturn\nask Well? | A | B\nwrite late.txt ${answer}\npermit Bash {\"command\":\"echo x > more.txt\"}\ntext Finished.\n")
	task := d.Run(beckon.NewTask{Title: "Build", Mode: beckon.ModeDefault})
	d.waitsFor(task.ID, "make all")
	d.Choose(d.Question("Well?"), "A")
	if err := d.Desk.Answer(t.Context(), d.Question("more.txt").ID, beckon.Answer{Verdict: beckon.AllowOnce}); err != nil {
		t.Fatal(err)
	}
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || run.Turns != 2 || task.Changes.Files != 2 || task.Trouble != nil {
		t.Errorf("run %+v, card %+v; want success in two turns with both files", run, task)
	}
}

func TestAMessageToAnAgentThatWaitsForItsCommandIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "background never serve\ntext Started.\nturn\ntext I hear ${message}\nturn\n")
	task := d.Run(beckon.NewTask{Title: "Serve"})
	d.waitsFor(task.ID, "serve")
	if _, err := d.Runner.SendMessage(t.Context(), task.ID, beckon.NewMessage{Text: "hurry", Manner: beckon.Queue}); err != nil {
		t.Fatal(err)
	}
	d.Until("an answer", func() bool {
		return slices.ContainsFunc(d.Shown, func(e beckon.Entry) bool { return e.Text == "I hear hurry" })
	})
	d.waitsFor(task.ID, "serve") // and it waits again
}

func TestWhatStopEndsInTheBackgroundIsSaid(t *testing.T) {
	t.Parallel()
	d := start(t, "write a.txt hello\nbackground never npm run dev\ntext Started.\n")
	task := d.Run(beckon.NewTask{Title: "Serve"})
	d.waitsFor(task.ID, "npm run dev")
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	_, run := d.Ended(task.ID)
	if run.Outcome != beckon.Stopped || !strings.Contains(run.Reason.String(), "ended with it: npm run dev") {
		t.Errorf("the run %s: %q; want it stopped, with what went with it", run.Outcome, run.Reason)
	}
	d.shows(task.ID, "background_lost", "npm run dev")
}

func TestACommandThatHangsInTheBackgroundDoesNotKeepTheRunForEver(t *testing.T) {
	t.Parallel()
	d := start(t, "write a.txt hello\nbackground never npm run dev\ntext Started.\n")
	d.Runner.BackgroundLimit = 600 * time.Millisecond
	task := d.Run(beckon.NewTask{Title: "Serve"})
	d.waitsFor(task.ID, "npm run dev")
	task, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || task.Changes.Commits != 1 {
		t.Errorf("run %+v, card %+v; want its work kept as that of a run that went well", run, task)
	}
	for _, said := range []string{run.Reason.String(), task.Trouble.String()} {
		if !strings.Contains(said, "npm run dev") || !strings.Contains(said, "600ms") {
			t.Errorf("it says %q; want what was ended and after how long", said)
		}
	}
	d.shows(task.ID, "background_ended", "npm run dev")
}

func TestAQuestionStopsTheClockOfWhatWorksInTheBackground(t *testing.T) {
	t.Parallel()
	d := start(t, "background 200ms make\nbackground never serve\ntext Started.\nturn\nask Well? | A | B\ntext Finished.\n")
	d.Runner.BackgroundLimit = time.Second
	task := d.Run(beckon.NewTask{Title: "Serve", Policy: beckon.Wait})
	q := d.Question("Well?")
	asked := time.Now()
	d.Until("a second and a half", func() bool { return time.Since(asked) > 1500*time.Millisecond })
	d.Choose(q, "A")
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded || run.Turns != 2 {
		t.Errorf("run %+v; want it answered, and then ended over its silent command", run)
	}
}
