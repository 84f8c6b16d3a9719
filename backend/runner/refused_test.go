package runner_test

import (
	"strings"
	"testing"

	"beckon/backend/beckon"
)

// refused is a turn whose prompt a hook refuses; what follows is another.
const refused = "refuse no ticket number in the prompt\nturn\n"

// TestAPromptThatAHookRefusesEndsTheRun as not done, in the hook's words. The next run
// begins with the brief: nothing of the task is in that session.
func TestAPromptThatAHookRefusesEndsTheRun(t *testing.T) {
	t.Parallel()
	d := startAgents(t, refused, "text Gone on with\n")
	id := d.Run(beckon.NewTask{Title: "Paint the shed"}).ID
	for n := 1; n <= 2; n++ {
		if n == 2 {
			if _, err := d.Board.MoveTask(t.Context(), id, beckon.Running, 0); err != nil {
				t.Fatal(err)
			}
			d.secondRun(id)
		}
		task, run := d.Ended(id)
		if run.Outcome != beckon.Failed || !strings.Contains(run.Reason.String()+run.Detail, "no ticket number") || task.Session != "" {
			t.Errorf("run %d %s: %q %q, session %q; want the hook's words, and no session", n, run.Outcome, run.Reason, run.Detail, task.Session)
		}
		if got := strings.Count(d.conversation(id), "> Paint the shed"); got != n {
			t.Errorf("the brief was said %d times in %d runs", got, n)
		}
	}
	d.shows(id, "hook_ended", "no ticket number")
}

// TestAChatGoesOnAfterAPromptThatAHookRefuses: it is idle, nothing waits, and the next
// message is answered.
func TestAChatGoesOnAfterAPromptThatAHookRefuses(t *testing.T) {
	t.Parallel()
	d := start(t, refused+"text I do ${message}\n")
	task := d.chat("")
	d.post(task.ID, "go", beckon.Redirect)
	d.idle(task.ID, 1)
	d.waiting(task.ID)
	d.post(task.ID, "ticket 7: go", beckon.Redirect)
	d.idle(task.ID, 2)
	if got := d.conversation(task.ID); !strings.HasPrefix(got, "> go\n") || !strings.HasSuffix(got, "> ticket 7: go\nI do ticket 7: go\n.") {
		t.Errorf("the transcript shows\n%s", got)
	}
}

// TestACommandThatClaudeLacksIsNotDone: claude answers it with a success.
func TestACommandThatClaudeLacksIsNotDone(t *testing.T) {
	t.Parallel()
	d := start(t, "text Never said\n")
	for title, want := range map[string]beckon.Outcome{"/nosuchcommand now": beckon.Failed, "/compact": beckon.Succeeded} {
		_, run := d.Ended(d.Run(beckon.NewTask{Title: title}).ID)
		if run.Outcome != want || want == beckon.Failed && !strings.Contains(run.Reason.String()+run.Detail, "/nosuchcommand") {
			t.Errorf("%s: the run is %s: %q %q", title, run.Outcome, run.Reason, run.Detail)
		}
	}
}
