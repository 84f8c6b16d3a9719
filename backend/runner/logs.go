package runner

import (
	"context"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// orphanAge is how long the log of a run that no row knows is kept. It is long
// because the database may be a copy that was put back, older than the log.
const orphanAge = 30 * 24 * time.Hour

// removeLogs removes the transcripts of runs whose rows are gone.
func (r *Runner) removeLogs(runs []beckon.Run) {
	for _, run := range runs {
		logged("remove a transcript", transcript.Remove(r.transcriptDir(), run.ID), "run", run.ID)
	}
}

// sweepLogs removes the transcripts that a removal left behind which was
// interrupted. A database without any run is new beside them and knows
// nothing, so it removes nothing.
func (r *Runner) sweepLogs(ctx context.Context) error {
	known, err := r.Store.RunIDs(ctx)
	if err != nil || len(known) == 0 {
		return err
	}
	return transcript.Sweep(r.transcriptDir(), known, orphanAge)
}
