package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/transfer"
	"beckon/backend/executor/worker"
)

// workOf returns a task's work on a machine.
func (e *Executors) workOf(ctx context.Context, m *machine, taskID string) (w transfer.Work, err error) {
	t, err := e.Task(ctx, taskID)
	if err != nil {
		return w, err
	}
	p, err := e.Project(ctx, t.ProjectID)
	if err != nil {
		return w, err
	}
	owner, err := e.owner()
	if err != nil {
		return w, err
	}
	return transfer.NewWork(transfer.Place{At: m.Worker(taskID), Name: m.row().Name, Owner: owner}, t, p, e.DataDir)
}

// linkIn is how long a link is waited for where a run begins, and where it is over: its
// work comes later otherwise, by itself.
const linkIn = 15 * time.Second

// Bring makes a task's worktree what its agent made of it on an executor. Where there is
// no link it tries again for a while.
func (e *Executors) Bring(ctx context.Context, taskID, executorID string) error {
	m, err := e.machine(ctx, executorID)
	if err != nil {
		return err
	}
	ctx, cancel := e.untilLeft(ctx, m, taskID)
	defer cancel()
	if err = e.bring(ctx, m, taskID); err == nil || isFinal(err) {
		return err
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	e.lookAtMachine(m)
	return reason.Of(reason.WorkStill, "name", m.row().Name).Because(beckon.ReasonOf(err)).Err(err)
}

func (e *Executors) bring(ctx context.Context, m *machine, taskID string) error {
	w, err := e.workOf(ctx, m, taskID)
	if err != nil {
		return err
	}
	err = e.insist(ctx, func() error { return e.bringOnce(ctx, m, w, taskID) })
	if errors.Is(err, worker.ErrGone) {
		e.paid(m, taskID) // nothing is to come any more
		e.rest(ctx, m, taskID)
		words := reason.Of(reason.WorkerGone, "name", m.row().Name).Because(beckon.ReasonOf(err)).Err(err)
		return problem.New(problem.ExecutorGone, words, "name", m.row().Name)
	}
	if err != nil {
		return err
	}
	e.paid(m, taskID)
	e.rest(ctx, m, taskID)
	return nil
}

// rest says to where a task worked that nothing is to come from it any more, unless an
// agent works there again.
func (e *Executors) rest(ctx context.Context, m *machine, taskID string) {
	own, is := m.Worker(taskID).(worker.Own)
	if !is {
		return
	}
	defer e.alone(taskID)()
	if e.works(taskID) {
		return
	}
	if err := own.Rest(ctx); err != nil && ctx.Err() == nil {
		slog.Warn("end where a task worked", "err", err, "executor", m.row().Name, "task", taskID)
	}
}

// works reports whether an agent of a task lives elsewhere.
func (e *Executors) works(taskID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, works := e.running[taskID]
	return works
}

// insist does a step again where its link broke, for a while.
func (e *Executors) insist(ctx context.Context, step func() error) error {
	late := time.Now().Add(linkIn)
	for pause := time.Second / 4; ; pause *= 2 {
		err := step()
		if err == nil || isFinal(err) || time.Now().Add(pause).After(late) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-e.ctx.Done():
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// isFinal reports whether trying again is no use: the other machine said no, or this one.
func isFinal(err error) bool {
	var failed shim.FailedCall
	return errors.As(err, &failed) || errors.Is(err, beckon.ErrConflict) || errors.Is(err, shim.ErrRefused)
}

// errRemoved is why work that was sent is not there.
var errRemoved = reason.Of(reason.FolderRemoved).Err(worker.ErrGone)

func (e *Executors) bringOnce(ctx context.Context, m *machine, w transfer.Work, taskID string) error {
	defer e.alone(taskID)()
	if err := w.Find(ctx); errors.Is(err, worker.ErrEmpty) {
		return nil
	} else if err != nil {
		return err
	}
	err := w.Bring(ctx)
	switch {
	case !errors.Is(err, worker.ErrEmpty):
		return err
	case e.owesSent(m, taskID):
		return errRemoved
	}
	return nil
}

// BringLive does so for a task whose agent works elsewhere at the moment, once. It is
// beckon.ErrUnavailable where the work of a run that is over is still there; else it is
// nothing.
func (e *Executors) BringLive(ctx context.Context, taskID string) error {
	e.mu.Lock()
	one, works := e.running[taskID]
	all := slices.Collect(maps.Values(e.machines))
	e.mu.Unlock()
	if !works {
		for _, m := range all {
			if e.owesSent(m, taskID) {
				return fmt.Errorf("what the agent did is still on %s: %w", m.row().Name, beckon.ErrUnavailable)
			}
		}
		return nil
	}
	w, err := e.workOf(ctx, one.machine, taskID)
	if err != nil {
		return err
	}
	return e.bringOnce(ctx, one.machine, w, taskID)
}

// alone keeps two from moving a task's work at once, until it is called.
func (e *Executors) alone(taskID string) (done func()) {
	e.mu.Lock()
	lock := e.moving[taskID]
	if lock == nil {
		lock = new(semaphore)
		e.moving[taskID] = lock
	}
	lock.wanted++
	e.mu.Unlock()
	lock.Lock()
	return func() {
		lock.Unlock()
		e.mu.Lock()
		defer e.mu.Unlock()
		if lock.wanted--; lock.wanted == 0 {
			delete(e.moving, taskID)
		}
	}
}
