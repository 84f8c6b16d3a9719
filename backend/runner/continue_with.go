package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
)

// ContinueWith has an agent of another kind go on with a task that is at rest, in the
// same worktree and a session of its own. Its first message holds the brief, what was
// asked and answered, where the diff stands, and the words, which may be empty. What the
// earlier agent still waits for is withdrawn: nobody hears that answer any more.
func (r *Runner) ContinueWith(ctx context.Context, id, kind, words string) (beckon.Task, error) {
	t, p, err := r.startable(ctx, id)
	if err == nil {
		err = r.mayContinueWith(ctx, t, p, kind)
	}
	if err != nil {
		return t, err
	}
	text, err := r.queues.HandOver(ctx, t, strings.TrimSpace(words))
	if err != nil {
		return t, err
	}
	m, err := r.queues.Write(ctx, id, beckon.NewMessage{Text: text})
	if err != nil {
		return t, err
	}
	t, err = r.begin(ctx, id, placement{opening: m.ID, agent: &kind, model: p.ModelFor(kind, "")})
	if err != nil { // its author keeps the words and reads why
		err = errors.Join(err, r.Store.RemoveMessage(ctx, m.ID))
	} else {
		err = r.Desk.WithdrawTask(ctx, id, reason.Of(reason.ContinuedWith, "agent", beckon.AgentSays(kind)))
	}
	return t, errors.Join(err, r.queues.PublishQueue(ctx, id))
}

// mayContinueWith returns why an agent of that kind cannot go on with a task.
func (r *Runner) mayContinueWith(ctx context.Context, t beckon.Task, p beckon.Project, kind string) error {
	if r.liveRun(t.ID) != nil {
		return agentWorks(t)
	}
	if kind == t.Agent || t.Worktree == "" {
		err := fmt.Errorf("%s has nothing that %s could take over: %w", t.Key, beckon.AgentSays(kind), beckon.ErrConflict)
		return problem.New(problem.HandOver, err, "key", t.Key, "agent", beckon.AgentSays(kind))
	}
	if err := (placement{}).moveToRunning(&t); err != nil {
		return err
	}
	return r.UsableOn(ctx, kind, t.ExecutorOf(p), false)
}
