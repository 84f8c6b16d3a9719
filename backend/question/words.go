package question

import (
	"fmt"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// expiry is the reason written into a question that ran out, which its agent reads. Only an ask may
// go on by judgment: what needs consent never gets it from a clock.
func expiry(q beckon.Question) *reason.Reason {
	switch q.Kind {
	case beckon.Permission:
		return reason.Of(reason.ExpiredPermission, "time", span(q.WaitMs))
	case beckon.Plan:
		return reason.Of(reason.ExpiredPlan, "time", span(q.WaitMs))
	case beckon.Elicitation:
		return reason.Of(reason.ExpiredForm, "time", span(q.WaitMs))
	default:
		return reason.Of(reason.ExpiredAsk, "time", span(q.WaitMs))
	}
}

// parked is the reason of a question whose run was interrupted because nobody
// answered in time.
func parked(q beckon.Question) *reason.Reason {
	return reason.Of(reason.Parked, "time", short(q.WaitMs))
}

// overtaken is the reason of a question whose answer from here came second.
func overtaken(q beckon.Question) *reason.Reason {
	return reason.Of(reason.Overtaken, "answer", chosen(q))
}

// unit is one of time.
type unit struct {
	ms          int64
	name, short string
}

var units = []unit{{1, "millisecond", "ms"}, {1000, "second", "s"}, {60_000, "minute", "min"}, {3_600_000, "hour", "h"}}

// in returns a time in the largest unit that it is a whole number of.
func in(ms int64) (n int64, of unit) {
	n, of = ms, units[0]
	for _, u := range units {
		if ms >= u.ms && ms%u.ms == 0 {
			n, of = ms/u.ms, u
		}
	}
	return n, of
}

// span tells a time to an agent.
func span(ms int64) string {
	n, of := in(ms)
	if n != 1 {
		of.name += "s"
	}
	return fmt.Sprintf("%d %s", n, of.name)
}

// short tells a time in any language.
func short(ms int64) string {
	n, of := in(ms)
	return fmt.Sprintf("%d %s", n, of.short)
}

// settledWords tells the second to answer how the question was settled.
func settledWords(q beckon.Question) string {
	if q.Answer == nil {
		return string(q.Settlement) + " already: " + q.Reason.String()
	}
	how := strings.TrimSpace("answered "+answer.Where(*q.Answer)) + " already: "
	switch {
	case len(q.Items) == 0:
		return how + answer.Text(q)
	case q.Answer.Verdict == beckon.Skip:
		return how + "skipped"
	default:
		return how + chosen(q)
	}
}

// chosen lists what was chosen or written.
func chosen(q beckon.Question) string {
	said := []string{}
	if q.Answer != nil {
		for _, a := range q.Answer.Items {
			said = append(said, a.Labels...)
			if a.Other != "" {
				said = append(said, a.Other)
			}
		}
	}
	return strings.Join(said, ", ")
}
