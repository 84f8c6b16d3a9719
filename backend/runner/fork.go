package runner

import (
	"cmp"
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
	run.CopyOf, run.Session = cmp.Or(run.Session, run.CopyOf), ""
	if run.CopyOf == "" {
		err = fmt.Errorf("nothing was said in a chat on %s yet; open one and say something before you fork it: %w", t.Key, beckon.ErrConflict)
		return beckon.Task{}, problem.New(problem.ForkEmpty, err, "key", t.Key)
	}
	title := "Fork of " + t.Title
	if len(title) > beckon.MaxTitle {
		title = t.Title
	}
	forked, err := r.Cards.CreateTask(ctx, beckon.NewTask{
		ProjectID: p.ID, Title: title, Brief: t.Brief, Labels: t.Labels, Priority: t.Priority,
		Agent: cmp.Or(t.Agent, beckon.ClaudeCode), Model: t.Model, Mode: t.Mode, Policy: t.Policy, WaitMs: t.WaitMs,
	})
	if err != nil {
		return forked, err
	}
	_, err = r.StartChat(ctx, forked, p, run)
	return forked, err
}

// resume sees that the run may go on with its session, or says in the transcript of which
// one it has a copy: two may not write into one. A run that was ended before its first turn
// gave it a session of its own begins with a copy again.
func (run *agentRun) resume(ctx context.Context, copied bool) error {
	if !copied {
		return run.r.Elsewhere(run.snapshot())
	}
	from, err := run.r.Store.SessionOwner(ctx, run.row.CopyOf)
	if err != nil || from == "" {
		return err
	}
	return run.record(transcript.NoticeLine("forked", from))
}
