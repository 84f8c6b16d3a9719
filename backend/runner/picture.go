package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Picture returns an image of a transcript's line as a data: URL.
func (r *Runner) Picture(ctx context.Context, runID string, pos int64, index int) (string, error) {
	if _, err := r.Store.Run(ctx, runID); err != nil {
		return "", err
	}
	log, err := transcript.OpenRead(r.transcriptDir(), runID)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("this run has no transcript: %w", beckon.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	defer func() { logged("close a transcript", log.Close(), "run", runID) }()
	return transcript.ReadPicture(log, pos, index)
}
