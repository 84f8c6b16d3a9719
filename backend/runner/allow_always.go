package runner

import (
	"context"

	"beckon/backend/beckon"
)

// allowAlways gives the project the rules of a permission that the user
// allowed for all its runs: they begin with them.
func (r *Runner) allowAlways(ctx context.Context, q beckon.Question) {
	if q.Answer == nil || !q.Answer.Project || q.Permission == nil {
		return
	}
	t, err := r.Store.Task(ctx, q.TaskID)
	if err == nil {
		err = r.Cards.Allow(ctx, t.ProjectID, q.Permission.Lasting)
	}
	logged("allow for the project", err, "question", q.ID)
}
