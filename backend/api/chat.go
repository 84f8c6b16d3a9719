package api

import "beckon/backend/beckon"

// StartInteractive opens a chat on a task, in the project's folder.
func (a *API) StartInteractive(taskID string) (r beckon.Run, err error) {
	defer recovered(&err)
	return a.parts.Runner.StartInteractive(a.ctx, taskID)
}

// SendMessage sends a message to a task's agent, or queues it, and returns it
// as it then is. A redirect whose interrupt fails is queued.
func (a *API) SendMessage(taskID string, n beckon.NewMessage) (m beckon.Message, err error) {
	defer recovered(&err)
	return a.parts.Runner.SendMessage(a.ctx, taskID, n)
}

// EditMessage replaces the text and images of a message that the agent has
// not taken; too late is a conflict.
func (a *API) EditMessage(id string, n beckon.NewMessage) (m beckon.Message, err error) {
	defer recovered(&err)
	return a.parts.Runner.EditMessage(a.ctx, id, n)
}

// MoveMessage puts a queued message at a place of its queue, 0 for the first.
func (a *API) MoveMessage(id string, to int) (err error) {
	defer recovered(&err)
	return a.parts.Runner.MoveMessage(a.ctx, id, to)
}

// RemoveMessage takes back a message that the agent has not taken; too late
// is a conflict.
func (a *API) RemoveMessage(id string) (err error) {
	defer recovered(&err)
	return a.parts.Comments.RemoveMessage(a.ctx, id)
}

// KeepImage keeps an image for messages that will name it.
func (a *API) KeepImage(n beckon.NewImage) (i beckon.Image, err error) {
	defer recovered(&err)
	return a.parts.Images.KeepImage(n)
}

// Image returns a kept image as a data: URL.
func (a *API) Image(id string) (url string, err error) {
	defer recovered(&err)
	return a.parts.Images.Image(id)
}

// SaveMessageDraft keeps what was typed as a message to a task's agent; empty
// text drops it.
func (a *API) SaveMessageDraft(taskID, text string) (err error) {
	defer recovered(&err)
	return a.parts.Board.SaveMessageDraft(a.ctx, taskID, text)
}

// Abilities tells what a task's agent can do; of one that never ran, what the
// project's newest agent could.
func (a *API) Abilities(taskID string) (b beckon.Abilities, err error) {
	defer recovered(&err)
	return a.parts.Runner.Abilities(a.ctx, taskID)
}

// FindFiles returns the files of a task's folder that best match what was
// typed, at most limit, relative to it.
func (a *API) FindFiles(taskID, typed string, limit int) (files []string, err error) {
	defer recovered(&err)
	return a.parts.Files.Find(a.ctx, a.parts.Board.Files.Listing, taskID, typed, limit)
}

// FindProjectFiles returns the same of a project's folder, for who writes a
// task that is not there yet.
func (a *API) FindProjectFiles(projectID, typed string, limit int) (files []string, err error) {
	defer recovered(&err)
	return a.parts.Files.Find(a.ctx, a.parts.Board.Files.ProjectListing, projectID, typed, limit)
}
