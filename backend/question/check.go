package question

import (
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
)

// maxItems is how many questions one ask may hold; the page has a key for each.
const maxItems = 4

// checkQuestion refuses what could not be shown or answered.
func checkQuestion(q beckon.Question) error {
	switch q.Kind {
	case beckon.Ask:
		return checkItems(q.Items)
	case beckon.Permission:
		if q.Permission == nil || q.Permission.Tool == "" {
			return invalid("a permission must name its tool")
		}
	case beckon.Plan:
		if q.Plan == "" {
			return invalid("a plan must have a text")
		}
	default:
		return invalid("questions of kind %q can not be asked", q.Kind)
	}
	return nil
}

func checkItems(items []beckon.QuestionItem) error {
	if len(items) == 0 || len(items) > maxItems {
		return invalid("an ask has 1 to %d questions, not %d", maxItems, len(items))
	}
	for n, item := range items {
		if item.Text == "" {
			return invalid("question %d has no text", n+1)
		}
		var seen []string
		for _, o := range item.Options {
			if o.Label == "" {
				return invalid("an option of question %d has no label", n+1)
			}
			if slices.Contains(seen, o.Label) {
				return invalid("two options of question %d read %q", n+1, o.Label)
			}
			seen = append(seen, o.Label)
		}
	}
	return nil
}

// checkAnswer refuses an answer that does not fit q, in words for the user.
func checkAnswer(q beckon.Question, a beckon.Answer) error {
	if len(a.Text) > beckon.MaxAnswerText {
		return invalid("the answer is longer than %d KB", beckon.MaxAnswerText>>10)
	}
	if q.Kind == beckon.Ask {
		return checkItemAnswers(q.Items, a)
	}
	if len(a.Items) > 0 {
		return invalid("a %s is answered by a verdict alone", q.Kind)
	}
	return checkVerdict(q, a.Verdict)
}

func checkVerdict(q beckon.Question, v beckon.Verdict) error {
	if !slices.Contains(beckon.Verdicts, v) {
		return invalid("a %s needs a verdict: allow or deny", q.Kind)
	}
	if v == beckon.AllowAlways && (q.Permission == nil || q.Permission.Always == "") {
		return invalid("this %s can not be allowed always", q.Kind)
	}
	return nil
}

func checkItemAnswers(items []beckon.QuestionItem, a beckon.Answer) error {
	if a.Verdict != beckon.NoVerdict {
		return invalid("a question is answered by words, not by a verdict")
	}
	if len(a.Items) != len(items) {
		return invalid("%d of %d questions are answered", len(a.Items), len(items))
	}
	for n, item := range items {
		if err := checkItemAnswer(item, a.Items[n]); err != nil {
			return fmt.Errorf("question %d: %w", n+1, err)
		}
	}
	return nil
}

func checkItemAnswer(item beckon.QuestionItem, a beckon.ItemAnswer) error {
	for n, label := range a.Labels {
		if !slices.ContainsFunc(item.Options, func(o beckon.Option) bool { return o.Label == label }) {
			return invalid("%q is not one of the options", label)
		}
		if slices.Contains(a.Labels[:n], label) {
			return invalid("%q is chosen twice", label)
		}
	}
	if len(a.Other) > beckon.MaxAnswerText {
		return invalid("the answer is longer than %d KB", beckon.MaxAnswerText>>10)
	}
	given := len(a.Labels)
	if strings.TrimSpace(a.Other) != "" {
		given++
	}
	if given == 0 {
		return invalid("nothing is chosen or written")
	}
	if given > 1 && !item.Multiple {
		return invalid("only one answer can be given")
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, beckon.ErrInvalid)...)
}
