package api

import "beckon/backend/beckon"

// RunScript starts a command of the project in a task's worktree.
func (a *API) RunScript(taskID string, kind beckon.ScriptKind) (r beckon.ScriptRun, err error) {
	defer recovered(&err)
	return a.parts.Scripts.Run(a.ctx, taskID, kind)
}

// StopScript ends a command and all that it started.
func (a *API) StopScript(taskID string, kind beckon.ScriptKind) (err error) {
	defer recovered(&err)
	a.parts.Scripts.Stop(taskID, kind)
	return nil
}

// SkipSetup takes a task's worktree for ready, whatever its setup command said.
func (a *API) SkipSetup(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Scripts.Skip(a.ctx, taskID)
}

// LookAtCheck looks whether the files of a task are still those that its check is about.
func (a *API) LookAtCheck(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Scripts.LookAtCheck(a.ctx, taskID)
}

// ScriptOutput returns what a command printed the last time, from a place on.
func (a *API) ScriptOutput(taskID string, kind beckon.ScriptKind, from int64) (o beckon.ScriptOutput, err error) {
	defer recovered(&err)
	return a.parts.Scripts.Output(taskID, kind, from)
}
