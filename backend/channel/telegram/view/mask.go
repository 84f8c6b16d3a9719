package view

import (
	"slices"

	"beckon/backend/beckon"
)

// Masked is v with mask applied to all that is shown of its question and task.
// Buttons carry numbers, so that what they answer stays as it was asked.
func (v View) Masked(mask func(string) string) View {
	v.Task, v.Project = mask(v.Task), mask(v.Project)
	q := v.Question
	q.Agent, q.Origin, q.Plan, q.Message = mask(q.Agent), mask(q.Origin), mask(q.Plan), mask(q.Message)
	q.Items = slices.Clone(q.Items)
	for i := range q.Items {
		q.Items[i] = maskedItem(q.Items[i], mask)
	}
	if q.Permission != nil {
		p := *q.Permission
		p.Description, p.Command, p.Path = mask(p.Description), mask(p.Command), mask(p.Path)
		p.Diff, p.Input, p.Always = mask(p.Diff), mask(p.Input), mask(p.Always)
		q.Permission = &p
	}
	if q.Answer != nil {
		a := *q.Answer
		a.Items, a.Text = maskedAnswers(a.Items, mask), mask(a.Text)
		q.Answer = &a
	}
	v.Question, v.Progress.Answers = q, maskedAnswers(v.Progress.Answers, mask)
	return v
}

func maskedItem(i beckon.QuestionItem, mask func(string) string) beckon.QuestionItem {
	i.Header, i.Text, i.Options = mask(i.Header), mask(i.Text), slices.Clone(i.Options)
	for n, o := range i.Options {
		i.Options[n].Label, i.Options[n].Description = mask(o.Label), mask(o.Description)
	}
	return i
}

func maskedAnswers(all []beckon.ItemAnswer, mask func(string) string) []beckon.ItemAnswer {
	all = padded(all, len(all))
	for i := range all {
		all[i].Other = mask(all[i].Other)
		for n, label := range all[i].Labels {
			all[i].Labels[n] = mask(label)
		}
	}
	return all
}
