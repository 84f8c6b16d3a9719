package beckon

import (
	"slices"
	"strings"
)

// AnswerText tells q's answer in the words that the agent reads, one line for
// each item: labels as the agent wrote them, never an index, its own ids
// behind them, and what the user said beside the options marked as such.
//
//	"Which database?" → "SQLite"
//
// It is empty while there is no answer.
func (q Question) AnswerText() string {
	if q.Answer == nil {
		return ""
	}
	if q.Answer.Verdict == Skip {
		return skipped
	}
	if len(q.Items) == 0 {
		return q.Answer.verdictText()
	}
	lines := make([]string, 0, len(q.Items))
	for i, a := range q.Answer.Items {
		if i < len(q.Items) {
			lines = append(lines, `"`+q.Items[i].Text+`" → `+q.Items[i].answerText(a))
		}
	}
	return strings.Join(lines, "\n")
}

// skipped is what an agent reads whose question the user passed over.
const skipped = "The user chose not to answer this. Proceed as you judge best, and say what you assume."

// AsAsked returns q with the items as its asker put them, and with an answer
// that chooses their labels: what was cleaned and cut to be shown goes back as
// it came. The items are those that q was made of.
func (q Question) AsAsked(items []QuestionItem) Question {
	if q.Answer == nil || len(items) != len(q.Items) {
		return q
	}
	answer := *q.Answer
	answer.Items = slices.Clone(answer.Items)
	for i := range answer.Items[:min(len(answer.Items), len(items))] {
		answer.Items[i].Labels = q.Items[i].labelsOf(answer.Items[i].Labels, items[i])
	}
	q.Items, q.Answer = items, &answer
	return q
}

// labelsOf returns the labels that the same options have in another item.
func (i QuestionItem) labelsOf(chosen []string, other QuestionItem) []string {
	labels := make([]string, 0, len(chosen))
	for _, label := range chosen {
		at := slices.IndexFunc(i.Options, func(o Option) bool { return o.Label == label })
		if at >= 0 && at < len(other.Options) {
			label = other.Options[at].Label
		}
		labels = append(labels, label)
	}
	return labels
}

// IDs returns the agent's own ids of the labels that a chose, in the labels'
// order, and nothing for an option that has none.
func (i QuestionItem) IDs(a ItemAnswer) []string {
	ids := []string{}
	for _, label := range a.Labels {
		if id := i.idOf(label); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func (i QuestionItem) answerText(a ItemAnswer) string {
	parts := make([]string, 0, len(a.Labels)+1)
	for _, label := range a.Labels {
		part := `"` + label + `"`
		if id := i.idOf(label); id != "" {
			part += " (id: " + id + ")"
		}
		parts = append(parts, part)
	}
	if a.Other != "" {
		other := `"` + a.Other + `"`
		if len(i.Options) > 0 {
			other = "in the user's own words: " + other
		}
		parts = append(parts, other)
	}
	if a.Note != "" {
		parts = append(parts, `with the note: "`+a.Note+`"`)
	}
	return strings.Join(parts, ", ")
}

func (i QuestionItem) idOf(label string) string {
	for _, o := range i.Options {
		if o.Label == label {
			return o.ID
		}
	}
	return ""
}

func (a Answer) verdictText() string {
	word := map[Verdict]string{AllowOnce: "allowed", AllowAlways: "allowed always", Deny: "denied"}[a.Verdict]
	if a.Text == "" {
		return word
	}
	return word + ": " + a.Text
}
