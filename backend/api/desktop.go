package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// ChooseFolder shows the system's folder dialog; "" means the user closed it.
func (a *API) ChooseFolder() (dir string, err error) {
	defer recovered(&err)
	return a.parts.Shell.ChooseFolder()
}

// OpenURL shows a web page outside Beckon.
func (a *API) OpenURL(url string) (err error) {
	defer recovered(&err)
	return a.parts.Shell.OpenURL(url)
}

// OpenWorktree shows the folder that a task's agent works in.
func (a *API) OpenWorktree(taskID string) (err error) {
	defer recovered(&err)
	dir, err := a.parts.Board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.parts.Shell.ShowFolder(dir)
}

// OpenDataFolder shows the folder in which Beckon keeps everything.
func (a *API) OpenDataFolder() (err error) {
	defer recovered(&err)
	return a.parts.Shell.ShowFolder(a.parts.Board.DataDir)
}

// Programs names what opens a worktree on this machine: editors, and "terminal". A
// browser has no hand on them.
func (a *API) Programs() (names []string, err error) {
	defer recovered(&err)
	return a.parts.Shell.Programs.Programs(), nil
}

// OpenIn opens the folder that a task's agent works in, in one of the Programs.
func (a *API) OpenIn(taskID, program string) (err error) {
	defer recovered(&err)
	dir, err := a.parts.Board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.parts.Shell.Programs.Open(program, dir)
}

// OpenFile opens a file of a task's changes, at a line, in one of the Programs.
func (a *API) OpenFile(taskID, program string, at reviewing.Spot) (err error) {
	defer recovered(&err)
	dir, err := a.parts.Board.Worktree(a.ctx, taskID)
	if err != nil {
		return err
	}
	return a.parts.Shell.Programs.OpenFile(program, dir, at.Path, at.Line)
}

// ShellEvents takes what the desktop asked of the page since the last call.
// Events that go to a page which is not there yet would be lost.
func (a *API) ShellEvents() (es []beckon.PageCall, err error) {
	defer recovered(&err)
	return a.parts.Shell.Events(), nil
}

// Quit ends Beckon, or asks in the page what becomes of agents that work.
func (a *API) Quit(choice beckon.QuitChoice) (err error) {
	defer recovered(&err)
	return a.parts.Shell.Quit(choice)
}
