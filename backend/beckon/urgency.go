package beckon

import (
	"cmp"
	"iter"
	"math"
)

// This file has the one order in which questions press for an answer, for
// all who list them outside the page; frontend/src/state/views.ts has the same
// for the page.

// CompareUrgency orders questions: those whose clock runs out first come first, then
// those whose agent holds a slot that others wait for, then the oldest.
func CompareUrgency(blocks func(Question) bool) func(a, b Question) int {
	held := func(q Question) int {
		if blocks(q) {
			return 0
		}
		return 1
	}
	return func(a, b Question) int {
		return cmp.Or(cmp.Compare(runsOut(a), runsOut(b)), cmp.Compare(held(a), held(b)), cmp.Compare(a.Asked, b.Asked), cmp.Compare(a.ID, b.ID))
	}
}

// runsOut is when nobody can answer any more; a clock that is held, or that
// there is none, never runs out.
func runsOut(q Question) int64 {
	if q.Settlement != Open || q.HeldMs != 0 || q.Deadline == 0 {
		return math.MaxInt64
	}
	return q.Deadline
}

// Blocking reports which questions keep tasks waiting: where all slots are taken and a
// task is queued, those whose agent holds one there. slots and queued are by executor;
// "" is this computer. runs are the newest of each task, or only those that live.
func Blocking(slots map[string]int, queued map[string]bool, runs iter.Seq[Run]) func(Question) bool {
	places := map[string]string{} // of the runs that hold a slot
	taken := map[string]int{}
	for r := range runs {
		if r.Kind == TaskRun && r.Phase != Ended {
			places[r.ID] = r.Executor
			taken[r.Executor]++
		}
	}
	return func(q Question) bool {
		place, holds := places[q.RunID]
		return holds && queued[place] && taken[place] >= slots[place]
	}
}
