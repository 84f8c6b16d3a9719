package runner

import (
	"context"
	"errors"

	"beckon/backend/beckon"
)

// publishTask tells the clients of a task that was changed. Between a commit
// and its publication another writer may commit and publish: so what is
// published is the row as it then is, and the clients keep the newest.
func (r *Runner) publishTask(ctx context.Context, t beckon.Task) {
	r.publishing.Lock()
	defer r.publishing.Unlock()
	if newest(ctx, r.Store.Task, t.ID, &t) {
		r.Publish(beckon.Event{Task: &t})
	}
}

// publishProject is publishTask for a project.
func (r *Runner) publishProject(ctx context.Context, p beckon.Project) {
	r.publishing.Lock()
	defer r.publishing.Unlock()
	if newest(ctx, r.Store.Project, p.ID, &p) {
		r.Publish(beckon.Event{Project: &p})
	}
}

// publishGone tells the clients of what was removed, after whatever was still
// said of it.
func (r *Runner) publishGone(id string) {
	r.publishing.Lock()
	defer r.publishing.Unlock()
	r.Publish(beckon.Event{Gone: id})
}

// newest brings a row up to date, and reports whether it is still there. A row
// that cannot be read stays as it was committed.
func newest[T any](ctx context.Context, read func(context.Context, string) (T, error), id string, row *T) bool {
	now, err := read(context.WithoutCancel(ctx), id)
	if err == nil {
		*row = now
	}
	return !errors.Is(err, beckon.ErrNotFound)
}
