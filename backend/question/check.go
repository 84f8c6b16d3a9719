package question

import (
	"fmt"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
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
	case beckon.Plan: // its text may be empty: the CLI drops one that it has no file of
	case beckon.Elicitation:
		return checkElicitation(q)
	default:
		return invalid("questions of kind %q cannot be asked", q.Kind)
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

// Fits refuses an answer that does not fit q, in words for the user.
func Fits(q beckon.Question, a beckon.Answer) error {
	if len(a.Text) > beckon.MaxAnswerText {
		return invalid("the answer is longer than %d KB", beckon.MaxAnswerText>>10)
	}
	if q.Kind == beckon.Ask {
		return checkAskAnswer(q, a)
	}
	if len(a.Items) > 0 || a.Standing {
		return invalid("a %s is answered by a verdict alone", q.Kind)
	}
	if err := checkVerdict(q, a); err != nil {
		return err
	}
	switch q.Kind {
	case beckon.Plan:
		return checkPlanAnswer(a)
	case beckon.Elicitation:
		return checkContent(q, a)
	default:
		return nil
	}
}

func checkVerdict(q beckon.Question, a beckon.Answer) error {
	switch {
	case !slices.Contains(beckon.Verdicts, a.Verdict):
		return invalid("a %s needs a verdict: allow or deny", q.Kind)
	case a.Verdict == beckon.Skip && q.Kind != beckon.Elicitation:
		return invalid("a %s cannot be skipped; deny it, and say why", q.Kind)
	case a.Verdict == beckon.AllowAlways && (q.Permission == nil || q.Permission.Always == ""):
		return invalid("this %s cannot be allowed always", q.Kind)
	case a.Project && (a.Verdict != beckon.AllowAlways || len(q.Permission.Lasting) == 0):
		return invalid("this %s cannot be allowed for the project", q.Kind)
	}
	return nil
}

// checkPlanAnswer lets a plan go on in any mode that asks before it does harm:
// who wants none of that sets it for the task.
func checkPlanAnswer(a beckon.Answer) error {
	goesOn := []beckon.PermissionMode{"", beckon.ModeAuto, beckon.ModeDefault, beckon.ModeAcceptEdits}
	switch {
	case len(a.Plan) > beckon.MaxBrief:
		return invalid("the plan is longer than %d KB", beckon.MaxBrief>>10)
	case !slices.Contains(goesOn, a.Mode):
		return invalid("a plan cannot be carried out in the mode %q", a.Mode)
	}
	return nil
}

// checkAskAnswer takes words, or that the user passes the question over.
func checkAskAnswer(q beckon.Question, a beckon.Answer) error {
	if a.Verdict == beckon.Skip && len(a.Items) == 0 && !a.Standing {
		return nil
	}
	if q.Budget != nil {
		return checkRaise(q, a)
	}
	if err := checkItemAnswers(q.Items, a); err != nil || !a.Standing {
		return err
	}
	if len(a.Items) != 1 || len(a.Items[0].Labels) == 0 || a.Items[0].Other != "" {
		return invalid("only the chosen option of a single question can be a standing answer")
	}
	if q.TaskID == "" {
		return invalid("who asks from outside has no project for a standing answer")
	}
	return nil
}

// checkRaise takes an option, or an amount above what was spent.
func checkRaise(q beckon.Question, a beckon.Answer) error {
	if a.Standing {
		return invalid("what is said of a budget is no standing answer")
	}
	if err := checkItemAnswers(q.Items, a); err != nil || a.Items[0].Other == "" {
		return err
	}
	if to, ok := spending.ParseLimit(a.Items[0].Other, q.Budget.Limit); !ok || !to.Above(q.Budget.Spent) {
		return invalid("write an amount above what was spent, such as %s", q.Budget.Raised.In("en"))
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
	if len(a.Other) > beckon.MaxAnswerText || len(a.Note) > beckon.MaxAnswerText {
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

// checkElicitation refuses one that could not be shown.
func checkElicitation(q beckon.Question) error {
	if q.Message == "" && q.Form == "" {
		return invalid("an elicitation must say or ask something")
	}
	_, err := parseForm(q.Form)
	return err
}

// checkContent refuses an answer that does not fill in the form.
func checkContent(q beckon.Question, a beckon.Answer) error {
	if a.Verdict != beckon.AllowOnce {
		if a.Content != "" {
			return invalid("a form that is not accepted has no content")
		}
		return nil
	}
	f, err := parseForm(q.Form)
	if err != nil {
		return err
	}
	return f.Check(a.Content)
}
