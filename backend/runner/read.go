package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/transcript"
)

// A flood is folded no faster than it can be shown: foldMost lines in each
// foldSpan over all transcripts that are watched, and foldLeast of each.
// Beyond that the pages are told to fetch the end, and nothing is folded
// until it ebbs: what is between would be shown for a moment at most.
const (
	foldMost  = 200
	foldLeast = 20
	foldSpan  = 100 * time.Millisecond
)

// shown is what the watching clients have of the transcript.
type shown struct {
	fold   transcript.Fold
	span   time.Time // when the present foldSpan began
	lines  int       // that came in it
	budget int       // how many of them may be folded; none in a flood
	behind bool      // lines were left out; a Reload is due
	stale  bool      // fold was not told of the lines before
}

// read takes the process's lines until there are no more.
func (l *live) read() error {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.silent = true
	}()
	for {
		lines, err := l.proc.Next()
		if err := l.take(lines); err != nil {
			l.endUnrecorded(err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// take records a chunk of lines, then acts on each.
func (l *live) take(lines []claude.Line) error {
	kept := make([][]byte, 0, len(lines))
	for _, line := range lines {
		kept = append(kept, l.unshown(line)...)
		switch line.Kind {
		case claude.StreamEvent:
		case claude.LongLine:
			kept = append(kept, transcript.NoticeLine("line_too_long", fmt.Sprintf("%d MB", claude.LineMost>>20)))
		default:
			kept = append(kept, line.Raw)
		}
	}
	err := l.record(kept...)
	if err != nil {
		l.keepUnwritten(kept)
	}
	l.hearAnything()
	busy, activity := lastActivity(lines)
	for i, line := range lines {
		if i == busy {
			l.noteActivity(activity)
		}
		l.hear(line)
	}
	return err
}

// record appends lines to the transcript and shows them to who watches.
func (l *live) record(lines ...[]byte) error {
	if len(lines) == 0 {
		return nil
	}
	l.showing.Lock()
	defer l.showing.Unlock()
	at, lines := beckon.Now(), slices.Concat(l.unwritten, lines)
	first, err := l.log.Append(at, lines)
	if err != nil {
		return l.r.noteFull(err)
	}
	l.unwritten = nil
	if !l.r.Watched(l.task.ID) {
		l.shown.behind, l.shown.stale = false, true // whoever begins to watch fetches the end first
		return nil
	}
	for i, line := range lines {
		l.show(first+int64(i), at, line)
	}
	return nil
}

// show folds a line into entries and publishes them, within the budget.
func (l *live) show(pos, at int64, line []byte) {
	s := &l.shown
	if since := time.Since(s.span); since > foldSpan {
		l.beginSpan(since < 2*foldSpan)
	}
	if s.lines++; s.lines > s.budget {
		s.stale = true
		l.reloadLater()
		return
	}
	if s.stale {
		var err error
		if s.fold, err = l.log.FoldAt(pos); err != nil {
			logged("read the transcript again", err, "run", l.run.ID)
			return
		}
		s.stale = false
	}
	for _, e := range s.fold.Add(pos, at, line) {
		e.RunID = l.run.ID
		l.r.Publish(beckon.Event{Entry: &e, TaskID: l.task.ID})
	}
}

// beginSpan begins a foldSpan. One that follows on a flood folds nothing.
func (l *live) beginSpan(follows bool) {
	s := &l.shown
	if s.behind {
		l.r.Publish(beckon.Event{Reload: l.task.ID, TaskID: l.task.ID})
	}
	share := max(foldLeast, foldMost/max(1, l.r.watchedLive()))
	flood := follows && s.lines > share
	s.span, s.lines, s.budget, s.behind = time.Now(), 0, share, false
	if flood {
		s.budget = 0
	}
}

// watchedLive counts the runs whose transcripts somebody shows.
func (r *Runner) watchedLive() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for task := range r.live {
		if r.Watched(task) {
			n++
		}
	}
	return n
}

// reloadLater tells the clients, once the flood has ebbed, that they miss some.
func (l *live) reloadLater() {
	if l.shown.behind {
		return
	}
	l.shown.behind = true
	time.AfterFunc(2*foldSpan, func() {
		l.showing.Lock()
		defer l.showing.Unlock()
		if l.shown.behind {
			l.shown.behind = false
			l.r.Publish(beckon.Event{Reload: l.task.ID, TaskID: l.task.ID})
		}
	})
}

// hear acts on a line. Only what says something of the run's life is decoded.
func (l *live) hear(line claude.Line) {
	switch line.Kind {
	case claude.StreamEvent:
		l.hearPartial(line.Raw)
	case claude.AssistantLine:
		l.spoke = true
		l.endPartial(line.Raw)
		l.hearSubAgentAsk(line.Raw)
		l.hearBackgroundCall(line.Raw)
		l.hearFailure(line.Raw)
	case claude.UserLine:
		l.hearTaken(line)
		l.hearAnswered(line.Raw)
		l.hearBackgroundTold(line.Raw)
	case claude.SystemLine:
		l.hearTaken(line)
		l.hearSystem(line.Raw)
	case claude.ResultLine:
		l.endPartial(line.Raw)
		l.hearResult(line.Raw)
	case claude.RateLimitLine:
		l.hearRateLimit(line.Raw)
	case claude.ControlRequest:
		l.hearRequest(line.Raw)
	case claude.ControlCancel:
		l.hearCancel(line.Raw)
	case claude.ControlResponse, claude.LongLine, claude.UnknownLine: // the process hands on replies; the rest is only shown
	}
}

// lastActivity returns what the agent is at by the end of a chunk, and the
// line that says so; -1 where none does. A tool's call is seldom the last line.
func lastActivity(lines []claude.Line) (int, beckon.Activity) {
	for i, line := range slices.Backward(lines) {
		if line.Kind != claude.StreamEvent && line.Kind != claude.AssistantLine {
			continue
		}
		if a, ok := transcript.Activity(line.Raw); ok {
			return i, a
		}
	}
	return -1, beckon.Activity{}
}

func (l *live) noteActivity(a beckon.Activity) {
	if was := l.snapshot().Activity; a.Verb == was.Verb && a.Target == was.Target {
		return
	}
	a.Since = beckon.Now()
	l.note(func() { l.run.Activity = a })
}

// shutdown is the context for what must be done although the run is over.
func (l *live) shutdown() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(l.ctx), stopIn)
}
