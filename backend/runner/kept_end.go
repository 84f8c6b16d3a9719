package runner

import (
	"cmp"

	"beckon/backend/agent"
	"beckon/backend/beckon"
)

// keepLast keeps how the turn that is the run's last ended, before claude is let
// go, which may take it a while: where Beckon dies before claude has left, the
// run is not lost for that. It reports whether no turn began meanwhile.
func (l *agentRun) keepLast() bool {
	outcome, why := l.outcomeOf(agent.Exit{}, nil)
	_, gaveUp := l.jobs.Lost(false)
	l.keepEnd(ended(l.snapshot(), outcome, cmp.Or(why, gaveUp)))
	_, over := l.lastTurn()
	if !over {
		l.forgetEnd()
	}
	return over
}

func (l *agentRun) keepEnd(run beckon.Run) {
	logged("keep the end of a run", l.r.Store.KeepEnd(run), "run", run.ID)
}

// forgetEnd drops the end that was kept of a run in which another turn began.
func (l *agentRun) forgetEnd() {
	logged("forget the end of a run", l.r.Store.ForgetEnd(l.run.ID), "run", l.run.ID)
}
