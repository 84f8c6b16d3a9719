package runner

import (
	"context"

	"beckon/backend/beckon"
)

// Interrupt ends the turn of a task's live agent, and with it what the turn
// asked; the agent stays. What is first in its queue begins the next turn.
func (r *Runner) Interrupt(ctx context.Context, taskID string) error {
	l, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	if l.process() == nil {
		return errNotReady
	}
	ctx, cancel := context.WithTimeout(ctx, interruptIn)
	defer cancel()
	return l.interrupt(ctx, "You interrupted the turn.")
}

// Stop ends a task's live agent. Its session and work are kept.
func (r *Runner) Stop(_ context.Context, taskID string) error {
	l, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	l.end(beckon.Stopped, "You stopped it.")
	return nil
}
