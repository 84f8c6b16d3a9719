package request

import (
	"cmp"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// LateAnswer tells an agent the answer to a question that it asked in another
// turn. A doubtful one it may have heard already.
func LateAnswer(q beckon.Question, doubtful bool) string {
	lead := "The user answers now:\n"
	if doubtful {
		lead = "The user answered, which you may have heard already; if so, do not act on it twice:\n"
	}
	return asked(q) + "\n\n" + lead + said(q)
}

// Denial is what an agent reads whose call the user denied or passed over.
func Denial(q beckon.Question) string {
	if q.Answer.Verdict == beckon.Skip {
		return answer.Text(q)
	}
	return cmp.Or(q.Answer.Text, "The user does not allow this. Find another way, or ask what to do.")
}

// asked reminds an agent of its question.
func asked(q beckon.Question) string {
	switch q.Kind {
	case beckon.Permission:
		return "You wanted to use " + q.Permission.Tool + ": " + cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Input)
	case beckon.Plan:
		return "You proposed a plan:\n" + q.Plan
	case beckon.Elicitation:
		return q.Origin + " asked: " + q.Message
	default:
		texts := make([]string, 0, len(q.Items))
		for _, item := range q.Items {
			texts = append(texts, item.Text)
		}
		return "You asked: " + strings.Join(texts, "\n")
	}
}

func said(q beckon.Question) string {
	switch {
	case q.Kind == beckon.Elicitation && q.Answer.Content != "":
		return q.Answer.Content
	case q.Kind == beckon.Plan && q.Answer.Verdict == beckon.Deny:
		return cmp.Or(q.Answer.Text, "The plan is not approved.")
	case q.Kind == beckon.Plan && q.Answer.Plan != "":
		return "The plan is approved as the user edited it:\n" + q.Answer.Plan
	case q.Kind == beckon.Plan:
		return "The plan is approved. Carry it out."
	}
	return answer.Text(q)
}
