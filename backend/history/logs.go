package history

import (
	"context"
	"log/slog"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// orphanAge is how long the log of a run that no row knows is kept. It is long
// because the database may be a copy that was put back, older than the log.
const orphanAge = 30 * 24 * time.Hour

// Remove removes the transcripts of runs whose rows are gone.
func (h *History) Remove(runs []beckon.Run) {
	for _, run := range runs {
		if err := transcript.Remove(h.Dir, run.ID); err != nil {
			slog.Error("remove a transcript", "err", err, "run", run.ID)
		}
	}
}

// Sweep removes the transcripts that a removal left behind which was
// interrupted. A database without any run is new beside them and knows
// nothing, so it removes nothing.
func (h *History) Sweep(ctx context.Context) error {
	known, err := h.Store.RunIDs(ctx)
	if err != nil || len(known) == 0 {
		return err
	}
	return transcript.Sweep(h.Dir, known, orphanAge)
}
