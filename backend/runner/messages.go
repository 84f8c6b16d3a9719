package runner

import (
	"context"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// SendMessage tells a task's live agent something. In a turn it reaches the
// agent at the next tool boundary, else it begins a turn.
func (r *Runner) SendMessage(_ context.Context, taskID, text string) error {
	if strings.TrimSpace(text) == "" || len(text) > beckon.MaxBrief {
		return invalid("a message has 1 to %d bytes", beckon.MaxBrief)
	}
	l, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	return l.say(text)
}

// Interrupt ends the turn of a task's live agent, and with it what the turn
// asked; the agent stays.
func (r *Runner) Interrupt(ctx context.Context, taskID string) error {
	l, err := r.mustLive(taskID)
	if err != nil {
		return err
	}
	p := l.process()
	if p == nil {
		return fmt.Errorf("the agent is not ready yet: %w", beckon.ErrConflict)
	}
	if err := r.Desk.WithdrawAll(ctx, l.run.ID, "You interrupted the turn."); err != nil {
		return err
	}
	return p.Interrupt(ctx)
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
