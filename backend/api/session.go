package api

import "beckon/backend/beckon"

// SwitchModel has a task's live agent go on with another model; "" is the
// default.
func (a *API) SwitchModel(taskID, model string) (err error) {
	defer recovered(&err)
	return a.parts.Runner.SwitchModel(a.ctx, taskID, model)
}

// SwitchMode changes the permission mode of a task's live agent.
func (a *API) SwitchMode(taskID string, mode beckon.PermissionMode) (err error) {
	defer recovered(&err)
	return a.parts.Runner.SwitchMode(a.ctx, taskID, mode)
}

// SwitchEffort changes how hard a task's live agent thinks; "" is the model's
// default.
func (a *API) SwitchEffort(taskID, effort string) (err error) {
	defer recovered(&err)
	return a.parts.Runner.SwitchEffort(a.ctx, taskID, effort)
}

// ContextUsage asks a task's live agent what its context is filled with.
func (a *API) ContextUsage(taskID string) (u beckon.ContextUsage, err error) {
	defer recovered(&err)
	return a.parts.Runner.ContextUsage(a.ctx, taskID)
}

// ToolServers asks a task's live agent for its MCP servers.
func (a *API) ToolServers(taskID string) (ss []beckon.ToolServer, err error) {
	defer recovered(&err)
	return a.parts.Runner.ToolServers(a.ctx, taskID)
}

// ReconnectServer has a task's live agent connect an MCP server again.
func (a *API) ReconnectServer(taskID, name string) (err error) {
	defer recovered(&err)
	return a.parts.Runner.ReconnectServer(a.ctx, taskID, name)
}

// PreviewRewind tells what Rewind would do; messageID is the id of the user's
// entry in the transcript.
func (a *API) PreviewRewind(taskID, messageID string) (r beckon.Rewind, err error) {
	defer recovered(&err)
	return a.parts.Runner.PreviewRewind(a.ctx, taskID, messageID)
}

// Rewind takes the files that the agent changed back to how a message found
// them. What was said stays said.
func (a *API) Rewind(taskID, messageID string) (r beckon.Rewind, err error) {
	defer recovered(&err)
	return a.parts.Runner.Rewind(a.ctx, taskID, messageID)
}

// Fork makes a task whose chat goes on from where this one's is, without
// touching it.
func (a *API) Fork(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Runner.Fork(a.ctx, taskID)
}

// Interrupt ends the turn of a task's live agent; the agent stays.
func (a *API) Interrupt(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Runner.Interrupt(a.ctx, taskID)
}

// Stop ends a task's live agent. Its session and work are kept.
func (a *API) Stop(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Runner.Stop(a.ctx, taskID)
}
