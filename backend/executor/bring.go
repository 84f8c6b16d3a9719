package executor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/executor/shim"
	"beckon/backend/executor/transfer"
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
	return transfer.Of(m, m.row.Name, t, p, e.DataDir)
}

// Bring makes a task's worktree what its agent made of it on an executor. Where there is
// no link it tries again, as long as ctx lives.
func (e *Executors) Bring(ctx context.Context, taskID, executorID string) error {
	m, err := e.machine(ctx, executorID)
	if err != nil {
		return err
	}
	w, err := e.workOf(ctx, m, taskID)
	if err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := e.bringOnce(ctx, w, taskID)
		var failed shim.FailedCall
		if err == nil || ctx.Err() != nil || errors.As(err, &failed) || errors.Is(err, beckon.ErrConflict) {
			if err == nil {
				e.paid(m, taskID)
			}
			return err
		}
		select {
		case <-time.After(pause):
		case <-e.ctx.Done():
			return fmt.Errorf("what the agent did on %s comes at the next start: %w", m.row.Name, err)
		case <-ctx.Done():
			return fmt.Errorf("what the agent did is still on %s, and comes when it can be reached: %w", m.row.Name, err)
		}
	}
}

func (e *Executors) bringOnce(ctx context.Context, w transfer.Work, taskID string) error {
	defer e.alone(taskID)()
	return w.Bring(ctx)
}

// BringLive does so for a task whose agent works elsewhere at the moment, once; else it is
// nothing.
func (e *Executors) BringLive(ctx context.Context, taskID string) error {
	e.mu.Lock()
	one, works := e.running[taskID]
	e.mu.Unlock()
	if !works {
		return nil
	}
	w, err := e.workOf(ctx, one.machine, taskID)
	if err != nil {
		return err
	}
	return e.bringOnce(ctx, w, taskID)
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
