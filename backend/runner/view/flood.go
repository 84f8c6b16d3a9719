package view

import (
	"log/slog"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

// A flood is folded no faster than it can be shown: foldMost lines in each
// foldSpan over all transcripts that are watched, and foldLeast of each. A line counts
// once more for each foldBytes of what can be shown of it, since pages are sent those.
// Beyond that the pages have to fetch the end, and nothing is folded
// until it ebbs: what is between would be shown for a moment at most. They hear of it
// once in a foldSpan, and when no line came for ebbed.
const (
	foldMost  = 200
	foldLeast = 20
	foldBytes = 4 << 10
	foldSpan  = 100 * time.Millisecond
	ebbed     = 20 * time.Millisecond
)

// costOf is how many lines a line counts as.
func costOf(line agent.Line) int { return 1 + min(len(line.Bytes()), transcript.TextMost)/foldBytes }

// shown is what the watching clients have of the transcript.
type shown struct {
	fold   transcript.Fold
	span   time.Time // when the present foldSpan began
	spent  int       // what came in it costs
	budget int       // after how much of it no more is folded; nothing is in a flood
	behind bool      // lines were left out; a Reload is due
	told   time.Time // of the latest Reload
	ebb    *time.Timer
	stale  bool // fold was not told of the lines before
}

// skip leaves out lines that nobody watches: a client that begins to watch
// fetches the end first.
func (s *shown) skip() { s.behind, s.stale = false, true }

// show folds a line into entries and publishes them, within the budget. The
// caller holds mu.
func (v *View) show(pos, at int64, line agent.Line) {
	s := &v.shown
	if since := time.Since(s.span); since > foldSpan {
		v.beginSpan(since < 2*foldSpan)
	}
	full := s.spent >= s.budget
	if s.spent += costOf(line); full {
		s.stale, s.behind = true, true
		return
	}
	if s.stale {
		var err error
		if s.fold, err = transcript.FoldAt(v.log, pos); err != nil {
			slog.Error("read the transcript again", "err", err, "run", v.runID)
			return
		}
		s.stale = false
	}
	for _, e := range s.fold.AddLine(pos, at, line) {
		e.RunID = v.runID
		v.clients.Publish(beckon.Event{Entry: &e, TaskID: v.taskID})
	}
}

// beginSpan begins a foldSpan. One that follows on a flood folds nothing. The
// caller holds mu.
func (v *View) beginSpan(follows bool) {
	s := &v.shown
	if s.behind {
		v.reload()
	}
	share := max(foldLeast, foldMost/max(1, v.clients.Count()))
	flood := follows && s.spent > share
	s.span, s.spent, s.budget, s.behind = time.Now(), 0, share, false
	if flood {
		s.budget = 0
	}
}

// awaitEbb tells the clients, once the flood has ebbed, that they miss some. The caller
// holds mu.
func (v *View) awaitEbb() {
	s := &v.shown
	if !s.behind {
		return
	}
	wait := max(ebbed, foldSpan-time.Since(s.told))
	if s.ebb != nil {
		s.ebb.Reset(wait)
		return
	}
	s.ebb = time.AfterFunc(wait, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.shown.behind {
			v.shown.behind = false
			v.reload()
		}
	})
}

// reload has the clients fetch the end. The caller holds mu.
func (v *View) reload() {
	v.shown.told = time.Now()
	v.clients.Publish(beckon.Event{Reload: v.taskID, TaskID: v.taskID})
}
