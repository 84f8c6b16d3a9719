package runner

import (
	"context"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/transcript"
)

// Fork makes a task whose chat goes on from where this one's is, and opens it.
// The chat that it comes from may live and is not touched.
func (r *Runner) Fork(ctx context.Context, taskID string) (beckon.Task, error) {
	t, p, err := r.startable(ctx, taskID)
	if err != nil {
		return beckon.Task{}, err
	}
	run := beckon.Run{Kind: beckon.ChatRun}
	if err := r.inherit(ctx, t.ID, &run); err != nil {
		return beckon.Task{}, err
	}
	if run.Session == "" {
		err = fmt.Errorf("nothing was said in a chat on %s yet; open one and say something before you fork it: %w", t.Key, beckon.ErrConflict)
		return beckon.Task{}, problem.Of(problem.ForkEmpty, err, "key", t.Key)
	}
	title := "Fork of " + t.Title
	if len(title) > beckon.MaxTitle {
		title = t.Title
	}
	forked, err := r.Cards.CreateTask(ctx, beckon.NewTask{
		ProjectID: p.ID, Title: title, Brief: t.Brief, Labels: t.Labels, Priority: t.Priority,
		Model: t.Model, Mode: t.Mode, Policy: t.Policy, WaitMs: t.WaitMs,
	})
	if err != nil {
		return forked, err
	}
	_, err = r.startChat(ctx, forked, p, run)
	return forked, err
}

// forks reports whether a run goes on with a session that is another task's, by
// a copy of its own: two may not write into one. Its row has the other's until
// its first turn gives it its own, so that it forks again where it was ended
// before that.
func (l *agentRun) forks(ctx context.Context) (bool, error) {
	owner, err := l.r.Store.SessionOwner(ctx, l.run.Session)
	if err != nil || owner == "" || owner == l.task.ID {
		return false, err
	}
	from, err := l.r.Store.Task(ctx, owner)
	if err != nil {
		return false, err
	}
	return true, l.record(transcript.NoticeLine("forked", from.Key))
}
