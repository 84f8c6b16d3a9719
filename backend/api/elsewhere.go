package api

import (
	"beckon/backend/beckon"
	"beckon/backend/nearby"
)

// AllowKeys has the answer to a question typed into its terminal although the
// version of Claude Code there is not known, as well as later ones there.
func (a *API) AllowKeys(questionID string) (err error) {
	defer recovered(&err)
	return a.parts.Outside.AllowKeys(questionID)
}

// ShowTerminal brings the terminal of a session that runs elsewhere to the front
// of its tmux. It types nothing.
func (a *API) ShowTerminal(sessionID string) (err error) {
	defer recovered(&err)
	return a.parts.Outside.ShowTerminal(a.ctx, sessionID)
}

// EndedSessions lists the sessions elsewhere that ended within a day, the newest
// first.
func (a *API) EndedSessions() (ss []beckon.OutsideSession, err error) {
	defer recovered(&err)
	return a.parts.Outside.Ended(a.ctx)
}

// ContinueSession makes a session that ran elsewhere, or a copy of it, the chat of
// a new task. One that is open there is continued as a copy only.
func (a *API) ContinueSession(sessionID string, copied bool) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Outside.Continue(a.ctx, sessionID, copied)
}

// AwaitSession has a session elsewhere continued once it is closed there, or takes
// that back.
func (a *API) AwaitSession(sessionID string, wanted bool) (err error) {
	defer recovered(&err)
	return a.parts.Outside.Await(a.ctx, sessionID, wanted)
}

// TerminalCommand returns what continues a run's session in a terminal: a copy of
// it while an agent has it.
func (a *API) TerminalCommand(runID string) (command string, err error) {
	defer recovered(&err)
	return a.parts.Outside.TerminalCommand(a.ctx, runID)
}

// CheckRoot returns a folder of Claude Code's files as the settings have it, or why
// it cannot be read for sessions elsewhere.
func (a *API) CheckRoot(dir string) (clean string, err error) {
	defer recovered(&err)
	return nearby.Own(dir)
}
