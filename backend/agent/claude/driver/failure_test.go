package driver

import (
	"testing"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

func TestWhatTimeCuresGoesOnByItselfAndNothingElse(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later := now.Add(time.Hour).UnixMilli()
	failed := func(kind string, resets int64, limited bool) (agent.TurnEnded, string) {
		return agent.TurnEnded{Failed: true, Limited: limited, Resets: resets}, kind
	}
	for name, c := range map[string]struct{ got, want beckon.Setback }{
		"a limit that resets": {setback(failed("rate_limit", later, true)), beckon.PlanLimit},
		"a limit of requests": {setback(failed("rate_limit", 0, true)), beckon.Overload},
		"529":                 {setback(failed("server_error", 0, false)), beckon.Overload},
		"signed out":          {setback(failed("authentication_failed", 0, false)), ""},
		"no credit":           {setback(failed("billing_error", 0, false)), ""},
		"no such model":       {setback(failed("model_not_found", 0, false)), ""},
		"interrupted":         {setback(agent.TurnEnded{Failed: true, Interrupted: true}, "server_error"), ""},
		"success":             {setback(agent.TurnEnded{}, ""), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}
