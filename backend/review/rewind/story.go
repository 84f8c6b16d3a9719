package rewind

import (
	"context"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// How much the new agent gets of what the earlier ones asked: the newest questions, and bytes
// of each.
const (
	mostTold = 50
	maxTold  = 2000
)

// story is what the new agent gets behind the brief: what was decided before, and the other
// answer. Nothing of it is younger than the decision.
func (r *Rewinder) story(ctx context.Context, q beckon.Question, a beckon.Answer) (string, error) {
	all, err := r.Questions(ctx, q.TaskID)
	if err != nil {
		return "", err
	}
	var told []string
	for _, one := range all {
		heard := one.Settlement == beckon.Answered || one.Settlement == beckon.Expired
		if one.ID == q.ID || !heard || one.Settled == 0 || one.Settled > q.Asked || one.Kind == beckon.Permission || one.Budget != nil {
			continue
		}
		told = append(told, plain.Cut(answer.HandedOver(one), maxTold))
	}
	parts := []string{
		"An agent worked on this task before you. The user has changed a decision of it, so the worktree is as it was " +
			"when that was asked, and what was done after it is set aside. Look at what there is before you change it.",
	}
	if len(told) > 0 {
		parts = append(parts, "What was asked before that:\n\n"+strings.Join(told[max(0, len(told)-mostTold):], "\n\n"))
	}
	q.Answer, q.Assumption = &a, ""
	parts = append(parts, "The decision that was changed:\n\n"+plain.Cut(answer.HandedOver(q), beckon.MaxAnswerText),
		"Carry on with the task from there, with this answer.")
	return strings.Join(parts, "\n\n"), nil
}
