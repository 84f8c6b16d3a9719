package runner

import (
	"context"
	"slices"
	"time"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// lookAgain is how long the queue sleeps at most before a task goes on by
// itself: the machine's own sleep does not count for its clock.
const lookAgain = time.Minute

// failure is what is known of why the running turn fails.
type failure struct {
	kind   string // claude's word for it
	resets int64  // when the limit does that made it fail, in milliseconds
	hook   string // the words of a hook that ends it
}

// handleFailure remembers claude's word for a failure of the API, which the
// turn's result lacks.
func (l *agentRun) handleFailure(line *claude.Line) {
	if !line.WithError() {
		return
	}
	if m, err := line.Message(); err == nil && m.Speech != nil && m.Speech.Error != "" && m.ParentToolUseID == "" {
		l.failure.kind = m.Speech.Error
	}
}

// takeFailure returns what is known of a turn that ends, and forgets it.
func (l *agentRun) takeFailure() failure {
	f := l.failure
	l.failure = failure{}
	return f
}

// setback returns what time alone cures, empty where somebody must act: sign
// in, pay, or choose another model.
func (t turn) setback() beckon.Setback {
	switch {
	case !t.failed || t.interrupted:
		return ""
	case t.limited && t.failure.resets > 0:
		return beckon.PlanLimit
	case t.limited, slices.Contains([]string{"server_error", "overloaded", "rate_limit"}, t.failure.kind):
		return beckon.Overload
	}
	return ""
}

// limit says that the plan's limit was met, where claude said so.
func (f failure) limit() string {
	if f.resets == 0 {
		return ""
	}
	return "The plan's limit is reached. It resets at " + time.UnixMilli(f.resets).Format("15:04, 2 January") + "."
}

// signIn is what a person can do where claude is not let in.
const signIn = "\nSign in again: run claude in a terminal and enter /login. Then resume the task."

// advice says what a person can do about a failure, where claude does not.
func (f failure) advice() string {
	if f.kind == "authentication_failed" {
		return signIn
	}
	return ""
}

// setbackOf is why a task run that is over is to resume on its own, and when its
// limit resets. What the user ended does not.
func (l *agentRun) setbackOf(run beckon.Run) (beckon.Setback, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.outcome != "" || run.Kind != beckon.TaskRun || run.Outcome != beckon.Limited && run.Outcome != beckon.Failed {
		return "", 0
	}
	return l.turn.setback(), l.turn.failure.resets
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
