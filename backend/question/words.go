package question

import (
	"fmt"
	"strings"

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
	default:
		return Expiry(q.WaitMs)
	}
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

// settledWords tells the one who came second how the question stands.
func settledWords(q beckon.Question) string {
	if q.Settlement != beckon.Answered || q.Answer == nil {
		return string(q.Settlement) + " already: " + q.Reason
	}
	if len(q.Items) == 0 {
		return "answered already: " + q.AnswerText()
	}
	said := []string{}
	for _, a := range q.Answer.Items {
		said = append(said, a.Labels...)
		if a.Other != "" {
			said = append(said, a.Other)
		}
	}
	return "answered already: " + strings.Join(said, ", ")
}
