package executor

import (
	"context"
	"fmt"
	"os"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
)

// startIn is how long it may take until an agent elsewhere starts: at first a whole
// repository goes there, and is set up.
const startIn = time.Hour

// lease is how long an agent goes on elsewhere with no Beckon there.
const lease = 24 * time.Hour

// Options returns how claude is started for a run on its executor.
func (e *Executors) Options(ctx context.Context, run beckon.Run) (cli.Options, error) {
	m, err := e.machine(ctx, run.Executor)
	if err != nil {
		return cli.Options{}, err
	}
	return cli.Options{StartIn: startIn, Start: func(ctx context.Context, o cli.Options) (cli.Child, error) {
		return e.start(ctx, m, run, o)
	}}, nil
}

// start takes the work of a task to its executor and starts its agent there.
func (e *Executors) start(ctx context.Context, m *machine, run beckon.Run, o cli.Options) (cli.Child, error) {
	w, err := e.workOf(ctx, m, run.TaskID)
	if err != nil {
		return cli.Child{}, err
	}
	args, err := argsThere(o)
	if err != nil {
		return cli.Child{}, err
	}
	defer e.alone(run.TaskID)()
	var dir string
	err = e.insist(ctx, func() error {
		if err := e.endOthers(ctx, m); err != nil {
			return err
		}
		dir, err = w.Send(ctx)
		return err
	})
	if err != nil {
		return cli.Child{}, err
	}
	name, err := e.begin(run, m)
	if err != nil {
		return cli.Child{}, err
	}
	job := shim.Job{Args: args, Dir: dir, Env: o.Env, LeaseMs: lease.Milliseconds()}
	return e.Start(m.Dial, name, job, func() { e.ended(run) }, func(linked bool) {
		o.OnLink(linked)
		e.linked(m, linked)
	}), nil
}

// argsThere returns the CLI's arguments as they are of use on another machine, where no
// file of this one is.
func argsThere(o cli.Options) ([]string, error) {
	if o.Settings != "" {
		text, err := os.ReadFile(o.Settings)
		if err != nil {
			return nil, err
		}
		o.Settings = string(text)
	}
	return o.Args(), nil
}

// begin notes that a run has an agent elsewhere, and returns its name there.
func (e *Executors) begin(run beckon.Run, m *machine) (string, error) {
	owner, err := e.owner()
	if err == nil {
		err = e.owe(run, m)
	}
	if err != nil {
		return "", err
	}
	m.settling.Lock()
	defer m.settling.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running[run.TaskID] = running{run.ID, m}
	return owner + run.ID, nil
}

// ended notes that a run's agent is gone, or given up.
func (e *Executors) ended(run beckon.Run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running[run.TaskID].run == run.ID {
		delete(e.running, run.TaskID)
	}
}

// endOthers ends the agents that an earlier Beckon left on a machine, or this one in
// vain.
func (e *Executors) endOthers(ctx context.Context, m *machine) error {
	owner, err := e.owner()
	if err != nil {
		return err
	}
	m.settling.Lock()
	defer m.settling.Unlock()
	e.mu.Lock()
	known := calls.Owner{Prefix: owner, Runs: []string{}}
	for _, one := range e.running {
		known.Runs = append(known.Runs, owner+one.run)
	}
	e.mu.Unlock()
	var ended calls.Ended
	if err := m.call(ctx, calls.Runs, known, &ended); err != nil {
		return fmt.Errorf("end what an earlier run left there: %w", err)
	}
	return nil
}
