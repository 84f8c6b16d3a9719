package api

import "beckon/backend/beckon/executing"

// SaveExecutor keeps where runs can execute besides this computer: a new one without an
// id. It is looked at at once.
func (a *API) SaveExecutor(e executing.Executor) (saved executing.Executor, err error) {
	defer recovered(&err)
	return a.parts.Executors.Save(a.ctx, e)
}

// KeepVariable keeps the value of one of an executor's variables in the system's key ring; an
// empty one is forgotten. No call returns it.
func (a *API) KeepVariable(executorID, name, value string) (err error) {
	defer recovered(&err)
	return a.parts.Executors.Keep(a.ctx, executorID, name, value)
}

// GoesAlong tells which part of a project goes to an executor besides its commits, and what stays
// on this computer.
func (a *API) GoesAlong(projectID string) (along executing.Along, err error) {
	defer recovered(&err)
	return a.parts.Executors.GoesAlong(a.ctx, projectID)
}

// CheckExecutor looks at an executor again; the clients hear what was found.
func (a *API) CheckExecutor(id string) (err error) {
	defer recovered(&err)
	return a.parts.Executors.Check(a.ctx, id)
}

// AnswerExecutor gives the user's answer to what ssh asks for an executor: once, and to
// the question of that id alone.
func (a *API) AnswerExecutor(id, askID string, reply executing.Reply) (err error) {
	defer recovered(&err)
	return a.parts.Executors.Answer(id, askID, reply)
}

// LeftOnExecutor tells what this Beckon has on an executor.
func (a *API) LeftOnExecutor(id string) (left executing.Left, err error) {
	defer recovered(&err)
	return a.parts.Executors.Left(a.ctx, id)
}

// RemoveExecutor removes an executor, and from it all that this Beckon has there, which
// needs a link. With forget that stays there. It is refused while agents work there.
func (a *API) RemoveExecutor(id string, forget bool) (err error) {
	defer recovered(&err)
	return a.parts.Executors.Remove(a.ctx, id, forget)
}
