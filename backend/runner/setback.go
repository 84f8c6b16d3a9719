package runner

import (
	"context"
	"time"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// lookAgain is how long the queue sleeps at most before a task goes on by
// itself: the machine's own sleep does not count for its clock.
const lookAgain = time.Minute

// reasonOf returns why a turn failed: mostly what the agent says of it.
func reasonOf(e agent.TurnEnded) *reason.Reason {
	words := reason.Said(e.Said)
	switch {
	case e.Why != nil:
		return e.Why
	case e.Resets > 0:
		return reason.Of(reason.PlanResets, "time", time.UnixMilli(e.Resets).Format("15:04, 2 January"))
	case e.SignIn:
		return words.Because(reason.Of(reason.SignIn))
	case e.Overloaded:
		return reason.Of(reason.Overloaded).Because(words)
	}
	return words
}

// setbackOf is why a task run that is over is to resume on its own, and when its
// limit resets. What the user ended does not.
func (run *agentRun) setbackOf(row beckon.Run) (beckon.Setback, int64) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.outcome != "" || row.Kind != beckon.TaskRun || row.Outcome != beckon.Limited && row.Outcome != beckon.Failed {
		return "", 0
	}
	return run.turn.setback, run.turn.resets
}

// pause reports whether the queue starts nothing, because of a limit that every
// task would meet, and after how long it is to look again on its own; 0: not.
func (r *Runner) pause(ctx context.Context) (paused bool, again time.Duration) {
	next, limitedUntil, err := r.Store.Resumes(ctx)
	if err != nil || next == 0 {
		logged("look for tasks that resume on their own", err)
		return false, 0
	}
	left := time.Until(time.UnixMilli(next)) + time.Millisecond
	return limitedUntil > 0, min(max(left, time.Millisecond), lookAgain)
}
