package board

import (
	"testing"
	"time"

	"beckon/backend/beckon"
)

func TestBackoffDoublesUpToABoundAndNotAllTryAtOnce(t *testing.T) {
	t.Parallel()
	for tries, want := range map[int]time.Duration{1: 30 * time.Second, 2: time.Minute, 5: 8 * time.Minute, 7: 30 * time.Minute, 500: 30 * time.Minute} {
		if got := backoff(0, tries, 0); got != want {
			t.Errorf("try %d waits %s, want %s", tries, got, want)
		}
		if got := backoff(0, tries, 1); got != want+want/5 {
			t.Errorf("try %d waits %s at most, want a fifth more than %s", tries, got, want)
		}
	}
}

func TestALimitIsWaitedForAndAnOverloadTriedAFewTimes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later := now.Add(time.Hour).UnixMilli()
	if next, again := resumeAfter(0, beckon.Work{Setback: beckon.PlanLimit, Resets: later}, beckon.Resume{Tries: 3}, now); !again || next.At < later || next.Tries != 3 {
		t.Errorf("a limit: %+v, %t", next, again)
	}
	if next, again := resumeAfter(0, beckon.Work{Setback: beckon.PlanLimit, Resets: now.UnixMilli() - 1}, beckon.Resume{}, now); !again || next.At < now.Add(Backoff).UnixMilli() {
		t.Errorf("a limit that should have reset: %+v, %t; want a pause, not a race", next, again)
	}
	if next, again := resumeAfter(0, beckon.Work{Setback: beckon.Overload}, beckon.Resume{Tries: mostTries}, now); again {
		t.Errorf("after %d tries: %+v", mostTries, next)
	}
}
