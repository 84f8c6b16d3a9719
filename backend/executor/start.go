package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"beckon/backend/agent"
	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/calls"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/transfer"
	"beckon/backend/executor/worker"
)

// startIn is how long it may take until an agent elsewhere starts: at first a whole
// repository goes there, and is set up. A scheduler may have it wait for longer.
const startIn = time.Hour

// noLimit is for a wait that the user ends.
const noLimit = 365 * 24 * time.Hour

// lease is how long an agent goes on elsewhere with no Beckon there.
const lease = 24 * time.Hour

// Options returns how claude is started for a run on its executor. The run is recorded by
// then: who holds the executor later finds it.
func (e *Executors) Options(ctx context.Context, run beckon.Run) (cli.Options, error) {
	if err := e.mayStart(run.Executor); err != nil {
		return cli.Options{}, err
	}
	m, err := e.machine(ctx, run.Executor)
	if err != nil {
		return cli.Options{}, err
	}
	return cli.Options{StartIn: noLimit, Start: func(ctx context.Context, o cli.Options) (cli.Child, error) {
		return e.start(ctx, m, run, o)
	}}, nil
}

// start takes the work of a task to its executor and starts its agent there.
func (e *Executors) start(ctx context.Context, m *machine, run beckon.Run, o cli.Options) (cli.Child, error) {
	ctx, cancel := e.untilLeft(ctx, m, run.TaskID)
	defer cancel()
	if err := m.reach(ctx); err != nil {
		return cli.Child{}, err
	}
	w, err := e.workOf(ctx, m, run.TaskID)
	if err != nil {
		return cli.Child{}, err
	}
	args, err := argsThere(o)
	if err != nil {
		return cli.Child{}, err
	}
	variables, err := e.variables(m.row())
	if err != nil {
		return cli.Child{}, err
	}
	if err := e.fetchOwed(ctx, m, run.TaskID); err != nil {
		return cli.Child{}, err
	}
	if err := e.owe(run, m); err != nil {
		return cli.Child{}, err
	}
	waits := func(w executing.Waits) {
		w.Words = worker.Shown(w.Words)
		o.OnLink(agent.Link{Waits: w})
	}
	dial, job, err := e.send(ctx, m, w, run, waits)
	if err == nil {
		dial.to, err = e.submit(ctx, m, run, dial, waits)
	}
	if err != nil {
		e.giveUp(ctx, m, run)
		return cli.Child{}, err
	}
	job.Args, job.Env = args, o.Env
	own, isOwn := m.Worker(run.TaskID).(worker.Own)
	if isOwn {
		job.Env = append(job.Env, own.Environ()...)
	}
	job.Env = append(job.Env, variables...)
	life := shim.Life{Over: func() { e.ended(run) }, Why: m.why, OnLink: func(linked bool) {
		o.OnLink(agent.Link{Lost: !linked})
		if !isOwn {
			e.linked(m, linked)
		} else if !linked { // the one may be gone, and the others not
			e.lookAtMachine(m)
		}
	}}
	if !isOwn {
		life.Quit, life.Left = e.quit, e.left.Done()
	}
	return e.Start(m.patiently(dial.to), dial.name, job, life), nil
}

// why returns why no more comes of an agent on a machine.
func (m *machine) why(err error) error {
	if errors.Is(err, shim.ErrNone) {
		return reason.Of(reason.AgentGone, "name", m.row().Name).Err(shim.ErrNone)
	}
	return err
}

// fetchOwed brings what an earlier run left where its task has a worker of its own. It
// fails where that is lost: the user is to know it before another begins.
func (e *Executors) fetchOwed(ctx context.Context, m *machine, taskID string) error {
	if _, own := m.Worker(taskID).(worker.Own); !own || !e.owes(m, taskID) {
		return nil
	}
	if err := e.bring(ctx, m, taskID); errors.Is(err, worker.ErrGone) {
		return err
	}
	return nil // else it comes before anything is sent
}

// dialed is where an agent is to start, and under which name.
type dialed struct {
	to   shim.Dial
	name string
}

// send takes a task's work to where its agent is to start. waits hears what it waits for
// meanwhile.
func (e *Executors) send(ctx context.Context, m *machine, w transfer.Work, run beckon.Run, waits func(executing.Waits)) (d dialed, job shim.Job, err error) {
	defer e.alone(run.TaskID)()
	at := m.Worker(run.TaskID)
	if own, is := at.(worker.Own); is {
		if err := own.Open(ctx, worker.Task{Folder: w.Project().Dir, Owed: e.owesOther(m, run)}, waits); err != nil { // it may wait for quota
			return d, job, err
		}
	}
	job = shim.Job{LeaseMs: lease.Milliseconds()}
	job.Dir, err = e.sendWork(ctx, m, w, run.TaskID, waits)
	if err != nil {
		return d, job, err
	}
	if err = e.oweSent(run, m); err != nil {
		return d, job, err
	}
	if d.name, err = e.begin(run, m); err != nil {
		return d, job, err
	}
	d.to = at.Dial
	return d, job, err
}

// sendWork sends a task's work, and returns its folder there. Where the user is asked
// something on the way, that takes as long as it takes.
func (e *Executors) sendWork(ctx context.Context, m *machine, w transfer.Work, taskID string, waits func(executing.Waits)) (dir string, err error) {
	at := m.Worker(taskID)
	step := func(ctx context.Context) error {
		if err := e.endOthers(ctx, m, taskID); err != nil {
			return err
		}
		dir, err = w.Send(ctx)
		if preparing, is := at.(worker.Preparing); is && err == nil {
			err = preparing.Prepare(ctx, dir, waits)
		}
		if err != nil {
			return err
		}
		if err := e.accompany(ctx, w); err != nil {
			return err
		}
		env, err := e.Environ(ctx, taskID)
		if err != nil {
			return err
		}
		return w.SetUp(ctx, env)
	}
	err = m.onceAnswered(ctx, func() error {
		ctx, cancel := context.WithTimeoutCause(ctx, startIn, errSlow)
		defer cancel()
		return e.insist(ctx, func() error { return step(ctx) })
	})
	return dir, err
}

// accompany has the files go along that git ignores and the project names.
func (e *Executors) accompany(ctx context.Context, w transfer.Work) error {
	patterns, err := e.Copied(w.Project())
	if err != nil {
		return err
	}
	return w.Accompany(ctx, patterns)
}

// GoesAlong tells which part of a project goes along to an executor besides its commits, and what
// stays here.
func (e *Executors) GoesAlong(ctx context.Context, projectID string) (executing.Along, error) {
	p, err := e.Project(ctx, projectID)
	if err != nil {
		return executing.Along{}, err
	}
	patterns, err := e.Copied(p)
	if err != nil {
		return executing.Along{}, err
	}
	return transfer.GoesAlong(ctx, p, patterns, e.DataDir)
}

// errSlow is why an agent elsewhere does not start.
var errSlow = fmt.Errorf("its work did not get there within %s: %w", startIn, beckon.ErrUnavailable)

// submit has an agent wait until a scheduler starts it, where there is one, and returns
// where it starts. Its task's work may be moved meanwhile.
func (e *Executors) submit(ctx context.Context, m *machine, run beckon.Run, d dialed, waits func(executing.Waits)) (shim.Dial, error) {
	batch, is := m.Worker(run.TaskID).(worker.Batch)
	if !is {
		return d.to, nil
	}
	to, err := batch.Submit(ctx, d.name, waits)
	if err != nil {
		e.ended(run)
	}
	return to, err
}

// giveUpIn is how long it may take to end what was made for a run in vain.
const giveUpIn = time.Minute

// giveUp ends what was made for a run that does not start, or leaves that to the next look.
func (e *Executors) giveUp(ctx context.Context, m *machine, run beckon.Run) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUpIn)
	defer cancel()
	switch at := m.Worker(run.TaskID).(type) {
	case worker.Batch:
		e.lookAtMachine(m) // its job may have begun
		return
	case worker.Own:
		if e.owesOther(m, run) {
			e.lookAtMachine(m) // it has an earlier run's work, which could not come
			return
		}
		if err := at.Rest(ctx); err != nil {
			slog.Warn("end where a task was to work", "err", err, "executor", m.row().Name, "task", run.TaskID)
			e.lookAtMachine(m)
			return
		}
	}
	_ = os.Remove(e.owedFile(m, run.ID)) // a look pays it otherwise
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

// endOthers ends the agents that an earlier Beckon left where a task works, or this one in
// vain. Several tasks may do so at once: what one of them begins meanwhile waits, and is
// known to the next.
func (e *Executors) endOthers(ctx context.Context, m *machine, taskID string) error {
	owner, err := e.owner()
	if err != nil {
		return err
	}
	m.settling.RLock()
	defer m.settling.RUnlock()
	e.mu.Lock()
	known := calls.Owner{Prefix: owner, Runs: []string{}}
	for _, one := range e.running {
		known.Runs = append(known.Runs, owner+one.run)
	}
	e.mu.Unlock()
	at := m.Worker(taskID)
	var err2 error
	if batch, is := at.(worker.Batch); is {
		err2 = batch.EndOthers(ctx, known.Prefix, known.Runs)
	} else {
		err2 = worker.Call(ctx, at, m.row().Name, calls.Runs, known, &calls.Ended{})
	}
	if err2 != nil {
		return fmt.Errorf("end what an earlier run left there: %w", err2)
	}
	return nil
}
