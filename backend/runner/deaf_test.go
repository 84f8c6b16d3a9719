package main

import (
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

func TestAnInterruptThatIsNotHeardComesBackAndLeavesNoQuestionOpen(t *testing.T) {
	t.Parallel()
	d := start(t, "mute: interrupt\nask Which? | A | B\ntext Went on.\n")
	task := d.run(beckon.NewTask{Title: "Deaf"})
	q := d.open("Which?")
	began, done := time.Now(), make(chan error, 1)
	go func() { done <- d.Interrupt(task.ID) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "does not react") {
			t.Errorf("the interrupt got %v, want that it was not heard", err)
		}
	case <-time.After(patience / 2):
		t.Fatal("the interrupt hangs")
	}
	_, run := d.ended(task.ID) // the turn that waited for the answer goes on
	if now, err := d.p.store.Question(t.Context(), q.ID); err != nil || now.Settlement != beckon.Withdrawn || run.Turns != 1 {
		t.Errorf("after %s: question %+v, %v, run %+v", time.Since(began), now, err, run)
	}
}

func TestAPlanThatADeafAgentCanNotBeLetCarryOutHoldsNothingUp(t *testing.T) {
	t.Parallel()
	d := start(t, "mute: set_permission_mode\nplan Do it.\n")
	task := d.run(beckon.NewTask{Title: "Plan", Mode: beckon.ModePlan})
	q := d.open("Do it.")
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, agents(t, "mute: set_permission_mode\ntext carried on\n"))
	if err := again.AnswerQuestion(q.ID, beckon.Answer{Verdict: beckon.AllowOnce}); err != nil {
		t.Fatal(err)
	}
	again.until("the resumed run is over", func() bool { return again.runs[task.ID].Outcome == beckon.Failed })
	again.mu.Lock()
	reason := again.runs[task.ID].Reason
	again.mu.Unlock()
	if !strings.Contains(reason, "does not react") {
		t.Errorf("the card says %q", reason)
	}
	owed, err := again.p.store.Undelivered(t.Context(), task.ID, beckon.TaskRun)
	if err != nil || len(owed) != 1 {
		t.Errorf("answers owed %+v, %v; want the one that was given", owed, err)
	}
}
