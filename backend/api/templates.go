package api

import "beckon/backend/beckon"

// Templates returns all templates of tasks, the oldest first.
func (a *API) Templates() (list []beckon.Template, err error) {
	defer recovered(&err)
	return a.parts.Repeat.List(a.ctx)
}

// SaveTemplate keeps a template: a new one where it has no id, else what may be edited of the
// one that has it.
func (a *API) SaveTemplate(t beckon.Template) (saved beckon.Template, err error) {
	defer recovered(&err)
	return a.parts.Repeat.Save(a.ctx, t)
}

// DeleteTemplate removes a template; the cards that it made stay.
func (a *API) DeleteTemplate(id string) (err error) {
	defer recovered(&err)
	return a.parts.Repeat.Delete(a.ctx, id)
}

// RunTemplate makes a card of a template now.
func (a *API) RunTemplate(id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Repeat.Run(a.ctx, id)
}

// ScheduleTimes returns the next times of a line of cron, in milliseconds.
func (a *API) ScheduleTimes(schedule string) (times []int64, err error) {
	defer recovered(&err)
	return a.parts.Repeat.Preview(schedule, 3)
}
