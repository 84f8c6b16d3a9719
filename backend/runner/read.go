package runner

import (
	"errors"
	"fmt"
	"io"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store"
	"beckon/backend/transcript"
)

// read takes the agent's lines until there are no more.
func (l *agentRun) read() error {
	defer l.out.Silent()
	for {
		output, err := l.proc.Next()
		if err := l.take(output); err != nil {
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

// take records a chunk of lines, then acts on what they mean.
func (l *agentRun) take(output []agent.Output) error {
	kept := make([]agent.Line, 0, len(output))
	for _, o := range output {
		for _, event := range o.Events {
			for _, message := range l.out.Unshown(event) {
				kept = append(kept, agent.Raw(message))
			}
			if e, long := event.(agent.TooLong); long {
				kept = append(kept, agent.Raw(transcript.NoticeLine("line_too_long", fmt.Sprintf("%d MB", e.Most>>20))))
			}
		}
		if o.Line != nil && !o.Line.Partial() {
			kept = append(kept, o.Line)
		}
	}
	err := l.append(kept)
	if err != nil {
		l.view.Keep(kept)
	}
	l.jobs.Hear()
	for _, o := range output {
		for _, event := range o.Events {
			l.handle(event, o.Line)
		}
	}
	return err
}

// record appends lines of Beckon's own to the transcript and shows them to the
// clients that watch.
func (l *agentRun) record(lines ...[]byte) error {
	own := make([]agent.Line, 0, len(lines))
	for _, line := range lines {
		own = append(own, agent.Raw(line))
	}
	return l.append(own)
}

func (l *agentRun) append(lines []agent.Line) error {
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
		l.end(beckon.Failed, reason.Of(reason.DiskFull))
	default:
		l.end(beckon.Failed, reason.Of(reason.Unwritten).Because(beckon.ReasonOf(err)))
	}
}

func (l *agentRun) noteActivity(a beckon.Activity) {
	if was := l.snapshot().Activity; a.Verb == was.Verb && a.Target == was.Target {
		return
	}
	a.Since = beckon.Now()
	l.note(func() { l.run.Activity = a })
}
