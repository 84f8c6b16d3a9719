package view

import (
	"encoding/json"
	"slices"

	"beckon/backend/beckon"
)

// show is a question as it goes to a phone: without what looks like a secret, and the
// long texts of a permission only where it is shown in full.
func (v View) show(a Asked, whole bool) Asked {
	q := a.Question
	items := make([]beckon.QuestionItem, 0, len(q.Items))
	for _, i := range q.Items {
		items = append(items, v.showItem(i))
	}
	q.Items, q.Plan, q.Message, q.Form = items, v.Mask(q.Plan), v.Mask(q.Message), v.showForm(q.Form)
	q.Origin, q.Reason, q.Assumption = v.Mask(q.Origin), v.Mask(q.Reason), v.Mask(q.Assumption)
	if q.Permission != nil {
		p := *q.Permission
		p.Description, p.Command, p.Path, p.Always = v.Mask(p.Description), v.Mask(p.Command), v.Mask(v.near(p.Path, a)), v.Mask(p.Always)
		p.Diff, p.Input, p.Lasting = v.Mask(p.Diff), v.Mask(p.Input), v.maskAll(p.Lasting)
		if !whole {
			p.Diff, p.Input = "", ""
		}
		q.Permission = &p
	}
	if q.Answer != nil {
		q.Answer = v.showAnswer(*q.Answer)
	}
	return Asked{Question: q, Key: a.Key, Title: v.Mask(a.Title), Project: Project{v.Mask(a.Project.Name), a.Project.Color}}
}

func (v View) showItem(i beckon.QuestionItem) beckon.QuestionItem {
	options := make([]beckon.Option, 0, len(i.Options))
	for _, o := range i.Options {
		options = append(options, beckon.Option{ID: o.ID, Label: v.Mask(o.Label), Description: v.Mask(o.Description), Preview: v.Mask(o.Preview)})
	}
	return beckon.QuestionItem{Header: v.Mask(i.Header), Text: v.Mask(i.Text), Options: options, Multiple: i.Multiple}
}

// showAnswer is an answer without what looks like a secret.
func (v View) showAnswer(a beckon.Answer) *beckon.Answer {
	items := make([]beckon.ItemAnswer, 0, len(a.Items))
	for _, i := range a.Items {
		items = append(items, beckon.ItemAnswer{Labels: v.maskAll(i.Labels), Other: v.Mask(i.Other), Note: v.Mask(i.Note)})
	}
	a.Items, a.Text, a.Plan, a.Content = items, v.Mask(a.Text), v.Mask(a.Plan), ""
	return &a
}

func (v View) maskAll(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		all = append(all, v.Mask(text))
	}
	return all
}

// showForm masks what a form says of its fields; their names and values are what is
// sent back.
func (v View) showForm(form string) string {
	var schema any
	if form == "" || json.Unmarshal([]byte(form), &schema) != nil {
		return form
	}
	v.maskWords(schema)
	text, err := json.Marshal(schema)
	if err != nil {
		return form
	}
	return string(text)
}

func (v View) maskWords(part any) {
	switch part := part.(type) {
	case map[string]any:
		for name, one := range part {
			if text, is := one.(string); is && (name == "title" || name == "description") {
				part[name] = v.Mask(text)
			} else {
				v.maskWords(one)
			}
		}
	case []any:
		for _, one := range part {
			v.maskWords(one)
		}
	}
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
