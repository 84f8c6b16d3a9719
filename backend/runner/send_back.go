package runner

import (
	"context"
	"errors"
	"strings"

	"beckon/backend/beckon"
)

// SendBack resumes a task's session with a comment on its work. The comment is
// a message in the queue before anything begins, so that it outlives an agent
// that does not come up, and Beckon.
func (r *Runner) SendBack(ctx context.Context, id string, comment beckon.NewMessage) (beckon.Task, error) {
	comment.Text = strings.TrimSpace(comment.Text)
	if comment.Text == "" || len(comment.Text) > beckon.MaxBrief {
		return beckon.Task{}, beckon.Invalid("a comment has 1 to %d bytes", beckon.MaxBrief)
	}
	t, _, err := r.startable(ctx, id)
	if err == nil && r.liveRun(id) != nil {
		err = agentWorks(t)
	}
	if err == nil {
		err = placement{}.moveToRunning(new(t))
	}
	if err != nil {
		return t, err
	}
	m, err := r.queues.Write(ctx, id, comment)
	if err != nil {
		return t, err
	}
	t, err = r.begin(ctx, id, placement{opening: m.ID})
	if err != nil { // its author keeps it and reads why
		err = errors.Join(err, r.Store.RemoveMessage(ctx, m.ID))
	}
	return t, errors.Join(err, r.queues.PublishQueue(ctx, id))
}
