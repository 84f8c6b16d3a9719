package feed

import (
	"math"
	"time"

	"beckon/backend/beckon"
)

// What comes after silence is sent at once. After a frame a client is left
// alone for between shortestRest, which is that of a single short event, and
// longestRest; values that only go on changing are worth a look 20 times a
// second.
const (
	shortestRest = 4 * time.Millisecond
	longestRest  = 200 * time.Millisecond
	statusEvery  = 50 * time.Millisecond
)

// restAfter returns how long a client is left alone after a frame of so many
// bytes that took so long to send. With the square root of its size the rest
// follows the rate of a stream: some 16 ms at 512 KB a second, 50 ms at 1.6 MB,
// 200 ms at 6.4 MB. Sending takes a fifth of the time at the most.
func restAfter(bytes int, took time.Duration) time.Duration {
	rest := time.Duration(float64(shortestRest) * math.Sqrt(float64(bytes)/eventWeight))
	return min(max(rest, 4*took, shortestRest), longestRest)
}

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
		return max(rest, statusEvery)
	case line:
		return rest
	case action:
		return shortestRest
	default:
		return 0
	}
}
