package runner

import (
	"context"

	"beckon/backend/beckon"
)

// Abilities tells what a task's agent can do.
func (r *Runner) Abilities(_ context.Context, _ string) (beckon.Abilities, error) {
	return beckon.Abilities{}, beckon.ErrUnavailable
}

// SwitchModel has a task's live agent go on with another model.
func (r *Runner) SwitchModel(_ context.Context, _, _ string) error { return beckon.ErrUnavailable }

// SwitchMode changes the permission mode of a task's live agent.
func (r *Runner) SwitchMode(_ context.Context, _ string, _ beckon.PermissionMode) error {
	return beckon.ErrUnavailable
}

// SwitchEffort changes how hard a task's live agent thinks.
func (r *Runner) SwitchEffort(_ context.Context, _, _ string) error { return beckon.ErrUnavailable }

// ContextUsage asks a task's live agent what its context is filled with.
func (r *Runner) ContextUsage(_ context.Context, _ string) (beckon.ContextUsage, error) {
	return beckon.ContextUsage{}, beckon.ErrUnavailable
}

// ToolServers asks a task's live agent for its MCP servers.
func (r *Runner) ToolServers(_ context.Context, _ string) ([]beckon.ToolServer, error) {
	return nil, beckon.ErrUnavailable
}

// ReconnectServer has a task's live agent connect an MCP server again.
func (r *Runner) ReconnectServer(_ context.Context, _, _ string) error { return beckon.ErrUnavailable }

// PreviewRewind tells what Rewind would do.
func (r *Runner) PreviewRewind(_ context.Context, _, _ string) (beckon.Rewind, error) {
	return beckon.Rewind{}, beckon.ErrUnavailable
}

// Rewind takes the files that the agent changed back to how a message found them.
func (r *Runner) Rewind(_ context.Context, _, _ string) (beckon.Rewind, error) {
	return beckon.Rewind{}, beckon.ErrUnavailable
}

// Fork makes a task whose chat goes on from where this one's is.
func (r *Runner) Fork(_ context.Context, _ string) (beckon.Task, error) {
	return beckon.Task{}, beckon.ErrUnavailable
}
