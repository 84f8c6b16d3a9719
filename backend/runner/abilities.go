package runner

import (
	"context"
	"slices"

	"beckon/backend/beckon"
)

// Abilities tells what a task's agent can do; of one that does not live, what
// the project's newest agent could.
func (r *Runner) Abilities(ctx context.Context, taskID string) (beckon.Abilities, error) {
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return beckon.Abilities{}, err
	}
	if run := r.liveRun(taskID); run != nil {
		if b := run.able(); len(b.Models) > 0 || t.Agent != "" {
			return b, nil
		}
	}
	if t.Agent != "" { // which says it at each start
		return beckon.Abilities{Models: []beckon.Model{}, Commands: []beckon.Command{}}, nil
	}
	return r.Store.Abilities.Of(ctx, t.ProjectID)
}

// able returns what the agent said that it can do; nothing before it is ready.
func (run *agentRun) able() beckon.Abilities {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.abilities
}

// learn notes what the agent says that it can do.
func (run *agentRun) learn(models []beckon.Model, commands []beckon.Command) {
	b := beckon.Abilities{Models: models, Commands: commands}
	run.mu.Lock()
	run.abilities = b
	run.mu.Unlock()
	if run.row.Agent != "" { // what is kept is Claude's
		return
	}
	run.asks.Go(func() {
		ctx, cancel := run.shutdown()
		defer cancel()
		logged("keep what the agent can do", run.r.Store.Abilities.Save(ctx, run.project.ID, b), "run", run.row.ID)
	})
}

// model returns what is known of a model, by the value that chooses it or the
// name that it goes by in a run; "" is the default.
func model(known beckon.Abilities, name string) (beckon.Model, bool) {
	if name == "" {
		name = "default"
	}
	for _, same := range []func(beckon.Model) bool{
		func(m beckon.Model) bool { return m.Value == name },
		func(m beckon.Model) bool { return m.Resolved == name },
	} {
		if i := slices.IndexFunc(known.Models, same); i >= 0 {
			return known.Models[i], true
		}
	}
	return beckon.Model{}, false
}
