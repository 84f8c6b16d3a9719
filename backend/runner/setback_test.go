package runner

import (
	"testing"
	"time"

	"beckon/backend/beckon"
)

func TestBackoffDoublesUpToABoundAndNotAllTryAtOnce(t *testing.T) {
	t.Parallel()
	for tries, want := range map[int]time.Duration{1: 30 * time.Second, 2: time.Minute, 5: 8 * time.Minute, 7: 30 * time.Minute, 500: 30 * time.Minute} {
		if got := backoff(0, tries, 0); got != want {
			t.Errorf("try %d waits %s, want %s", tries, got, want)
		}
		if got := backoff(0, tries, 1); got != want+want/5 {
			t.Errorf("try %d waits %s at most, want a fifth more than %s", tries, got, want)
		}
	}
}

func TestWhatTimeCuresGoesOnByItselfAndNothingElse(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later := now.Add(time.Hour).UnixMilli()
	failed := func(kind string, resets int64, limited bool) turn {
		return turn{ended: true, failed: true, limited: limited, failure: failure{kind, resets}}
	}
	for name, c := range map[string]struct {
		turn turn
		want beckon.Setback
	}{
		"a limit that resets": {failed("rate_limit", later, true), beckon.PlanLimit},
		"a limit of requests": {failed("rate_limit", 0, true), beckon.Overload},
		"529":                 {failed("server_error", 0, false), beckon.Overload},
		"signed out":          {failed("authentication_failed", 0, false), ""},
		"no credit":           {failed("billing_error", 0, false), ""},
		"no such model":       {failed("model_not_found", 0, false), ""},
		"interrupted":         {turn{ended: true, failed: true, interrupted: true, failure: failure{"server_error", 0}}, ""},
		"success":             {turn{ended: true}, ""},
	} {
		if got := c.turn.setback(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	r := &Runner{}
	if next, again := r.resumeAfter(saved{setback: beckon.PlanLimit, resets: later}, beckon.Resume{Tries: 3}, now); !again || next.At < later || next.Tries != 3 {
		t.Errorf("a limit: %+v, %t", next, again)
	}
	if next, again := r.resumeAfter(saved{setback: beckon.PlanLimit, resets: now.UnixMilli() - 1}, beckon.Resume{}, now); !again || next.At < now.Add(Backoff).UnixMilli() {
		t.Errorf("a limit that should have reset: %+v, %t; want a pause, not a race", next, again)
	}
	if next, again := r.resumeAfter(saved{setback: beckon.Overload}, beckon.Resume{Tries: mostTries}, now); again {
		t.Errorf("after %d tries: %+v", mostTries, next)
	}
}
