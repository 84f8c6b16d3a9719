package runner

import (
	"context"

	"beckon/backend/beckon"
)

// Usable returns why claude cannot be used on this machine, if so. It waits while
// claude has not said its version.
func (r *Runner) Usable(ctx context.Context) error { return r.Agents.Usable(ctx, r.ctx, "", "") }

// About completes what the program knows of itself by the claude of this machine.
func (r *Runner) About(ctx context.Context, a beckon.About) beckon.About {
	return r.Agents.About(ctx, r.ctx, a)
}

// UsableOn returns why an agent of a kind cannot be used on an executor, if so. The queue
// must have seen that: a person who starts a task hears from its run.
func (r *Runner) UsableOn(ctx context.Context, kind, executorID string, seen bool) error {
	if kind == "" && executorID != "" {
		return r.Executors.Ready(ctx, executorID, seen)
	}
	return r.Agents.Usable(ctx, r.ctx, kind, executorID)
}
