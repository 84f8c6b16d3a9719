package runner

import (
	"cmp"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// keepLast keeps how the turn that is the run's last ended, before claude is let
// go, which may take it a while: where Beckon dies before claude has left, the
// run is not lost for that. It reports whether no turn began meanwhile.
func (run *agentRun) keepLast() bool {
	outcome, why := run.outcomeOf(agent.Exit{}, nil)
	_, gaveUp := run.jobs.Lost(false)
	run.keepEnd(ended(run.snapshot(), outcome, cmp.Or(why, gaveUp)))
	_, over := run.lastTurn()
	if !over {
		run.forgetEnd()
	}
	return over
}

func (run *agentRun) keepEnd(row beckon.Run) {
	logged("keep the end of a run", run.r.Store.KeepEnd(row), "run", row.ID)
}

// forgetEnd drops the end that was kept of a run in which another turn began.
func (run *agentRun) forgetEnd() {
	logged("forget the end of a run", run.r.Store.ForgetEnd(run.row.ID), "run", run.row.ID)
}
