package api

import "beckon/backend/beckon/executing"

// OpenTerminal opens a shell of the user's in the worktree of a task.
func (a *API) OpenTerminal(taskID string, size executing.TerminalSize) (t executing.Terminal, err error) {
	defer recovered(&err)
	return a.parts.Terminals.Open(a.ctx, taskID, size)
}

// TerminalOutput returns what a terminal printed, from a place on.
func (a *API) TerminalOutput(id string, from int64) (o executing.TerminalOutput, err error) {
	defer recovered(&err)
	return a.parts.Terminals.Output(id, from)
}

// TypeInTerminal types text into a terminal. Calls of one page are to follow each other.
func (a *API) TypeInTerminal(id, text string) (err error) {
	defer recovered(&err)
	return a.parts.Terminals.Write(id, text)
}

// ResizeTerminal changes the size of a terminal.
func (a *API) ResizeTerminal(id string, size executing.TerminalSize) (err error) {
	defer recovered(&err)
	return a.parts.Terminals.Resize(id, size)
}

// CloseTerminal ends a terminal with all that it started. It is refused where something
// runs in it, unless the user is sure.
func (a *API) CloseTerminal(id string, sure bool) (err error) {
	defer recovered(&err)
	return a.parts.Terminals.End(id, sure)
}
