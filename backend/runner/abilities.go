package runner

import (
	"context"
	"slices"

	"beckon/backend/agent/claude"
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
func (l *agentRun) learn(models []claude.Model, commands []claude.Command) {
	b := beckon.Abilities{Models: []beckon.Model{}, Commands: []beckon.Command{}}
	for _, m := range models {
		b.Models = append(b.Models, beckon.Model{
			Value: m.Value, Resolved: m.ResolvedModel, Name: m.DisplayName, Description: m.Description,
			Efforts: beckon.NonNil(m.EffortLevels), Auto: m.SupportsAuto,
		})
	}
	l.learnCommands(b, commands)
}

// learnCommands notes which commands there are, beside what else is known.
func (l *agentRun) learnCommands(b beckon.Abilities, commands []claude.Command) {
	b.Commands = make([]beckon.Command, 0, len(commands))
	for _, c := range commands {
		b.Commands = append(b.Commands, beckon.Command{Name: c.Name, Description: c.Description, Hint: c.ArgumentHint})
	}
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
