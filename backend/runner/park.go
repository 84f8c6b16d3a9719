package runner

import (
	"context"
	"maps"
	"slices"

	"beckon/backend/beckon"
)

// quitReason is why a run ended that Beckon's own end parked.
const quitReason = "Beckon was quit while it ran. Its work and session are kept."

// restedReason is the same for a run that waited for its next message: it does
// not go on by itself.
const restedReason = "Beckon was quit while it waited for your next message. Its work and session are kept."

// Working counts the agents that quitting would interrupt: those that wait
// for nothing but the next message lose nothing by it.
func (r *Runner) Working() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, l := range r.live {
		if l.phase() != beckon.Idle {
			n++
		}
	}
	return n
}

// parkAtQuit parks the run because Beckon ends.
func (l *live) parkAtQuit() {
	reason := quitReason
	if l.phase() == beckon.Idle {
		reason = restedReason
	}
	l.end(beckon.Parked, reason)
}

func (l *live) phase() beckon.Phase {
	l.mu.Lock()
	defer l.mu.Unlock()
	return beckon.PhaseOf(l.facts)
}

// StopAll stops every agent, as Stop does one, and starts no other. Close
// waits until they are gone.
func (r *Runner) StopAll() {
	for _, l := range r.shut() {
		l.end(beckon.Stopped, "You stopped it when you quit Beckon.")
	}
}

// shut ends the queue and returns the runs that live, which no other joins.
func (r *Runner) shut() []*live {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.closed = true
		close(r.kick)
		close(r.quit)
	}
	return slices.Collect(maps.Values(r.live))
}

// afterRun is the column that a task goes to whose run is over. One that was
// parked at work, and not by a question that waits, waits for Beckon's next
// start: it is in the queue, which resumes it. All others are the user's to
// look at, also one whose turn the user had interrupted.
func (r *Runner) afterRun(ctx context.Context, run beckon.Run) (beckon.Status, error) {
	if run.Outcome != beckon.Parked || run.Reason == restedReason {
		return beckon.Review, nil
	}
	open, err := r.Store.OpenQuestions(ctx)
	if err != nil || slices.ContainsFunc(open, func(q beckon.Question) bool { return q.RunID == run.ID }) {
		return beckon.Review, err
	}
	return beckon.Queued, nil
}
