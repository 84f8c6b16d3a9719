package real

import (
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// goesOn waits until a task is queued to resume on its own, and then for the end
// of the run that does.
func goesOn(t *testing.T, s *fixture.Fixture, taskID string, why beckon.Setback) (waiting beckon.Task, runs []beckon.Run) {
	t.Helper()
	s.Until("a task that resumes on its own", patience, func() bool {
		waiting = s.Task(taskID)
		return waiting.Status == beckon.Queued && waiting.Resume.Why == why
	})
	s.Until("the task to resume", patience+time.Until(time.UnixMilli(waiting.Resume.At)), func() bool { return s.Task(taskID).Status != beckon.Queued })
	s.InReview(taskID)
	return waiting, client.Must[[]beckon.Run](s.Program, "Runs", taskID)
}

// TestALimitThatResetsSoonIsWaitedFor: the CLI tells an account of a plan when
// its limit resets.
func TestALimitThatResetsSoonIsWaitedFor(t *testing.T) {
	t.Parallel()
	const reset = 20 * time.Second
	began := time.Now()
	headers := map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "+" + reset.String(),
		"anthropic-ratelimit-unified-representative-claim": "five_hour",
	}
	s := fixture.NewWithAccount(t, fixture.Turn{"tool": "Read", "input": map[string]any{"file_path": "README.md"}},
		fixture.Turn{"error": map[string]any{"status": 429, "type": "rate_limit_error", "message": "limit", "headers": headers}}, fixture.Turn{"text": "Carried on."})
	task := s.Create(beckon.NewTask{Title: "Limited", Mode: beckon.ModeAcceptEdits})
	waiting, runs := goesOn(t, s, task.ID, beckon.PlanLimit)
	if waiting.Resume.At < began.Add(reset).UnixMilli()-1000 || len(runs) != 2 || runs[0].Outcome != beckon.Limited || runs[1].Outcome != beckon.Succeeded {
		t.Fatalf("it waited as %+v; runs %+v", waiting.Resume, runs)
	}
	if runs[1].Started < waiting.Resume.At || runs[1].Session != runs[0].Session {
		t.Errorf("runs %+v; want the second after %d and in the same session", runs, waiting.Resume.At)
	}
	s.Heard("Carry on where you left off.")
}

// TestAnOverloadedAPIIsTriedAgain once the CLI itself has given up.
func TestAnOverloadedAPIIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := fixture.NewWithEnv(t, []string{"CLAUDE_CODE_MAX_RETRIES=1"},
		fixture.Turn{"error": map[string]any{"status": 529, "type": "overloaded_error", "message": "Overloaded"}, "times": 2}, fixture.Turn{"text": "Carried on."})
	task := s.Create(beckon.NewTask{Title: "Overloaded"})
	waiting, runs := goesOn(t, s, task.ID, beckon.Overload)
	if waiting.Resume.Tries != 1 || len(runs) != 2 || runs[1].Outcome != beckon.Succeeded {
		t.Errorf("it waited as %+v; runs %+v", waiting.Resume, runs)
	}
}

// TestWhoIsSignedOutIsToldSo, and nothing resumes on its own.
func TestWhoIsSignedOutIsToldSo(t *testing.T) {
	t.Parallel()
	s := fixture.NewWithEnv(t, []string{"CLAUDE_CODE_MAX_RETRIES=1"},
		fixture.Turn{"error": map[string]any{"status": 401, "type": "authentication_error", "message": "invalid x-api-key"}, "times": 9})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Signed out"}).ID)
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 1 || !strings.Contains(runs[0].Reason.String(), "Sign in again") || task.Resume != (beckon.Resume{}) {
		t.Errorf("card %+v, runs %+v", task, runs)
	}
}
