package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// controlIn is how long an agent may take to carry out a wish of the user's.
const controlIn = 20 * time.Second

// agent returns a task's live agent that listens, or an error for the user.
func (r *Runner) agent(taskID string) (*agentRun, agent.Session, error) {
	l, err := r.mustLive(taskID)
	if err != nil {
		return nil, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.proc == nil || !l.facts.Initialized {
		return nil, nil, errNotReady
	}
	return l, l.proc, nil
}

// SwitchModel has a task's live agent go on with another model; "" is the
// default. An effort that the model does not have is let go.
func (r *Runner) SwitchModel(ctx context.Context, taskID, value string) error {
	l, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	known := l.able()
	m, ok := model(known, value)
	if !ok && value != "" {
		return beckon.Invalid("the agent knows no model %q, but %s", value, choices(known.Models))
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	atOnce, err := p.SetModel(ctx, value)
	if err != nil {
		return err
	}
	run := l.note(func() {
		l.run.NextModel = cmp.Or(m.Value, value)
		if atOnce || !l.facts.TurnOpen || l.resolved() == l.run.Model {
			l.takeNextModel()
		}
	})
	if run.Effort != "" && !slices.Contains(m.Efforts, run.Effort) {
		err = l.setEffort(ctx, p, "")
	}
	return errors.Join(err, l.keep(ctx), l.chosen(ctx, func(t *beckon.Task) { t.Model = value }))
}

// takeNextModel makes the model that was chosen the one in use, as the next
// turn will say. The caller holds mu.
func (l *agentRun) takeNextModel() {
	if l.run.NextModel != "" {
		l.run.Model = l.resolved()
		l.run.NextModel = ""
		l.used.SetModel(l.run.Model)
	}
}

// resolved is the name that the chosen model goes by in a run. The caller
// holds mu.
func (l *agentRun) resolved() string {
	m, _ := model(l.abilities, l.run.NextModel)
	return cmp.Or(m.Resolved, l.run.NextModel)
}

func choices(models []beckon.Model) string {
	values := make([]string, 0, len(models))
	for _, m := range models {
		values = append(values, m.Value)
	}
	return strings.Join(values, ", ")
}

// SwitchMode changes the permission mode of a task's live agent.
func (r *Runner) SwitchMode(ctx context.Context, taskID string, mode beckon.PermissionMode) error {
	l, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	if err := l.allows(mode); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	switch err := p.SetMode(ctx, mode); {
	case errors.Is(err, beckon.ErrInvalid) && mode == beckon.ModeBypass:
		return fmt.Errorf("permissions can be bypassed only by an agent that was started so: "+
			"stop it, choose the mode for the task, and start it again: %w", beckon.ErrConflict)
	case err != nil:
		return err
	}
	l.note(func() { l.run.Mode = mode })
	return errors.Join(l.keep(ctx), l.chosen(ctx, func(t *beckon.Task) { t.Mode = mode }))
}

// allows says why a mode is unavailable: claude accepts any.
func (l *agentRun) allows(mode beckon.PermissionMode) error {
	if !slices.Contains(beckon.PermissionModes, mode) {
		return beckon.Invalid("there is no permission mode %q", mode)
	}
	if m, known := model(l.able(), l.snapshot().Model); known && mode == beckon.ModeAuto && !m.Auto {
		return beckon.Invalid("%s cannot be run in the mode auto", cmp.Or(m.Name, m.Value))
	}
	return nil
}

// SwitchEffort changes how hard a task's live agent thinks; "" is the model's
// default.
func (r *Runner) SwitchEffort(ctx context.Context, taskID, effort string) error {
	l, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	m, known := model(l.able(), l.snapshot().Model)
	if known && effort != "" && !slices.Contains(m.Efforts, effort) {
		return beckon.Invalid("%s has no effort %q, but %q", cmp.Or(m.Name, m.Value), effort, m.Efforts)
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	if err := l.setEffort(ctx, p, effort); err != nil {
		return err
	}
	return l.keep(ctx)
}

func (l *agentRun) setEffort(ctx context.Context, p agent.Session, effort string) error {
	if err := p.SetEffort(ctx, effort); err != nil {
		return err
	}
	l.note(func() { l.run.Effort = effort })
	return nil
}

// keep writes the run's row as the run is by then.
func (l *agentRun) keep(ctx context.Context) error {
	_, err := l.r.Store.UpdateRun(ctx, l.run.ID, func(r *beckon.Run) error {
		*r = l.snapshot()
		return nil
	})
	return err
}

// keepTurn keeps what a turn added, so that a run which outlives it in Beckon's
// death goes on with that.
func (l *agentRun) keepTurn() {
	ctx, cancel := l.shutdown()
	defer cancel()
	logged("keep the run", l.keep(ctx), "run", l.run.ID)
}

// chosen makes what the user chose for a task's run the task's own, so that
// its next run has it. A chat's is the chat's alone.
func (l *agentRun) chosen(ctx context.Context, choose func(*beckon.Task)) error {
	if l.kind() != beckon.TaskRun {
		return nil
	}
	_, err := l.r.Cards.Update(ctx, l.task.ID, func(t *beckon.Task) error { choose(t); return nil })
	return err
}

// ContextUsage asks a task's live agent what its context is filled with.
func (r *Runner) ContextUsage(ctx context.Context, taskID string) (beckon.ContextUsage, error) {
	_, p, err := r.agent(taskID)
	if err != nil {
		return beckon.ContextUsage{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	return p.ContextUsage(ctx)
}

// ToolServers asks a task's live agent for its MCP servers.
func (r *Runner) ToolServers(ctx context.Context, taskID string) ([]beckon.ToolServer, error) {
	_, p, err := r.agent(taskID)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	return p.ToolServers(ctx)
}

// ReconnectServer has a task's live agent connect an MCP server again.
func (r *Runner) ReconnectServer(ctx context.Context, taskID, name string) error {
	_, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	return p.ReconnectServer(ctx, name)
}

// errNotReady is what an agent that is starting up answers.
var errNotReady = problem.Of(problem.NotReady, fmt.Errorf("the agent is not ready yet; try again in a moment: %w", beckon.ErrConflict))
