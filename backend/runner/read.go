package runner

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// read takes the process's lines until there are no more.
func (l *agentRun) read() error {
	defer l.out.Silent()
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
func (l *agentRun) take(lines []claude.Line) error {
	kept := make([]*claude.Line, 0, len(lines))
	for i := range lines {
		line := &lines[i]
		for _, message := range l.out.Unshown(line) {
			kept = append(kept, claude.NewLine(message))
		}
		switch line.Kind {
		case claude.StreamEvent:
		case claude.LongLine:
			kept = append(kept, claude.NewLine(transcript.NoticeLine("line_too_long", fmt.Sprintf("%d MB", claude.LineMost>>20))))
		default:
			kept = append(kept, line)
		}
	}
	err := l.append(kept)
	if err != nil {
		l.view.Keep(kept)
	}
	l.jobs.Hear()
	busy, activity := lastActivity(lines)
	for i := range lines {
		if i == busy {
			l.noteActivity(activity)
		}
		l.handle(&lines[i])
	}
	return err
}

// record appends lines of Beckon's own to the transcript and shows them to the
// clients that watch.
func (l *agentRun) record(lines ...[]byte) error {
	var own []*claude.Line
	for _, line := range lines {
		own = append(own, claude.NewLine(line))
	}
	return l.append(own)
}

func (l *agentRun) append(lines []*claude.Line) error {
	if len(lines) == 0 {
		return nil
	}
	err := l.r.disk.Note(l.view.Append(lines...))
	if err == nil {
		l.r.Written(l.run.ID)
	}
	return err
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

// Watching shows what the agents of those tasks are writing: a client that
// begins to watch has missed its beginning.
func (r *Runner) Watching(taskIDs []string) {
	for _, id := range taskIDs {
		if l := r.liveRun(id); l != nil {
			l.view.ShowText()
		}
	}
}

// endUnrecorded ends a run whose transcript cannot be written: nobody could see
// what it does. One whose last turn is over leaves on its own, and succeeded.
func (l *agentRun) endUnrecorded(err error) {
	l.mu.Lock()
	over := l.run.Kind == beckon.TaskRun && l.turn.ended && !l.turn.interrupted && l.rested
	l.mu.Unlock()
	switch {
	case over:
	case store.IsFull(err):
		l.end(beckon.Failed, "The disk is full, so the transcript could not be written and the agent was stopped. Its work and session are kept: make room on the disk, then resume it.")
	default:
		l.end(beckon.Failed, fmt.Sprintf("The transcript could not be written, so the agent was stopped: %v. Its work and session are kept.", err))
	}
}

// handle acts on a line. Only what says something of the run's life is decoded,
// once for all that read it.
func (l *agentRun) handle(line *claude.Line) {
	switch line.Kind {
	case claude.StreamEvent:
		l.mustAsk()
		l.handlePartial(line)
	case claude.AssistantLine:
		l.mustAsk()
		l.spoke = true
		l.view.EndPart(line)
		l.handleSubAgentAsk(line)
		l.handleBackgroundCall(line)
		l.handleFailure(line)
	case claude.UserLine:
		l.out.Acknowledge(line)
		l.out.Answered(line.Raw)
		l.jobs.Told(line.Raw)
	case claude.SystemLine:
		l.out.Acknowledge(line)
		l.handleSystem(line)
	case claude.ResultLine:
		l.view.EndPart(line)
		l.handleResult(line)
	case claude.RateLimitLine:
		l.handleRateLimit(line)
	case claude.ControlRequest:
		l.handleControlRequest(line)
	case claude.ControlCancel:
		l.handleCancelRequest(line)
	case claude.ControlResponse, claude.LongLine, claude.UnknownLine: // the process hands on replies; the rest is only shown
	}
}

// lastActivity returns what the agent is at by the end of a chunk, and the
// line that says so; -1 where none does. A tool's call is seldom the last line.
func lastActivity(lines []claude.Line) (int, beckon.Activity) {
	for i := range slices.Backward(lines) {
		line := &lines[i]
		if line.Kind != claude.StreamEvent && line.Kind != claude.AssistantLine {
			continue
		}
		if a, ok := transcript.Activity(line); ok {
			return i, a
		}
	}
	return -1, beckon.Activity{}
}

func (l *agentRun) noteActivity(a beckon.Activity) {
	if was := l.snapshot().Activity; a.Verb == was.Verb && a.Target == was.Target {
		return
	}
	a.Since = beckon.Now()
	l.note(func() { l.run.Activity = a })
}
