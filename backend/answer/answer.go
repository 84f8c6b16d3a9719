// Package answer puts a person's answer into the words that an agent reads, back
// into the labels that it gave, and into those that Claude Code writes down of it. It
// settles nothing and sends nothing.
package answer

import (
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// Text returns q's answer in the words that the agent reads, one line for
// each item: labels as the agent wrote them, never an index, its own ids
// behind them, and what the user said beside the options marked as such.
//
//	"Which database?" → "SQLite"
//
// It is empty while there is no answer.
func Text(q beckon.Question) string {
	if q.Answer == nil {
		return ""
	}
	if q.Answer.Verdict == beckon.Skip {
		return skipped
	}
	if len(q.Items) == 0 {
		return verdictText(*q.Answer)
	}
	lines := make([]string, 0, len(q.Items))
	for i, a := range q.Answer.Items {
		if i < len(q.Items) {
			lines = append(lines, `"`+q.Items[i].Text+`" → `+itemText(q.Items[i], a))
		}
	}
	return strings.Join(lines, "\n")
}

// skipped is what an agent reads whose question the user passed over.
const skipped = "The user chose not to answer this. Proceed as you judge best, and say what you assume."

// AsAsked returns q with the items as its asker put them, and with an answer
// that chooses their labels: what was cleaned and cut to be shown goes back as
// it came. The items are those that q was made of.
func AsAsked(q beckon.Question, items []beckon.QuestionItem) beckon.Question {
	if q.Answer == nil || len(items) != len(q.Items) {
		return q
	}
	a := *q.Answer
	a.Items = slices.Clone(a.Items)
	for i := range a.Items[:min(len(a.Items), len(items))] {
		a.Items[i].Labels = labelsOf(q.Items[i], a.Items[i].Labels, items[i])
	}
	q.Items, q.Answer = items, &a
	return q
}

// labelsOf returns the labels that the same options have in another item.
func labelsOf(i beckon.QuestionItem, chosen []string, other beckon.QuestionItem) []string {
	labels := make([]string, 0, len(chosen))
	for _, label := range chosen {
		at := slices.IndexFunc(i.Options, func(o beckon.Option) bool { return o.Label == label })
		if at >= 0 && at < len(other.Options) {
			label = other.Options[at].Label
		}
		labels = append(labels, label)
	}
	return labels
}

// IDs returns the agent's own ids of the labels of i that a chose, in the labels'
// order, and nothing for an option that has none.
func IDs(i beckon.QuestionItem, a beckon.ItemAnswer) []string {
	ids := []string{}
	for _, label := range a.Labels {
		if id := idOf(i, label); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Separator stands between several choices where Claude Code writes an answer down.
const Separator = ", "

// Recorded returns the answer to i as Claude Code writes it down: the labels in the
// order of the options, and then the user's own words.
func Recorded(i beckon.QuestionItem, a beckon.ItemAnswer) string {
	var all []string
	for _, o := range i.Options {
		if slices.Contains(a.Labels, o.Label) {
			all = append(all, o.Label)
		}
	}
	for _, label := range a.Labels {
		if !slices.Contains(all, label) {
			all = append(all, label)
		}
	}
	if a.Other != "" {
		all = append(all, LineEnds(strings.TrimSpace(a.Other)))
	}
	return strings.Join(all, Separator)
}

// LineEnds returns a text whose lines end as those of a text do: a paste into a
// terminal has the key Enter there.
func LineEnds(text string) string { return lineEnds.Replace(text) }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func itemText(i beckon.QuestionItem, a beckon.ItemAnswer) string {
	parts := make([]string, 0, len(a.Labels)+1)
	for _, label := range a.Labels {
		part := `"` + label + `"`
		if id := idOf(i, label); id != "" {
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

func idOf(i beckon.QuestionItem, label string) string {
	for _, o := range i.Options {
		if o.Label == label {
			return o.ID
		}
	}
	return ""
}

func verdictText(a beckon.Answer) string {
	word := map[beckon.Verdict]string{beckon.AllowOnce: "allowed", beckon.AllowAlways: "allowed always", beckon.Deny: "denied"}[a.Verdict]
	if a.Text == "" {
		return word
	}
	return word + ": " + a.Text
}

// Where says where a person gave an answer, if that was not in Beckon's page.
func Where(a beckon.Answer) string {
	switch a.By {
	case beckon.ByTerminal:
		return "in the terminal"
	case beckon.ByTray:
		return "in the tray"
	case beckon.ByNotification:
		return "in a notification"
	case beckon.ByPhone:
		return "on " + a.ByName
	case beckon.ByTelegram:
		return "over Telegram by " + a.ByName
	default:
		return ""
	}
}
