package feed

import (
	"time"

	"beckon/backend/beckon"
)

const (
	// longestRest is how long a client is left alone at the most after a frame: one of a
	// display that draws 60 times a second.
	longestRest = 16 * time.Millisecond
	// statusEvery is for values that only go on changing, which are worth a look 20 times a second.
	statusEvery = 50 * time.Millisecond
	// patience is how long the next frame waits for a client that says when it has taken one,
	// and has not: a page that is hidden draws nothing, and one that was loaded again knows
	// nothing of it.
	patience = time.Second
)

// restAfter returns how long a client is left alone after a frame that took so long to send:
// sending takes a fifth of the time, unless it is dearer than a frame of a display.
func restAfter(took time.Duration) time.Duration { return min(4*took, longestRest) }

// urgency is how soon an event is to be shown.
type urgency int

const (
	nothing  urgency = iota
	status           // one more value of what goes on changing, such as a run's activity
	line             // what somebody reads as it comes
	action           // what a person did, or sees a change of
	question         // what an agent waits for
)

func urgencyOf(e beckon.Event) urgency {
	switch {
	case e.Question != nil, e.Notice != nil:
		return question
	case e.Entry != nil || e.Live != nil || e.Terminal != nil:
		return line
	case e.Run != nil || e.Session != nil || e.Reload != "":
		return status
	default:
		return action
	}
}

// pause returns how long after the latest frame the next one may follow.
func (u urgency) pause(rest time.Duration) time.Duration {
	switch u {
	case status:
		return statusEvery
	case question:
		return 0
	default:
		return rest
	}
}
