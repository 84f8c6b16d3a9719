package driver

import (
	"cmp"
	"slices"
	"strings"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// The CLI's words for failures of the API that need words.
const (
	rateLimit  = "rate_limit"
	signedOut  = "authentication_failed"
	overloaded = "overloaded"
)

// passing are those that time alone cures.
var passing = []string{"server_error", overloaded, rateLimit}

// failure is what is known of why the running turn fails.
type failure struct {
	kind   string // the CLI's word for it
	resets int64  // when the limit does that made it fail, in milliseconds
	hook   string // the words of a hook that ends it
}

// note remembers the CLI's word for a failure of the API, which the turn's result lacks.
func (f *failure) note(line *claude.Line) {
	if m, err := line.Message(); err == nil && m.Speech != nil && m.Speech.Error != "" && m.ParentToolUseID == "" {
		f.kind = m.Speech.Error
	}
}

// result reads the end of a turn, with what earlier lines said of it.
func (r *reader) result(res claude.Result) agent.TurnEnded {
	f := r.failure
	r.failure = failure{}
	end := agent.TurnEnded{
		Failed: res.IsError, Interrupted: res.Interrupted(), Said: cmp.Or(res.Text, strings.Join(res.Errors, "\n")),
		Hook: f.hook, Resets: f.resets, SignIn: f.kind == signedOut, Overloaded: f.kind == overloaded || res.Overloaded(),
		Unasked: res.OfItsOwn(), Rounds: res.NumTurns,
		Tokens: res.Tokens(), CostUSD: res.TotalCostUSD, Windows: map[string]int64{},
	}
	end.Limited = res.IsError && (res.APIErrorStatus == 429 || f.resets > 0 || f.kind == rateLimit)
	end.Setback = setback(end, f.kind)
	for model, u := range res.ModelUsage {
		end.Windows[model] = u.ContextWindow
	}
	return end
}

// setback returns what time alone cures, empty where somebody must act: sign
// in, pay, or choose another model.
func setback(end agent.TurnEnded, kind string) beckon.Setback {
	switch {
	case !end.Failed && end.Hook == "" || end.Interrupted:
		return ""
	case end.Limited && end.Resets > 0:
		return beckon.PlanLimit
	case end.Limited, slices.Contains(passing, kind):
		return beckon.Overload
	}
	return ""
}
