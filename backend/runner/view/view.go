// Package view is the transcript of a live run as the clients that watch it
// follow it: what is appended to the log is folded and published, within a
// budget that a flood cannot exceed, and so is the text that is being written.
//
// What the disk did not take is kept, up to a limit, until Flush. A View may be
// used from any goroutine. It knows nothing of processes, or of what a line
// means for the run.
package view

import (
	"errors"
	"log/slog"
	"slices"
	"sync"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// Clients is how a View reaches those that follow it. Its functions must not
// block.
type Clients struct {
	Publish func(beckon.Event)
	// Watched reports whether any client shows the task's transcript, so that
	// only what is shown is decoded.
	Watched func(taskID string) bool
	// Count returns how many live transcripts are watched at this moment: they
	// share what can be shown at once.
	Count func() int
}

// View is the transcript of one live run.
type View struct {
	taskID, runID string
	clients       Clients

	mu        sync.Mutex
	log       *transcript.Log // nil before Open
	shown     shown
	unwritten []agent.Line // that the log did not take

	text text
}

// New returns the view of a run that has no log yet.
func New(taskID, runID string, c Clients) *View {
	return &View{taskID: taskID, runID: runID, clients: c}
}

// Open opens the run's log in a folder. Nothing can be appended before that.
func (v *View) Open(dir string) error {
	log, err := transcript.Open(dir, v.runID)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log = log
	return nil
}

// Log returns the log for reading, nil before Open.
func (v *View) Log() *transcript.Log {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.log
}

// OpenCall returns what the newest tool call without a result does, false where there is
// none or the log cannot be read.
func (v *View) OpenCall() (beckon.Activity, bool) {
	log := v.Log()
	if log == nil {
		return beckon.Activity{}, false
	}
	call, open, err := transcript.OpenCall(log)
	if err != nil {
		slog.Warn("look for an open tool call", "run", v.runID, "err", err)
	}
	return call, open
}

// Append adds lines to the log, behind those that it did not take before, and
// shows them to the clients that watch.
func (v *View) Append(lines ...agent.Line) error {
	if len(lines) == 0 {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	at, lines := beckon.Now(), slices.Concat(v.unwritten, lines)
	first, err := v.log.Append(at, rawOf(lines))
	if err != nil {
		return err
	}
	v.unwritten = nil
	if !v.clients.Watched(v.taskID) {
		v.shown.skip()
		return nil
	}
	for i, line := range lines {
		v.show(first+int64(i), at, line)
	}
	v.awaitEbb()
	return nil
}

func rawOf(lines []agent.Line) [][]byte {
	raw := make([][]byte, len(lines))
	for i, line := range lines {
		raw[i] = line.Bytes()
	}
	return raw
}

// Sync has the disk take what was appended. It does nothing before Open.
func (v *View) Sync() error {
	if log := v.Log(); log != nil {
		return log.Sync()
	}
	return nil
}

// Close ends the log.
func (v *View) Close() error {
	if log := v.Log(); log != nil {
		return errors.Join(log.Sync(), log.Close())
	}
	return nil
}
