package datadir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/plain"
)

// endsSize is the room that is taken in advance for the ends of runs, and
// reasonKept how much of a run's reason goes there.
const (
	endsSize   = 64 << 10
	reasonKept = 500
)

// Ends is a file that has its room from the beginning, so that on a full disk
// it can still be written how runs ended: a Beckon that starts again reads
// there what it died before it had in the database. It holds one JSON line per run, and
// zeros behind them.
type Ends struct {
	mu   sync.Mutex
	file *os.File // nil where there was no room for it
	kept map[string]beckon.Run
}

// OpenEnds opens the file, and makes it where there is none.
func OpenEnds(dir string) (*Ends, error) {
	f, err := os.OpenFile(filepath.Join(dir, "ends"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	e := &Ends{file: f, kept: map[string]beckon.Run{}}
	text := make([]byte, endsSize)
	n, _ := f.ReadAt(text, 0) // of a shorter one, what there is
	for line := range bytes.Lines(bytes.TrimRight(text[:n], "\x00")) {
		if run, err := readEnd(line); err == nil { // the last may be cut short by a crash
			e.kept[run.ID] = run
		}
	}
	if n == endsSize {
		return e, nil
	}
	if err := errors.Join(e.write(), f.Sync()); err != nil {
		f.Close()
		return &Ends{kept: e.kept}, nil //nolint:nilerr // A full disk is no reason not to start.
	}
	return e, nil
}

// readEnd reads a line. Up to version 0.9 of Beckon its reason is a sentence.
func readEnd(line []byte) (beckon.Run, error) {
	var kept struct {
		beckon.Run
		Sentence string `json:"reason"`
	}
	err := json.Unmarshal(line, &kept)
	if kept.Run.Reason == nil {
		kept.Run.Reason = reason.Said(kept.Sentence)
	}
	return kept.Run, err
}

// write brings the file to what is kept, in place. The caller holds mu.
func (e *Ends) write() error {
	text := make([]byte, 0, endsSize)
	for _, run := range e.kept {
		line, err := json.Marshal(run)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if len(text) > endsSize {
		return fmt.Errorf("the ends of %d runs do not fit: %w", len(e.kept), beckon.ErrDiskFull)
	}
	_, err := e.file.WriteAt(text[:endsSize], 0)
	return err
}

// KeepEnd keeps how a run ended outside the database, which may have no room.
func (e *Ends) KeepEnd(run beckon.Run) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	run.Detail = ""
	run.Reason = run.Reason.Map(func(text string) string { return plain.Cut(text, reasonKept) })
	e.kept[run.ID] = run
	if e.file == nil {
		return fmt.Errorf("there was no room for the ends of runs: %w", beckon.ErrDiskFull)
	}
	return errors.Join(e.write(), e.file.Sync())
}

// ForgetEnd drops what KeepEnd kept of a run, once the database has it.
func (e *Ends) ForgetEnd(runID string) error {
	return e.forget(func(id string, _ beckon.Run) bool { return id == runID })
}

// ForgetEnds drops all that is kept.
func (e *Ends) ForgetEnds() error {
	return e.forget(func(string, beckon.Run) bool { return true })
}

func (e *Ends) forget(which func(runID string, _ beckon.Run) bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.kept)
	maps.DeleteFunc(e.kept, which)
	if e.file == nil || len(e.kept) == before {
		return nil
	}
	return errors.Join(e.write(), e.file.Sync())
}

// KeptEnd returns how a run ended that the database takes for alive.
func (e *Ends) KeptEnd(runID string) (beckon.Run, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	run, kept := e.kept[runID]
	return run, kept
}

// Close closes the file.
func (e *Ends) Close() error {
	if e == nil || e.file == nil {
		return nil
	}
	return e.file.Close()
}
