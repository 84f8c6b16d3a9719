package runner

import (
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// Working counts the agents that quitting would interrupt: those that wait
// for nothing but the next message lose nothing by it.
func (r *Runner) Working() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, run := range r.live {
		if run.phase() != beckon.Idle {
			n++
		}
	}
	return n
}

// parkAtQuit parks the run because Beckon ends.
func (run *agentRun) parkAtQuit() {
	why := reason.Quit
	if run.phase() == beckon.Idle {
		why = reason.Rested
	}
	run.end(beckon.Parked, reason.Of(why))
}

func (run *agentRun) phase() beckon.Phase {
	run.mu.Lock()
	defer run.mu.Unlock()
	return beckon.PhaseOf(run.facts)
}

// StopAll stops every agent, as Stop does one, and starts no other. Close
// waits until they are gone.
func (r *Runner) StopAll() {
	for _, run := range r.shut() {
		run.end(beckon.Stopped, reason.Of(reason.YouQuit))
	}
}

// shut ends the queue and returns the runs that live, which no other joins.
func (r *Runner) shut() []*agentRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.closed = true
		close(r.kick)
		close(r.quit)
	}
	return slices.Collect(maps.Values(r.live))
}
