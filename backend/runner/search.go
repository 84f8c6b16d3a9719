package runner

import (
	"context"

	"beckon/backend/beckon"
)

// Landmarks returns the places of a task's transcript worth jumping to.
func (r *Runner) Landmarks(_ context.Context, _ string) ([]beckon.Landmark, error) {
	return nil, beckon.ErrUnavailable
}

// Search finds entries of all transcripts, newest first.
func (r *Runner) Search(_ context.Context, _ beckon.SearchQuery) (beckon.SearchPage, error) {
	return beckon.SearchPage{}, beckon.ErrUnavailable
}

// Picture returns an image of a transcript's line as a data: URL.
func (r *Runner) Picture(_ context.Context, _ string, _ int64, _ int) (string, error) {
	return "", beckon.ErrUnavailable
}

// ExportRun writes a run's transcript to a new file and returns its path.
func (r *Runner) ExportRun(_ context.Context, _ string, _ beckon.ExportFormat) (string, error) {
	return "", beckon.ErrUnavailable
}
