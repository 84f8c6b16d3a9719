package answer

import (
	"cmp"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/plain"
)

// Late tells an agent the answer to a question that it asked in another
// turn. A doubtful one it may have heard already.
func Late(q beckon.Question, doubtful bool) string {
	if q.Reason.Is(reason.NotAsked) { // nobody has read it yet
		q = brief(q)
	}
	lead := "The user answers now:\n"
	if doubtful {
		lead = "The user answered, which you may have heard already; if so, do not act on it twice:\n"
	}
	if len(q.Earlier) > 0 {
		return correction(q, doubtful)
	}
	return asked("You", q) + "\n\n" + lead + said(q)
}

// correction tells an agent that an answer does not hold any more, of which it may
// have heard all that came before.
func correction(q beckon.Question, doubtful bool) string {
	text := asked("You", q) + "\n"
	for i, a := range q.Earlier {
		lead := "The user answered first:"
		if a.By == beckon.ByRule {
			lead = "A standing answer of the user's said first:"
		} else if i > 0 {
			lead = "then:"
		}
		earlier := q
		earlier.Answer = &a
		text += "\n" + lead + "\n" + said(earlier) + "\n"
	}
	text += "\nThe user has changed that answer. What holds now is:\n" + said(q) +
		"\n\nCorrect what you did by the earlier answer where that differs, and go on by this one."
	if doubtful {
		text += " You may have heard this change already; if so, do not act on it twice."
	}
	return text
}

// Denial is what an agent reads whose call the user denied or passed over.
func Denial(q beckon.Question) string {
	if q.Answer.Verdict == beckon.Skip {
		return Text(q)
	}
	return cmp.Or(q.Answer.Text, "The user does not allow this. Find another way, or ask what to do.")
}

// How much an agent gets of what was asked before it: the newest questions, bytes of all of them
// together, and bytes of what a question says. What the user said is never cut.
const (
	mostHandedOver = 50
	maxHandedOver  = 96 << 10
	maxAsked       = 2000
)

// AllHandedOver tells an agent what others asked before it, the oldest first.
func AllHandedOver(all []beckon.Question) []string {
	told, size := []string{}, 0
	for _, q := range slices.Backward(all) {
		one := HandedOver(q)
		if size += len(one); size > maxHandedOver || len(told) == mostHandedOver {
			break
		}
		told = append(told, one)
	}
	slices.Reverse(told)
	return told
}

// brief is a question with the beginnings of its texts. Its answer is whole.
func brief(q beckon.Question) beckon.Question {
	q.Items = slices.Clone(q.Items)
	for i := range q.Items {
		q.Items[i].Text = plain.Cut(q.Items[i].Text, maxAsked/len(q.Items))
	}
	q.Plan, q.Message, q.Assumption = plain.Cut(q.Plan, maxAsked), plain.Cut(q.Message, maxAsked), plain.Cut(q.Assumption, maxAsked)
	if q.Permission != nil {
		p := *q.Permission
		p.Command, p.Path, p.Input = plain.Cut(p.Command, maxAsked), plain.Cut(p.Path, maxAsked), plain.Cut(p.Input, maxAsked)
		q.Permission = &p
	}
	return q
}

// HandedOver tells an agent what another one asked before it, and what the user said, whose words
// are whole.
func HandedOver(q beckon.Question) string {
	q = brief(q)
	text := asked("An agent", q)
	switch {
	case q.Answer != nil:
		text += "\nThe user answered: " + said(q)
	case q.Reason.Is(reason.NotAsked): // it is said
	case q.Assumption != "":
		text += "\nThere was no answer. The agent assumed: " + q.Assumption
	default:
		text += "\nThere was no answer."
	}
	return text
}

// asked says what was asked, and who did: "You" of its reader.
func asked(who string, q beckon.Question) string {
	if q.Reason.Is(reason.NotAsked) {
		return who + " decided without asking: " + q.Items[0].Text + "\n" + who + " took: " + q.Assumption
	}
	switch q.Kind {
	case beckon.Permission:
		return who + " wanted to use " + q.Permission.Tool + ": " + cmp.Or(q.Permission.Command, q.Permission.Path, q.Permission.Input)
	case beckon.Plan:
		return strings.TrimSuffix(who+" proposed a plan:\n"+q.Plan, ":\n")
	case beckon.Elicitation:
		return q.Origin + " asked: " + q.Message
	default:
		texts := make([]string, 0, len(q.Items))
		for _, item := range q.Items {
			texts = append(texts, item.Text)
		}
		return who + " asked: " + strings.Join(texts, "\n")
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
	return Text(q)
}
