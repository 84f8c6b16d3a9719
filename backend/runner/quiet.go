package runner

import "time"

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
