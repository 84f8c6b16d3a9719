package question

import (
	"fmt"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// Expiry is the sentence that an agent reads when nobody answered within
// waitMs milliseconds and the policy is proceed.
func Expiry(waitMs int64) string {
	return noResponse(waitMs) + "proceed using your best judgment."
}

// expiry is the reason written into a question that ran out. Only an ask may
// go on by judgment: what needs consent never gets it from a clock.
func expiry(q beckon.Question) string {
	switch q.Kind {
	case beckon.Permission:
		return noResponse(q.WaitMs) + "permission denied. Do not try to get around it; go on without, or do something else."
	case beckon.Plan:
		return noResponse(q.WaitMs) + "the plan is not approved. End your turn; the user will come back to it."
	case beckon.Elicitation:
		return noResponse(q.WaitMs) + "the form was not filled in."
	default:
		return Expiry(q.WaitMs)
	}
}

// parked is the reason of a question whose run was interrupted because nobody
// answered in time.
func parked(q beckon.Question) string {
	return "Parked: nobody answered within " + span(q.WaitMs) + ". The answer resumes the agent."
}

// overtaken is the reason of a question whose answer from here came second.
func overtaken(q beckon.Question) string {
	return "The answer from Beckon came second: " + chosen(q)
}

func noResponse(waitMs int64) string {
	return "No response received within " + span(waitMs) + " — "
}

// span tells a time in the largest unit that it is a whole number of.
func span(ms int64) string {
	n, unit := ms, "millisecond"
	for _, u := range []struct {
		ms   int64
		name string
	}{{1000, "second"}, {60_000, "minute"}, {3_600_000, "hour"}} {
		if ms >= u.ms && ms%u.ms == 0 {
			n, unit = ms/u.ms, u.name
		}
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// settledWords tells the second to answer how the question was settled.
func settledWords(q beckon.Question) string {
	if q.Answer == nil {
		return string(q.Settlement) + " already: " + q.Reason
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
