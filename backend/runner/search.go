package runner

import (
	"context"

	"beckon/backend/beckon"
)

// Picture returns an image of a transcript's line as a data: URL.
func (r *Runner) Picture(_ context.Context, _ string, _ int64, _ int) (string, error) {
	return "", beckon.ErrUnavailable
}

// ExportRun writes a run's transcript to a new file and returns its path.
func (r *Runner) ExportRun(_ context.Context, _ string, _ beckon.ExportFormat) (string, error) {
	return "", beckon.ErrUnavailable
}
