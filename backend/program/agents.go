package program

import (
	"context"

	"beckon/backend/agent"
	acp "beckon/backend/agent/acp/driver"
	claude "beckon/backend/agent/claude/driver"
	"beckon/backend/beckon"
	"beckon/backend/scripts"
	"beckon/backend/toolserver"
)

// systemPrompt is what an agent of a kind gets to know beside its task.
func systemPrompt(kind string) string {
	if kind == "" {
		return toolserver.SystemPrompt(toolserver.ClaudesNaming)
	}
	prefix, own := acp.ToolNames(kind)
	return toolserver.SystemPrompt(toolserver.Naming{Prefix: prefix, Own: own})
}

// agents starts the agents of all kinds: Claude's driver is the one where a run names none.
type agents struct {
	*claude.Driver
	others *acp.Driver
	ports  *scripts.Ports
}

// Prepare implements agent.Driver. The agent of a task gets the task's ports.
func (a agents) Prepare(ctx context.Context, run beckon.Run) (agent.Start, error) {
	prepare := a.Driver.Prepare
	if run.Agent != "" {
		prepare = a.others.Prepare
	}
	start, err := prepare(ctx, run)
	if err != nil || run.Kind != beckon.TaskRun {
		return start, err
	}
	return func(ctx context.Context, l agent.Launch) (agent.Session, error) {
		env, err := a.ports.Environ(ctx, run.TaskID)
		if err != nil {
			return nil, err
		}
		l.Env = append(l.Env, env...)
		return start(ctx, l)
	}, nil
}

// Record implements agent.Driver.
func (a agents) Record(run beckon.Run) (agent.Record, error) {
	if run.Agent != "" {
		return a.others.Record(run)
	}
	return a.Driver.Record(run)
}

// Usable implements agent.Driver.
func (a agents) Usable(ctx, asking context.Context, kind, executor string) error {
	if kind != "" {
		return a.others.Usable(kind, executor)
	}
	return a.Driver.Usable(ctx, asking, kind, executor)
}

// About implements agent.Driver.
func (a agents) About(ctx, asking context.Context, about beckon.About) beckon.About {
	about.Agents = a.others.Kinds()
	return a.Driver.About(ctx, asking, about)
}
