package relay

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/request"
	"beckon/backend/agent/claude/sessionfile"
	"beckon/backend/answer"
	"beckon/backend/beckon"
)

// This file words what a session elsewhere asks, and what it is answered, for
// both sides: a question of Beckon's is worded as for Beckon's own agents.

// callOutcome is what the session file says came of a call.
type callOutcome struct {
	// Declined says that the person in the terminal refused, Allowed that the call
	// was let through. With neither, Answers has what was said.
	Declined, Allowed bool
	Words             string // the person's, or those of a call that failed
	Answers           []sessionfile.Answer
}

// sameCall reports whether two requests are for the same call, as far as a hook
// can tell.
func sameCall(a, b claude.Request) bool {
	if a.ToolName != b.ToolName {
		return false
	}
	var one, other any
	return json.Unmarshal(a.Input, &one) == nil && json.Unmarshal(b.Input, &other) == nil && reflect.DeepEqual(one, other)
}

// callQuestion is what a call asks the user.
func callQuestion(req claude.Request) beckon.Question { return request.Question(req) }

// callOutput is what the hook of a call prints for the answer that q has.
func callOutput(req claude.Request, q beckon.Question) (json.RawMessage, error) {
	d, err := request.Decide(req, q, beckon.ModeAcceptEdits)
	if err != nil {
		return nil, err
	}
	return claude.HookOutput(d)
}

// forTerminal is the answer that q has, in the labels that the terminal shows.
func forTerminal(req claude.Request, q beckon.Question) beckon.Answer {
	return *answer.AsAsked(q, callQuestion(req).Items).Answer
}

// callSaid is what was answered in the terminal, as an answer.
func callSaid(req claude.Request, o callOutcome) beckon.Answer {
	q := callQuestion(req)
	switch {
	case o.Declined && q.Kind == beckon.Ask:
		return beckon.Answer{Items: make([]beckon.ItemAnswer, len(q.Items)), Verdict: beckon.Skip, Text: o.Words}
	case o.Declined:
		return beckon.Answer{Verdict: beckon.Deny, Text: o.Words}
	case o.Allowed:
		return beckon.Answer{Verdict: beckon.AllowOnce}
	}
	said := beckon.Answer{Items: make([]beckon.ItemAnswer, 0, len(q.Items))}
	for _, item := range q.Items {
		said.Items = append(said.Items, chosen(item, answerTo(item.Text, o.Answers)))
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
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, label), answer.Separator)
	}
	a.Other = rest
	return a
}

// longestLabel returns the label with which the text begins, as a whole choice.
func longestLabel(options []beckon.Option, text string) (label string, found bool) {
	for _, o := range options {
		rest, begins := strings.CutPrefix(text, o.Label)
		if begins && o.Label != "" && (rest == "" || strings.HasPrefix(rest, answer.Separator)) && len(o.Label) > len(label) {
			label, found = o.Label, true
		}
	}
	return label, found
}

// callArrived reports whether the answer that q has is what came of the call.
func callArrived(req claude.Request, q beckon.Question, o callOutcome) bool {
	return denied(q, o) || agrees(req, q, callSaid(req, o))
}

// denied reports whether the call failed with the words by which it was denied
// here: so the session writes down what a hook denies.
func denied(q beckon.Question, o callOutcome) bool {
	return o.Allowed && callRefuses(*q.Answer) && strings.Contains(o.Words, answer.Denial(q))
}

// agrees reports whether what was answered here is what the session was told.
func agrees(req claude.Request, q beckon.Question, there beckon.Answer) bool {
	here := *q.Answer
	if callRefuses(here) != callRefuses(there) {
		return false
	}
	if q.Kind != beckon.Ask || callRefuses(here) {
		return true
	}
	items, sent := callQuestion(req).Items, forTerminal(req, q).Items
	for i, item := range sent {
		if i >= len(there.Items) || answer.Recorded(items[i], item) != answer.Recorded(items[i], there.Items[i]) {
			return false
		}
	}
	return true
}

// callRefuses reports whether an answer lets the call not be carried out.
func callRefuses(a beckon.Answer) bool { return a.Verdict == beckon.Deny || a.Verdict == beckon.Skip }
