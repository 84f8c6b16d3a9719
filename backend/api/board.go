package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/starting"
	"beckon/backend/store/undolog"
)

// InspectFolder tells what a folder would be as a project.
func (a *API) InspectFolder(dir string) (f beckon.ProjectFound, err error) {
	defer recovered(&err)
	return a.parts.Board.InspectFolder(a.ctx, dir)
}

// AddProject makes a folder a project.
func (a *API) AddProject(n beckon.NewProject) (p beckon.Project, err error) {
	defer recovered(&err)
	return a.parts.Board.AddProject(a.ctx, n)
}

// EditProject replaces a project's name and defaults.
func (a *API) EditProject(edit beckon.Project) (p beckon.Project, err error) {
	defer recovered(&err)
	return a.parts.Board.EditProject(a.ctx, edit)
}

// RemoveProject takes a project off Beckon; its folder is not touched.
func (a *API) RemoveProject(id string) (err error) {
	defer recovered(&err)
	return a.parts.Board.RemoveProject(a.ctx, id)
}

// CreateTask puts a new card on the board.
func (a *API) CreateTask(n beckon.NewTask) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.CreateTask(a.ctx, n)
}

// CreateTasks puts new cards on the board, and tells which could not be made.
func (a *API) CreateTasks(list []beckon.NewTask) (r beckon.ChangeResult, err error) {
	defer recovered(&err)
	return a.parts.Bulk.Create(a.ctx, list)
}

// ChangeTasks makes one change of several cards, and tells which it could not be
// made of.
func (a *API) ChangeTasks(ids []string, many beckon.ManyChange) (r beckon.ChangeResult, err error) {
	defer recovered(&err)
	return a.parts.Bulk.Change(a.ctx, ids, many)
}

// FindBranches finds branches of a project, which a task may start from, by a part of their
// names.
func (a *API) FindBranches(projectID, text string) (found starting.BranchSearch, err error) {
	defer recovered(&err)
	return a.parts.Board.FindBranches(a.ctx, projectID, text)
}

// FindOnForge asks the server of a project for a pull request or an issue, by its number,
// such as #412, or by its address.
func (a *API) FindOnForge(projectID, text string) (found starting.Item, err error) {
	defer recovered(&err)
	return a.parts.Pulls.Find(a.ctx, projectID, text)
}

// EditTask replaces what the user may edit of a task.
func (a *API) EditTask(id string, edit beckon.TaskEdit) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.EditTask(undolog.Into(a.ctx, beckon.ChangeEdit), id, edit)
}

// MoveTask puts a card into a column at a rank, 0 for its end. Moving to
// running starts or resumes the agent; moving away stops it.
func (a *API) MoveTask(id string, to beckon.Status, rank float64) (t beckon.Task, err error) {
	defer recovered(&err)
	ctx := a.ctx
	if to != beckon.Running { // an agent is stopped, not taken back
		ctx = undolog.Into(ctx, beckon.ChangeTo(to))
	}
	return a.parts.Board.MoveTask(ctx, id, to, rank)
}

// CloseTask puts a task into done although its base lacks some of its work,
// which stays on its branch.
func (a *API) CloseTask(id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.CloseTask(undolog.Into(a.ctx, beckon.ChangeClose), id)
}

// RestoreTask puts an archived card back where it was, with its branch where
// that was discarded and is still kept.
func (a *API) RestoreTask(id string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.Restore(undolog.Into(a.ctx, beckon.ChangeRestore), id)
}

// Loss tells what discarding or deleting a task would take out of sight.
func (a *API) Loss(taskID string) (l beckon.Loss, err error) {
	defer recovered(&err)
	return a.parts.Board.Loss(a.ctx, taskID)
}

// LostWork returns the ids of discarded tasks whose work is not kept any more.
func (a *API) LostWork() (ids []string, err error) {
	defer recovered(&err)
	return a.parts.Lost.Find(a.ctx)
}

// DiscardTask throws a task's work away and archives it; the branch is kept
// under a private ref for 30 days. token is the Loss that the user saw.
func (a *API) DiscardTask(taskID, token string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.Discard(undolog.Into(a.ctx, beckon.ChangeDiscard), taskID, token)
}

// StartOver takes a task's work away, which is kept like that of a discarded
// task, and has an agent begin the task again. token is the Loss that the user saw.
func (a *API) StartOver(taskID, token string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.StartOver(a.ctx, taskID, token)
}

// DeleteTask discards a task and removes its card, runs and transcript.
func (a *API) DeleteTask(taskID, token string) (err error) {
	defer recovered(&err)
	return a.parts.Board.DeleteTask(undolog.Into(a.ctx, beckon.ChangeDelete), taskID, token)
}
