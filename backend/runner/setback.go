package runner

import (
	"context"
	"time"

	"beckon/backend/beckon"
)

// lookAgain is how long the queue sleeps at most before a task goes on by
// itself: the machine's own sleep does not count for its clock.
const lookAgain = time.Minute

// limitWords say that the plan's limit was met, where it is known when it resets.
func limitWords(resets int64) string {
	if resets == 0 {
		return ""
	}
	return "The plan's limit is reached. It resets at " + time.UnixMilli(resets).Format("15:04, 2 January") + "."
}

// signIn is what a person can do where claude is not let in.
const signIn = "\nSign in again: run claude in a terminal and enter /login. Then resume the task."

// setbackOf is why a task run that is over is to resume on its own, and when its
// limit resets. What the user ended does not.
func (l *agentRun) setbackOf(run beckon.Run) (beckon.Setback, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.outcome != "" || run.Kind != beckon.TaskRun || run.Outcome != beckon.Limited && run.Outcome != beckon.Failed {
		return "", 0
	}
	return l.turn.setback, l.turn.resets
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
