package runner

import (
	"cmp"

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
)

// dismiss lets claude leave after the turn that was the run's last, which may
// take it a while. How that turn ended is kept first: where Beckon dies before
// claude has left, the run is not lost for that.
func (l *agentRun) dismiss() {
	outcome, reason := l.outcomeOf(cli.Exit{}, nil)
	_, gaveUp := l.jobs.Lost(false)
	l.keepEnd(ended(l.snapshot(), outcome, cmp.Or(reason, gaveUp)))
	if _, over := l.lastTurn(); !over { // a turn began meanwhile
		l.forgetEnd()
	}
	l.proc.CloseInput()
}

func (l *agentRun) keepEnd(run beckon.Run) {
	logged("keep the end of a run", l.r.Store.KeepEnd(run), "run", run.ID)
}

// forgetEnd drops the end that was kept of a run in which another turn began.
func (l *agentRun) forgetEnd() {
	logged("forget the end of a run", l.r.Store.ForgetEnd(l.run.ID), "run", l.run.ID)
}
