package runner

import (
	"context"
	"time"

	"beckon/backend/beckon"
)

// lookAgain is how long the queue sleeps at most before a task goes on by
// itself: the machine's own sleep does not count for its clock.
const lookAgain = time.Minute

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
