package driver

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// The CLI's words for failures of the API that need words.
const (
	rateLimit  = "rate_limit"
	signedOut  = "authentication_failed"
	overloaded = "overloaded"
)

// maxWindow is how long the name of a window of a quota may be, in bytes.
const maxWindow = 60

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

// limit reads what the CLI says of its plan's quota. One that is rejected fails the turn.
func (r *reader) limit(l claude.LimitStatus) agent.Event {
	refused := l.Status == "rejected"
	if refused {
		r.failure.kind, r.failure.resets = rateLimit, l.ResetsAt*1000
	}
	percent := -1.0
	if l.Utilization > 0 {
		percent = min(100, l.Utilization*100)
	}
	return agent.QuotaIs{Window: plain.Line(l.Type, maxWindow), Percent: percent, Resets: max(0, l.ResetsAt*1000), Refused: refused}
}

// result reads the end of a turn, with what earlier lines said of it.
func (r *reader) result(res claude.Result) []agent.Event {
	f := r.failure
	r.failure = failure{}
	end := agent.TurnEnded{
		Failed: res.IsError, Interrupted: res.Interrupted(), Said: cmp.Or(res.Text, strings.Join(res.Errors, "\n")),
		Hook: f.hook, Resets: f.resets, SignIn: f.kind == signedOut, Overloaded: f.kind == overloaded || res.Overloaded(),
		Unasked: res.OfItsOwn(), Rounds: res.NumTurns,
		Tokens: res.Tokens(), CostUSD: res.TotalCostUSD, Windows: map[string]int64{},
	}
	end.Limited = res.IsError && (res.APIErrorStatus == 429 || f.resets > 0 || f.kind == rateLimit)
	end, quota := inWords(end, res.Usage.OutputTokens, time.Now())
	end.Setback = setback(end, f.kind)
	for model, u := range res.ModelUsage {
		end.Windows[model] = u.ContextWindow
	}
	return append(quota, end)
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
