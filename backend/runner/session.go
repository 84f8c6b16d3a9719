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
	run, err := r.mustLive(taskID)
	if err != nil {
		return nil, nil, err
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.proc == nil || !run.facts.Initialized {
		return nil, nil, errNotReady
	}
	return run, run.proc, nil
}

// SwitchModel has a task's live agent go on with another model; "" is the
// default. An effort that the model does not have is let go.
func (r *Runner) SwitchModel(ctx context.Context, taskID, value string) error {
	run, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	known := run.able()
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
	row := run.note(func() {
		run.row.NextModel = cmp.Or(m.Value, value)
		if atOnce || !run.facts.TurnOpen || run.resolved() == run.row.Model {
			run.takeNextModel()
		}
	})
	if row.Effort != "" && !slices.Contains(m.Efforts, row.Effort) {
		err = run.setEffort(ctx, p, "")
	}
	return errors.Join(err, run.keep(ctx), run.chosen(ctx, func(t *beckon.Task) { t.Model = value }))
}

// takeNextModel makes the model that was chosen the one in use, as the next
// turn will say. The caller holds mu.
func (run *agentRun) takeNextModel() {
	if run.row.NextModel != "" {
		run.row.Model = run.resolved()
		run.row.NextModel = ""
		run.used.SetModel(run.row.Model)
	}
}

// resolved is the name that the chosen model goes by in a run. The caller
// holds mu.
func (run *agentRun) resolved() string {
	m, _ := model(run.abilities, run.row.NextModel)
	return cmp.Or(m.Resolved, run.row.NextModel)
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
	run, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	if err := run.allows(mode); err != nil {
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
	run.note(func() { run.row.Mode = mode })
	return errors.Join(run.keep(ctx), run.chosen(ctx, func(t *beckon.Task) { t.Mode = mode }))
}

// allows says why a mode is unavailable: claude accepts any.
func (run *agentRun) allows(mode beckon.PermissionMode) error {
	if !slices.Contains(beckon.PermissionModes, mode) {
		return beckon.Invalid("there is no permission mode %q", mode)
	}
	if m, known := model(run.able(), run.snapshot().Model); known && mode == beckon.ModeAuto && !m.Auto {
		return beckon.Invalid("%s cannot be run in the mode auto", cmp.Or(m.Name, m.Value))
	}
	return nil
}

// SwitchEffort changes how hard a task's live agent thinks; "" is the model's
// default.
func (r *Runner) SwitchEffort(ctx context.Context, taskID, effort string) error {
	run, p, err := r.agent(taskID)
	if err != nil {
		return err
	}
	m, known := model(run.able(), run.snapshot().Model)
	if known && effort != "" && !slices.Contains(m.Efforts, effort) {
		return beckon.Invalid("%s has no effort %q, but %q", cmp.Or(m.Name, m.Value), effort, m.Efforts)
	}
	ctx, cancel := context.WithTimeout(ctx, controlIn)
	defer cancel()
	if err := run.setEffort(ctx, p, effort); err != nil {
		return err
	}
	return run.keep(ctx)
}

func (run *agentRun) setEffort(ctx context.Context, p agent.Session, effort string) error {
	if err := p.SetEffort(ctx, effort); err != nil {
		return err
	}
	run.note(func() { run.row.Effort = effort })
	return nil
}

// keep writes the run's row as the run is by then.
func (run *agentRun) keep(ctx context.Context) error {
	_, err := run.r.Store.UpdateRun(ctx, run.row.ID, func(r *beckon.Run) error {
		*r = run.snapshot()
		return nil
	})
	return err
}

// keepTurn keeps what a turn added, so that a run which outlives it in Beckon's
// death goes on with that.
func (run *agentRun) keepTurn() {
	ctx, cancel := run.shutdown()
	defer cancel()
	logged("keep the run", run.keep(ctx), "run", run.row.ID)
}

// chosen makes what the user chose for a task's run the task's own, so that
// its next run has it. A chat's is the chat's alone.
func (run *agentRun) chosen(ctx context.Context, choose func(*beckon.Task)) error {
	if run.kind() != beckon.TaskRun {
		return nil
	}
	_, err := run.r.Cards.Update(ctx, run.task.ID, func(t *beckon.Task) error { choose(t); return nil })
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
var errNotReady = problem.New(problem.NotReady, fmt.Errorf("the agent is not ready yet; try again in a moment: %w", beckon.ErrConflict))
