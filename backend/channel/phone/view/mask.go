package view

import (
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/channel/access"
)

// show is a question as it goes to a phone: without what looks like a secret, and the
// long texts of a permission only where it is shown in full.
func (v View) show(a Asked, whole bool) Asked {
	q := a.Question
	if q.Permission != nil {
		p := *q.Permission
		p.Path = v.near(p.Path, a)
		if !whole {
			p.Diff, p.Input = "", ""
		}
		q.Permission = &p
	}
	return Asked{Question: access.MaskedQuestion(q, v.Mask), Key: a.Key, Title: v.Mask(a.Title), Project: Project{v.Mask(a.Project.Name), a.Project.Color}, Agent: a.Agent}
}

// Unmask puts the labels that were asked into the place of those that were shown, and
// refuses texts that would bring a mask to the agent.
func (v View) Unmask(q beckon.Question, a beckon.Answer) (beckon.Answer, error) {
	a.Items = slices.Clone(a.Items)
	for n := range a.Items[:min(len(a.Items), len(q.Items))] {
		labels := slices.Clone(a.Items[n].Labels)
		for i, label := range labels {
			meant := []string{}
			for _, o := range q.Items[n].Options {
				if o.Label == label || v.Mask(o.Label) == label {
					meant = append(meant, o.Label)
				}
			}
			if len(meant) > 1 {
				return a, beckon.Invalid("two options look the same without their secrets; answer at the desk")
			}
			if len(meant) == 1 {
				labels[i] = meant[0]
			}
		}
		a.Items[n].Labels = labels
	}
	if hidden := v.Mask(q.Plan); a.Plan != "" && hidden != q.Plan {
		return a, beckon.Invalid("the plan has what looks like a secret, which is not shown here; change it at the desk")
	}
	return a, nil
}
