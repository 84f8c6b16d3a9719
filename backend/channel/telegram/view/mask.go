package view

import "beckon/backend/channel/access"

// Masked is v with mask applied to all that is shown of its question and task.
// Buttons carry numbers, so that what they answer stays as it was asked.
func (v View) Masked(mask func(string) string) View {
	v.Task, v.Project = mask(v.Task), mask(v.Project)
	v.Question, v.Progress.Answers = access.MaskedQuestion(v.Question, mask), access.MaskedAnswers(v.Progress.Answers, mask)
	return v
}
