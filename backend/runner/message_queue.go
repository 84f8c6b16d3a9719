package runner

import (
	"context"
	"errors"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/runner/outbox"
)

// newQueues returns the queues of messages to the runner's agents.
func (r *Runner) newQueues() *outbox.Queues {
	return outbox.NewQueues(outbox.Config{
		Store: r.Store, Publish: r.Publish, Of: r.outboxOf, Images: r.images,
		Heard: r.Desk.Heard, Dir: r.transcriptDir(),
		Record: func(run beckon.Run) (agent.Record, error) { return r.Agents.Record(run) },
		Insist: func(what, runID string, step func(context.Context) error) {
			r.disk.Insist(what, runID, step)
		},
	})
}

// outboxOf returns the outbox of a task's live run, or nil.
func (r *Runner) outboxOf(taskID string) *outbox.Outbox {
	if run := r.liveRun(taskID); run != nil {
		return run.out
	}
	return nil
}

// SendMessage tells a task's agent something; see outbox.Queues.Send. Where the task's budget
// is used up, it waits until that is raised.
func (r *Runner) SendMessage(ctx context.Context, taskID string, n beckon.NewMessage) (beckon.Message, error) {
	if r.liveRun(taskID) != nil && r.Afford(ctx, taskID) != nil {
		m, err := r.queues.Write(ctx, taskID, n)
		return m, errors.Join(err, r.queues.PublishQueue(ctx, taskID))
	}
	return r.queues.Send(ctx, taskID, n)
}

// EditMessage replaces the text and images of a message that the agent has
// not taken.
func (r *Runner) EditMessage(ctx context.Context, id string, n beckon.NewMessage) (beckon.Message, error) {
	return r.queues.Edit(ctx, id, n)
}

// RemoveMessage takes back a message that the agent has not taken.
func (r *Runner) RemoveMessage(ctx context.Context, id string) error { return r.queues.Remove(ctx, id) }

// MoveMessage puts a queued message at a place of its queue, 0 for the first.
func (r *Runner) MoveMessage(ctx context.Context, id string, to int) error {
	return r.queues.Move(ctx, id, to)
}
