package relay

import (
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/claude/sessionfile"
	"beckon/backend/observe"
	"beckon/backend/runner/request"
)

// said is what the session file says was answered, as an answer.
func (a *ask) said(e observe.Event) beckon.Answer {
	q := request.Question(a.req)
	switch {
	case e.How == observe.Declined && q.Kind == beckon.Ask:
		return beckon.Answer{Items: make([]beckon.ItemAnswer, len(q.Items)), Verdict: beckon.Skip, Text: e.Words}
	case e.How == observe.Declined:
		return beckon.Answer{Verdict: beckon.Deny, Text: e.Words}
	case e.How == observe.Allowed:
		return beckon.Answer{Verdict: beckon.AllowOnce}
	}
	said := beckon.Answer{Items: make([]beckon.ItemAnswer, 0, len(q.Items))}
	for _, item := range q.Items {
		said.Items = append(said.Items, chosen(item, answerTo(item.Text, e.Answers)))
	}
	return said
}

// answerTo returns the answer to the question with the text, "" for none.
func answerTo(text string, answers []sessionfile.Answer) string {
	i := slices.IndexFunc(answers, func(a sessionfile.Answer) bool { return a.Question == text })
	if i < 0 {
		return ""
	}
	return answers[i].Answer
}

// chosen reads an answer as the CLI writes it: a label, or words; of several
// choices the labels and then the words, with commas between. Labels may
// have commas of their own.
func chosen(item beckon.QuestionItem, text string) (a beckon.ItemAnswer) {
	a.Labels = []string{}
	rest := text
	for rest != "" {
		label, found := longestLabel(item.Options, rest)
		if !found || len(a.Labels) > 0 && !item.Multiple {
			break
		}
		a.Labels = append(a.Labels, label)
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, label), separator)
	}
	a.Other = rest
	return a
}

// separator is what stands between several choices.
const separator = ", "

// longestLabel returns the label with which the text begins, as a whole choice.
func longestLabel(options []beckon.Option, text string) (label string, found bool) {
	for _, o := range options {
		rest, begins := strings.CutPrefix(text, o.Label)
		if begins && o.Label != "" && (rest == "" || strings.HasPrefix(rest, separator)) && len(o.Label) > len(label) {
			label, found = o.Label, true
		}
	}
	return label, found
}

// denied reports whether the call failed with the words by which it was denied
// here: so the session writes down what a hook denies.
func (a *ask) denied(q beckon.Question) bool {
	return a.over.How == observe.Allowed && refuses(*q.Answer) && strings.Contains(a.over.Words, request.Denial(q))
}

// agrees reports whether what was answered here is what the session was told.
func (a *ask) agrees(q beckon.Question, there beckon.Answer) bool {
	here := *q.Answer
	if refuses(here) != refuses(there) {
		return false
	}
	if q.Kind != beckon.Ask || refuses(here) {
		return true
	}
	sent := answer.AsAsked(q, request.Question(a.req).Items).Answer.Items
	for i, item := range sent {
		if i >= len(there.Items) || words(item) != words(there.Items[i]) {
			return false
		}
	}
	return true
}

func refuses(a beckon.Answer) bool { return a.Verdict == beckon.Deny || a.Verdict == beckon.Skip }

// words is an answer as the CLI writes it.
func words(a beckon.ItemAnswer) string {
	all := slices.Clone(a.Labels)
	if a.Other != "" {
		all = append(all, a.Other)
	}
	return strings.Join(all, separator)
}
