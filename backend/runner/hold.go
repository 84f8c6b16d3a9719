package runner

import (
	"context"
	"fmt"

	"beckon/backend/beckon"
)

// errHeld is why nothing can be done with a task that is held.
var errHeld = fmt.Errorf("it is being merged, discarded, archived or deleted; try again when that is done: %w", beckon.ErrConflict)

// Hold keeps a task to its caller until release: meanwhile no agent starts on
// it, nobody moves its card, and no other holds it. It is the one door for
// what git does to a task's work, so that what was checked before git began is
// still true when the card is written. The error is ErrConflict where an agent
// is live or another holds the task.
func (r *Runner) Hold(taskID string) (release func(), err error) {
	r.moving.Lock() // a move that began before is written now; read the card after this
	defer r.moving.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[taskID] != nil {
		return nil, fmt.Errorf("stop its agent first: %w", beckon.ErrConflict)
	}
	if r.held[taskID] {
		return nil, errHeld
	}
	r.held[taskID] = true
	return func() {
		r.mu.Lock()
		delete(r.held, taskID)
		r.mu.Unlock()
		r.wake()
	}, nil
}

// holdAll holds several tasks, or none.
func (r *Runner) holdAll(tasks []beckon.Task) (release func(), err error) {
	releases := make([]func(), 0, len(tasks))
	release = func() {
		for _, one := range releases {
			one()
		}
	}
	for _, t := range tasks {
		one, err := r.Hold(t.ID)
		if err != nil {
			release()
			return nil, fmt.Errorf("%s: %w", t.Key, err)
		}
		releases = append(releases, one)
	}
	return release, nil
}

// take holds a task and returns it as it then is, with its project. Where its
// last run is just ending, it waits for that.
func (r *Runner) take(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error) {
	if t, err = r.Store.Task(ctx, id); err != nil {
		return t, p, nil, err
	}
	if err := r.awaitEnd(ctx, id); err != nil {
		return t, p, nil, err
	}
	if release, err = r.Hold(id); err != nil {
		return t, p, nil, fmt.Errorf("%s: %w", t.Key, err)
	}
	if t, err = r.Store.Task(ctx, id); err == nil {
		p, err = r.Store.Project(ctx, t.ProjectID)
	}
	if err != nil {
		release()
		return t, p, nil, err
	}
	return t, p, release, nil
}

// takeTo takes a task whose card is to go to a column once git is done, if it
// may go there.
func (r *Runner) takeTo(ctx context.Context, id string, to beckon.Status) (t beckon.Task, p beckon.Project, release func(), err error) {
	if t, p, release, err = r.take(ctx, id); err != nil {
		return t, p, nil, err
	}
	if err := new(t).Move(to); err != nil {
		release()
		return t, p, nil, err
	}
	return t, p, release, nil
}

// moveCard changes where a card is, unless the task is held, and returns the
// task run that lives on it where the card was in Running.
func (r *Runner) moveCard(ctx context.Context, id string, change func(*beckon.Task) error) (t beckon.Task, working *live, err error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	if r.isHeld(id) {
		return t, nil, errHeld
	}
	var was beckon.Status
	t, err = r.updateTask(ctx, id, func(t *beckon.Task) error {
		was = t.Status
		return change(t)
	})
	if err != nil || was != beckon.Running {
		return t, nil, err
	}
	if l := r.liveRun(id); l != nil && l.kind() == beckon.TaskRun {
		working = l
	}
	return t, working, nil
}

func (r *Runner) isHeld(taskID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[taskID]
}
