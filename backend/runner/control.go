package runner

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Interrupt ends the turn of a task's live agent, and with it what the turn
// asked; the agent stays. What is first in its queue begins the next turn.
func (r *Runner) Interrupt(ctx context.Context, taskID string) error {
	run, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	if run.process() == nil {
		return errNotReady
	}
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	return run.interrupt(ctx, reason.Of(reason.YouInterrupted))
}

// Stop ends a task's live agent. Its session and work are kept.
func (r *Runner) Stop(_ context.Context, taskID string) error {
	run, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	run.end(beckon.Stopped, reason.Of(reason.YouStopped))
	return nil
}
