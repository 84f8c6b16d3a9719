package program

import (
	"context"

	"beckon/backend/agent"
	acp "beckon/backend/agent/acp/driver"
	claude "beckon/backend/agent/claude/driver"
	"beckon/backend/beckon"
	"beckon/backend/parts"
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
	parts  *parts.Parts
}

// Prepare implements agent.Driver. The agent of a task gets the task's ports,
// and the folder with its worktrees of further repositories.
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
		room, err := a.parts.Room(ctx, run.TaskID, openTool(run.Agent))
		if err != nil {
			return nil, err
		}
		if l.Env = append(l.Env, env...); room.Dir != "" {
			l.Beside, l.SystemPrompt = room.Dir, room.Words+"\n\n"+l.SystemPrompt
		}
		return start(ctx, l)
	}, nil
}

// openTool is what an agent of a kind calls the tool that opens a repository; empty where it is
// not offered Beckon's tools.
func openTool(kind string) string {
	naming := toolserver.ClaudesNaming
	if kind != "" {
		naming.Prefix, naming.Own = acp.ToolNames(kind)
	}
	if naming == (toolserver.Naming{}) {
		return ""
	}
	return naming.Prefix + toolserver.OpenRepositoryTool
}

// hasRepositories reports whether the task of a run may open further repositories.
func (p *program) hasRepositories(ctx context.Context, runID string) bool {
	_, project, err := p.workOf(ctx, runID)
	return err == nil && parts.HasClosed(project)
}

// openRepository opens a further repository for the task of a run.
func (p *program) openRepository(ctx context.Context, runID, name string) (string, error) {
	t, _, err := p.workOf(ctx, runID)
	if err != nil {
		return "", err
	}
	return p.board.OpenRepository(ctx, t.ID, name)
}

// workOf returns the task that a run works on, and its project. A chat works on none.
func (p *program) workOf(ctx context.Context, runID string) (t beckon.Task, project beckon.Project, err error) {
	run, err := p.store.Run(ctx, runID)
	if err == nil && run.Kind != beckon.TaskRun {
		err = beckon.ErrNotFound
	}
	if err == nil {
		t, err = p.store.Task(ctx, run.TaskID)
	}
	if err == nil {
		project, err = p.store.Project(ctx, t.ProjectID)
	}
	return t, project, err
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
