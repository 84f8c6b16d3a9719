package runner_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
)

func TestAnInterruptThatIsNotHeardComesBackAndLeavesNoQuestionOpen(t *testing.T) {
	t.Parallel()
	d := start(t, "mute: interrupt\nask Which? | A | B\ntext Went on.\n")
	task := d.Run(beckon.NewTask{Title: "Deaf"})
	q := d.Question("Which?")
	began, done := time.Now(), make(chan error, 1)
	go func() { done <- d.Runner.Interrupt(t.Context(), task.ID) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "does not react") {
			t.Errorf("the interrupt got %v, want that it was not heard", err)
		}
	case <-time.After(runnertest.Patience / 2):
		t.Fatal("the interrupt hangs")
	}
	_, run := d.Ended(task.ID) // the turn that waited for the answer goes on
	if now, err := d.Store.Question(t.Context(), q.ID); err != nil || now.Settlement != beckon.Withdrawn || run.Turns != 1 {
		t.Errorf("after %s: question %+v, %v, run %+v", time.Since(began), now, err, run)
	}
}

func TestAPlanThatADeafAgentCanNotBeLetCarryOutHoldsNothingUp(t *testing.T) {
	t.Parallel()
	d := start(t, "mute: set_permission_mode\nplan Do it.\n")
	task := d.Run(beckon.NewTask{Title: "Plan", Mode: beckon.ModePlan})
	q := d.Question("Do it.")
	data := d.DataDir
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, data, runnertest.Agents(t, "mute: set_permission_mode\ntext carried on\n"))
	if err := again.Desk.Answer(t.Context(), q.ID, beckon.Answer{Verdict: beckon.AllowOnce}); err != nil {
		t.Fatal(err)
	}
	again.Until("the resumed run is over", func() bool { return again.Runs[task.ID].Outcome == beckon.Failed })
	again.Lock()
	reason := again.Runs[task.ID].Reason
	again.Unlock()
	if !strings.Contains(reason.String(), "does not react") {
		t.Errorf("the card says %q", reason)
	}
	owed, err := again.Store.Undelivered(t.Context(), task.ID, beckon.TaskRun)
	if err != nil || len(owed) != 1 {
		t.Errorf("answers owed %+v, %v; want the one that was given", owed, err)
	}
}

func TestMessagesToAnAgentThatDoesNotReadHoldNothingUpAndAreKept(t *testing.T) {
	t.Parallel()
	d := start(t, "run kill -STOP $PPID; touch stopped\ntext Went on.\n")
	task := d.Run(beckon.NewTask{Title: "Stopped"})
	d.Until("the agent is stopped", func() bool {
		_, err := os.Stat(filepath.Join(d.Now(task.ID).Worktree, "stopped"))
		return err == nil
	})
	long := strings.Repeat("more than a pipe holds ", 2600)
	texts := []string{"first " + long, "second " + long, "third " + long, "short"}
	for i, manner := range []beckon.Manner{beckon.Redirect, beckon.Steer, beckon.Steer, beckon.Queue} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.post(task.ID, texts[i], manner)
		}()
		select {
		case <-done:
		case <-time.After(runnertest.Patience / 2):
			t.Fatalf("%s, %.6s: it hangs", manner, texts[i])
		}
	}
	if err := d.Runner.Stop(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	d.Ended(task.ID)
	d.Lock()
	defer d.Unlock()
	var kept []string
	for _, m := range d.Queued[task.ID] {
		kept = append(kept, m.Text[:5])
	}
	// Those that were handed to the agent come first again; the redirect never was.
	if want := []string{"secon", "third", "first", "short"}; !slices.Equal(kept, want) {
		t.Errorf("the queue is %q, want %q", kept, want)
	}
}
