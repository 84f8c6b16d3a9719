package board

import (
	"math/rand/v2"
	"time"

	"beckon/backend/beckon"
)

// This file says when a task goes on by itself after a setback: a limit that
// was reached, an API that was overloaded.

// Backoff is how long a task whose agent met an overloaded API waits before it
// tries again; each further time in a row doubles that.
const Backoff = 30 * time.Second

// What bounds it, and the tries after which a person is asked to look.
const (
	longestBackoff = 30 * time.Minute
	mostTries      = 10
)

// afterReset is the room that is left after the moment at which a limit resets.
const afterReset = 2 * time.Second

// resumeAfter returns when a task goes on after a setback, and whether it does at all.
// The first pause is Backoff where first is 0.
func resumeAfter(first time.Duration, work beckon.Work, was beckon.Resume, now time.Time) (beckon.Resume, bool) {
	next := beckon.Resume{Why: work.Setback, Tries: was.Tries + 1}
	wait := backoff(first, next.Tries, rand.Float64())
	switch {
	case work.Setback == "":
		return beckon.Resume{}, false
	case work.Setback == beckon.PlanLimit && work.Resets > now.UnixMilli():
		next.Tries = was.Tries
		next.At = work.Resets + afterReset.Milliseconds()
		return next, true
	case next.Tries > mostTries:
		return beckon.Resume{}, false
	}
	next.At = now.Add(wait).UnixMilli()
	return next, true
}

// backoff doubles with each try, up to a bound; chance, of 0 to 1, makes it up
// to a fifth longer, so that not all tasks try in the same moment.
func backoff(first time.Duration, tries int, chance float64) time.Duration {
	if first == 0 {
		first = Backoff
	}
	wait := min(first<<min(tries-1, 20), longestBackoff)
	return wait + time.Duration(chance*float64(wait)/5)
}
