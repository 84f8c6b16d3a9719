package runner

import (
	"time"

	"beckon/backend/beckon"
)

// noteHeard notes that the agent said something, or was answered.
func (run *agentRun) noteHeard() {
	run.silence.Break()
	if run.snapshot().Quiet != 0 {
		run.note(func() { run.row.Quiet = 0 })
	}
}

// openWork returns what the agent waits for besides its model, if anything.
func (run *agentRun) openWork() (beckon.Activity, bool) {
	if call, open := run.view.OpenCall(); open {
		return call, true
	}
	left, _ := run.jobs.Left()
	return run.jobs.Activity(), left
}

// noteSilence marks the run as quiet, with what it waits for, if a turn is open, no question
// is, and the agent could be heard.
func (run *agentRun) noteSilence(since time.Time, waits beckon.Activity) {
	run.note(func() {
		if run.facts.TurnOpen && run.row.LinkLost == 0 && run.r.Desk.Open(run.row.ID) == 0 {
			run.row.Quiet, run.row.Activity = since.UnixMilli(), waits
		}
	})
}
