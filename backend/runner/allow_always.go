package runner

import (
	"context"
	"slices"

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
		err = r.allowInProject(ctx, t.ProjectID, q.Permission.Lasting)
	}
	logged("allow for the project", err, "question", q.ID)
}

func (r *Runner) allowInProject(ctx context.Context, projectID string, rules []string) error {
	p, err := r.Store.UpdateProject(ctx, projectID, func(p *beckon.Project) error {
		p.Allowed = soundRules(p.Allowed)
		for _, rule := range rules {
			if !slices.Contains(p.Allowed, rule) {
				p.Allowed = append(p.Allowed, rule)
			}
		}
		return checkAllowed(p.Allowed)
	})
	if err == nil {
		r.publishProject(ctx, p)
	}
	return err
}
