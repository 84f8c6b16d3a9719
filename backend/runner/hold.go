package runner

import (
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// errHeld is why nothing can be done with a task that is held.
var errHeld = problem.New(problem.Held, fmt.Errorf("it is being merged, discarded, archived or deleted; try again when that is done: %w", beckon.ErrConflict))

// Hold keeps agents away from a task until release: the board has git work on
// what they left. The error is ErrConflict where an agent lives on it or another
// holds it.
func (r *Runner) Hold(taskID string) (release func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[taskID] != nil {
		return nil, problem.New(problem.AgentFirst, fmt.Errorf("stop its agent first: %w", beckon.ErrConflict))
	}
	if r.held[taskID] {
		return nil, errHeld
	}
	r.held[taskID] = true
	return func() {
		r.mu.Lock()
		delete(r.held, taskID)
		r.mu.Unlock()
		r.Wake()
	}, nil
}

// Held returns an error for the user while a task is held.
func (r *Runner) Held(taskID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[taskID] {
		return errHeld
	}
	return nil
}

// Live returns the kind of the run that lives on a task.
func (r *Runner) Live(taskID string) (kind beckon.RunKind, live bool) {
	if run := r.liveRun(taskID); run != nil {
		return run.kind(), true
	}
	return "", false
}

// Works reports whether a task run lives on a task and is not ending.
func (r *Runner) Works(taskID string) bool {
	run := r.liveRun(taskID)
	return run != nil && run.kind() == beckon.TaskRun && !run.ending()
}

// EndTaskRun has a task's live task run end as stopped. It returns at once.
func (r *Runner) EndTaskRun(taskID string, why *reason.Reason) {
	if run := r.liveRun(taskID); run != nil && run.kind() == beckon.TaskRun {
		run.end(beckon.Stopped, why)
	}
}
