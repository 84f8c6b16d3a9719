package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Picture returns an image of a transcript's line as a data: URL.
func (h *History) Picture(ctx context.Context, runID string, pos int64, index int) (string, error) {
	if _, err := h.Store.Run(ctx, runID); err != nil {
		return "", err
	}
	log, err := transcript.OpenRead(h.Dir, runID)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("this run has no transcript: %w", beckon.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	defer closeLog(log, runID)
	return transcript.ReadPicture(log, pos, index)
}
