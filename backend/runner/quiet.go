package runner

import (
	"cmp"
	"time"
)

// QuietAfter is how long an agent may say nothing within a turn before its run says so: it
// may work on, or try for the third time to reach a model that has no room for it, of which
// some agents say nothing.
const QuietAfter = 2 * time.Minute

// noteHeard notes that the agent said something, or was answered or spoken to.
func (run *agentRun) noteHeard() {
	run.mu.Lock()
	run.heard = time.Now()
	quiet := run.row.Quiet != 0
	run.mu.Unlock()
	if quiet {
		run.note(func() { run.row.Quiet = 0 })
	}
}

// watchSilence marks the run as quiet where its agent is, until it ends.
func (run *agentRun) watchSilence() {
	after := cmp.Or(run.r.QuietAfter, QuietAfter)
	for {
		look := time.NewTimer(run.noteSilence(after))
		select {
		case <-look.C:
		case <-run.ctx.Done():
			look.Stop()
			return
		}
	}
}

// noteSilence marks the run as quiet if a turn is open, no question is, and nothing was heard
// for so long. It returns when that may be so next.
func (run *agentRun) noteSilence(after time.Duration) (again time.Duration) {
	run.mu.Lock()
	silent := time.Since(run.heard)
	since := run.heard.UnixMilli()
	is := silent >= after && run.row.Quiet == 0 && run.facts.TurnOpen && run.r.Desk.Open(run.row.ID) == 0
	run.mu.Unlock()
	if is {
		run.note(func() { run.row.Quiet = since })
	}
	if silent >= after {
		return after
	}
	return after - silent
}
