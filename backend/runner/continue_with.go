package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/answer"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/plain"
	"beckon/backend/runner/outbox"
)

// How much the next agent gets of what an earlier one asked: the newest questions, and
// bytes of each.
const (
	mostHandedOver = 50
	maxHandedOver  = 2000
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
	text, err := r.handOver(ctx, t, strings.TrimSpace(words))
	if err != nil {
		return t, err
	}
	m, err := r.queues.Write(ctx, id, beckon.NewMessage{Text: text})
	if err != nil {
		return t, err
	}
	t, err = r.begin(ctx, id, placement{opening: m.ID, agent: &kind})
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

// handOver is what the next agent gets behind the brief.
func (r *Runner) handOver(ctx context.Context, t beckon.Task, words string) (string, error) {
	asked, err := r.askedBefore(ctx, t.ID)
	if err != nil {
		return "", err
	}
	parts := []string{
		beckon.AgentSays(t.Agent) + " worked on this task until now, and you take it over. " +
			"Look at what there is before you change it.",
		whereItStands(t),
	}
	if len(asked) > 0 {
		parts = append(parts, "What was asked so far:\n\n"+strings.Join(asked, "\n\n"))
	}
	parts = append(parts, cmp.Or(words, "Carry on with the task from there."))
	return strings.Join(parts, "\n\n"), nil
}

// whereItStands says what a task's worktree holds.
func whereItStands(t beckon.Task) string {
	c := t.Changes
	if t.Branch == "" {
		return "You are in the project's folder, which has no git."
	}
	return fmt.Sprintf("You are in the task's worktree, on branch %s, which began at commit %s of %s. "+
		"Its own commits by now: %d. Files that differ from there: %d (+%d −%d lines).",
		t.Branch, t.BaseCommit, t.Base, c.Commits, c.Files, c.Added, c.Removed)
}

// askedBefore returns the questions of a task with their answers, the oldest first.
// Answers that no agent has heard are not among them: the next run begins with those.
// Permissions are not either: the next agent asks for its own.
func (r *Runner) askedBefore(ctx context.Context, taskID string) ([]string, error) {
	owing, err := r.queues.Owing(ctx, taskID, beckon.TaskRun)
	if err != nil {
		return nil, err
	}
	all, err := r.Store.Questions(ctx, taskID)
	said := []string{}
	for _, q := range all {
		owed := slices.ContainsFunc(owing, func(o outbox.Owed) bool { return o.ID == q.ID })
		if q.Kind != beckon.Permission && !owed && q.Settlement != beckon.Withdrawn {
			said = append(said, plain.Cut(answer.HandedOver(q), maxHandedOver))
		}
	}
	return said[max(0, len(said)-mostHandedOver):], err
}
