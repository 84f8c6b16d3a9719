package transcript

import (
	"time"

	"beckon/backend/transcript/runlog"
)

// Log is a run's raw lines on disk, and Line one of them.
type (
	Log  = runlog.Log
	Line = runlog.Line
)

// Dir is where a data folder has its transcripts.
func Dir(data string) string { return runlog.Dir(data) }

// Open opens the log of a run in dir for appending, and creates both if need
// be.
func Open(dir, runID string) (*Log, error) { return runlog.Open(dir, runID, totals) }

// OpenRead opens an existing log for reading. A run that never wrote has none:
// fs.ErrNotExist.
func OpenRead(dir, runID string) (*Log, error) { return runlog.OpenRead(dir, runID, totals) }

// Remove deletes the log of a run; one that is not there is gone already.
func Remove(dir, runID string) error { return runlog.Remove(dir, runID) }

// SetAside renames the log of a run that cannot be read, so that the run has
// none, and returns its new path.
func SetAside(dir, runID string) (aside string, err error) { return runlog.SetAside(dir, runID) }

// Sweep removes the logs in dir of runs that nobody knows, once they were not
// written to for age.
func Sweep(dir string, known map[string]bool, age time.Duration) error {
	return runlog.Sweep(dir, known, age)
}
