package check

import (
	"cmp"

	"beckon/backend/beckon"
)

// Card returns the card that n makes in a project, with what the project and the settings
// say where n says nothing. Nothing of it is checked yet.
func Card(p beckon.Project, s beckon.Settings, n beckon.NewTask) beckon.Task {
	t := beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: OneLine(n.Title), Brief: n.Brief,
		Status: cmp.Or(n.Status, beckon.Backlog), Labels: beckon.NonNil(n.Labels), Priority: n.Priority,
		Agent: beckon.FirstAgent(n.Agent, p.Agent, s.Agent), Mode: cmp.Or(n.Mode, p.Mode),
		Policy: cmp.Or(n.Policy, p.Policy), WaitMs: cmp.Or(n.WaitMs, p.WaitMs), Executor: n.Executor, After: n.After, StartsAt: n.StartsAt,
		Base: cmp.Or(n.Start.Base, p.Base), Start: n.Start, TemplateID: n.TemplateID,
	}
	t.Start.Found = ""
	t.Model = p.ModelFor(t.Agent, n.Model)
	return t
}
