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
func (run *agentRun) read() error {
	defer run.out.Silent()
	for {
		output, err := run.proc.Next()
		if err := run.handleOutput(output); err != nil {
			run.endUnrecorded(err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// handleOutput records a chunk of lines, then acts on what they mean.
func (run *agentRun) handleOutput(output []agent.Output) error {
	run.noteHeard()
	kept := make([]agent.Line, 0, len(output))
	for _, o := range output {
		for _, event := range o.Events {
			for _, message := range run.out.Unshown(event) {
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
	err := run.append(kept)
	if err != nil {
		run.view.Keep(kept)
	}
	run.jobs.Hear()
	for _, o := range output {
		for _, event := range o.Events {
			run.handle(event, o.Line)
		}
	}
	return err
}

// record appends lines of Beckon's own to the transcript and shows them to the
// clients that watch.
func (run *agentRun) record(lines ...[]byte) error {
	own := make([]agent.Line, 0, len(lines))
	for _, line := range lines {
		own = append(own, agent.Raw(line))
	}
	return run.append(own)
}

func (run *agentRun) append(lines []agent.Line) error {
	if len(lines) == 0 {
		return nil
	}
	err := run.r.disk.Note(run.view.Append(lines...))
	if err == nil {
		run.r.Written(run.row.ID)
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
		if run := r.liveRun(id); run != nil {
			run.view.ShowText()
		}
	}
}

// endUnrecorded ends a run whose transcript cannot be written: nobody could see
// what it does. One whose last turn is over leaves on its own, and succeeded.
func (run *agentRun) endUnrecorded(err error) {
	run.mu.Lock()
	over := run.row.Kind == beckon.TaskRun && run.turn.ended && !run.turn.interrupted && run.rested
	run.mu.Unlock()
	switch {
	case over:
	case store.IsFull(err):
		run.end(beckon.Failed, reason.Of(reason.DiskFull))
	default:
		run.end(beckon.Failed, reason.Of(reason.Unwritten).Because(beckon.ReasonOf(err)))
	}
}

func (run *agentRun) noteActivity(a beckon.Activity) {
	if was := run.snapshot().Activity; a.Verb == was.Verb && a.Target == was.Target {
		return
	}
	a.Since = beckon.Now()
	run.note(func() { run.row.Activity = a })
}
