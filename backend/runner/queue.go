package runner

import (
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
)

// queue starts queued tasks in their order while slots are free. It looks
// whenever it is woken: a task was queued, a run ended, the slots changed.
func (r *Runner) queue() {
	for range r.kick {
		for r.startNext(r.ctx) {
		}
	}
}

// startNext starts the next queued task and tells whether to try another.
func (r *Runner) startNext(ctx context.Context) bool {
	settings, err := r.Store.Settings(ctx)
	if err != nil || r.taskRuns() >= settings.Slots {
		logged("read settings", err)
		return false
	}
	t, ok, err := r.Store.NextQueued(ctx)
	if err != nil || !ok {
		logged("find the next queued task", err)
		return false
	}
	if r.liveRun(t.ID) != nil {
		return false // its last run is still ending, and wakes the queue then
	}
	_, err = r.begin(ctx, t.ID, "")
	switch {
	case err == nil:
		return true
	case errors.Is(err, beckon.ErrUnavailable):
		_, err = r.updateTask(ctx, t.ID, func(t *beckon.Task) error { t.Trouble = err.Error(); return nil })
		logged("note trouble", err, "task", t.ID)
		return false // no other task would fare better
	case errors.Is(err, errClosing):
		return false
	default:
		_, err = r.updateTask(ctx, t.ID, func(t *beckon.Task) error {
			t.Trouble, t.Rank = err.Error(), last()
			return t.Move(beckon.Backlog)
		})
		logged("put back a task that can not start", err, "task", t.ID)
		return err == nil
	}
}

// taskRuns counts the live task runs: what slots are for.
func (r *Runner) taskRuns() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, l := range r.live {
		if l.run.Kind == beckon.TaskRun {
			n++
		}
	}
	return n
}

// begin starts a task's run in its worktree and moves the task to running.
// opening is what the agent is told first; empty for the brief, or to carry
// on where a session exists.
func (r *Runner) begin(ctx context.Context, taskID, opening string) (beckon.Task, error) {
	t, p, err := r.startable(ctx, taskID)
	if err != nil {
		return t, err
	}
	run := beckon.Run{
		ID: beckon.NewID(), TaskID: t.ID, Kind: beckon.TaskRun, Phase: beckon.Starting,
		Session: t.Session, Model: t.Model, Mode: t.Mode, Started: beckon.Now(),
	}
	if run.Session != "" {
		if err := r.inherit(ctx, t.ID, &run); err != nil {
			return t, err
		}
	}
	l, err := r.reserve(t, p, run)
	if err != nil {
		return t, err
	}
	if err := r.Store.AddRun(ctx, &l.run); err != nil {
		r.release(l)
		return t, err
	}
	t, err = r.updateTask(ctx, t.ID, func(t *beckon.Task) error {
		t.Trouble = ""
		return t.Move(beckon.Running)
	})
	if err != nil {
		l.abandon(ctx, err)
		return t, err
	}
	l.task = t
	l.publish()
	r.wg.Go(func() { l.work(opening) })
	return t, nil
}

// startable returns a task and its project, or why no agent may start there.
func (r *Runner) startable(ctx context.Context, taskID string) (beckon.Task, beckon.Project, error) {
	t, err := r.Store.Task(ctx, taskID)
	if err != nil {
		return t, beckon.Project{}, err
	}
	p, err := r.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return t, p, err
	}
	if err := r.runnable(p); err != nil {
		return t, p, err
	}
	return t, p, r.awaitEnd(ctx, taskID)
}

// runnable returns why no agent can work in a project at present, if so.
func (r *Runner) runnable(p beckon.Project) error {
	if err := trusted(p); err != nil {
		return err
	}
	_, err := r.Claude()
	return err
}

// trusted returns why no agent may work in a project, if so.
func trusted(p beckon.Project) error {
	if p.Trusted {
		return nil
	}
	return fmt.Errorf("trust %s before an agent works there: what the folder brings along could run: %w", p.Name, beckon.ErrUntrusted)
}

// awaitEnd waits for the end of a run that is ending already, so that who
// stops an agent can begin another at once.
func (r *Runner) awaitEnd(ctx context.Context, taskID string) error {
	l := r.liveRun(taskID)
	if l == nil || !l.ending() {
		return nil
	}
	select {
	case <-l.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *live) ending() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outcome != "" || l.facts.Exited
}

// errClosing is why no run begins while Beckon ends.
var errClosing = fmt.Errorf("Beckon is closing: %w", beckon.ErrConflict)

// reserve makes the task's place among the live runs, so that a second start
// finds it taken.
func (r *Runner) reserve(t beckon.Task, p beckon.Project, run beckon.Run) (*live, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosing
	}
	if r.live[t.ID] != nil {
		return nil, fmt.Errorf("an agent works on %s already: %w", t.Key, beckon.ErrConflict)
	}
	l := newLive(r, t, p, run)
	r.live[t.ID] = l
	r.wg.Add(1) // Close waits from here on, and for its goroutine, which begins later
	return l, nil
}

// release gives the task's place back.
func (r *Runner) release(l *live) {
	r.mu.Lock()
	if r.live[l.task.ID] == l {
		delete(r.live, l.task.ID)
		close(l.ended)
		r.wg.Done()
	}
	r.mu.Unlock()
	r.wake()
}
