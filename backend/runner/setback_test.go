package runner

import (
	"testing"
	"time"

	"beckon/backend/beckon"
)

func TestWhatTimeCuresGoesOnByItselfAndNothingElse(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later := now.Add(time.Hour).UnixMilli()
	failed := func(kind string, resets int64, limited bool) turn {
		return turn{ended: true, failed: true, limited: limited, failure: failure{kind: kind, resets: resets}}
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
		"interrupted":         {turn{ended: true, failed: true, interrupted: true, failure: failure{kind: "server_error"}}, ""},
		"success":             {turn{ended: true}, ""},
	} {
		if got := c.turn.setback(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
