package runner

import "time"

// QuietAfter is how long an agent may say nothing within a turn before its run says so: it
// may work on, or try for the third time to reach a model that has no room for it, of which
// some agents say nothing.
const QuietAfter = 2 * time.Minute

// noteHeard notes that the agent said something, or was answered.
func (run *agentRun) noteHeard() {
	run.silence.Break()
	if run.snapshot().Quiet != 0 {
		run.note(func() { run.row.Quiet = 0 })
	}
}

// noteSilence marks the run as quiet if a turn is open and no question is.
func (run *agentRun) noteSilence(since time.Time) {
	run.note(func() {
		if run.row.Quiet == 0 && run.facts.TurnOpen && run.r.Desk.Open(run.row.ID) == 0 {
			run.row.Quiet = since.UnixMilli()
		}
	})
}
