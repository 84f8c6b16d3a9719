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
	if l := r.liveRun(taskID); l != nil {
		if b := l.able(); len(b.Models) > 0 {
			return b, nil
		}
	}
	return r.Store.Abilities.Of(ctx, t.ProjectID)
}

// able returns what the agent said that it can do; nothing before it is ready.
func (l *agentRun) able() beckon.Abilities {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.abilities
}

// learn notes what the agent says that it can do.
func (l *agentRun) learn(models []beckon.Model, commands []beckon.Command) {
	b := beckon.Abilities{Models: models, Commands: commands}
	l.mu.Lock()
	l.abilities = b
	l.mu.Unlock()
	l.asks.Go(func() {
		ctx, cancel := l.shutdown()
		defer cancel()
		logged("keep what the agent can do", l.r.Store.Abilities.Save(ctx, l.project.ID, b), "run", l.run.ID)
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
