package runner

import (
	"context"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// chatThinking is the thinking budget of chats, in tokens.
const chatThinking = "MAX_THINKING_TOKENS=20000"

// StartInteractive opens a chat on a task: claude in the project's folder,
// seeded with the title and the brief. The card does not move. An earlier chat
// of the task is continued.
func (r *Runner) StartInteractive(ctx context.Context, taskID string) (beckon.Run, error) {
	t, p, err := r.startable(ctx, taskID)
	if err != nil {
		return beckon.Run{}, err
	}
	session, err := r.lastChat(ctx, taskID)
	if err != nil {
		return beckon.Run{}, err
	}
	run := beckon.Run{
		ID: beckon.NewID(), TaskID: t.ID, Kind: beckon.ChatRun, Phase: beckon.Starting,
		Session: session, Model: t.Model, Mode: p.Mode, Started: beckon.Now(),
	}
	l, err := r.reserve(t, p, run)
	if err != nil {
		return run, err
	}
	if err := r.Store.AddRun(ctx, &l.run); err != nil {
		r.release(l)
		return run, err
	}
	run = l.publish()
	r.wg.Go(func() { l.work("") })
	return run, nil
}

// lastChat returns the session of a task's newest chat, or "".
func (r *Runner) lastChat(ctx context.Context, taskID string) (string, error) {
	runs, err := r.Store.Runs(ctx, taskID)
	session := ""
	for _, run := range runs {
		if run.Kind == beckon.ChatRun && run.Session != "" {
			session = run.Session
		}
	}
	return session, err
}

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
