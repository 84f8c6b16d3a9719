package observe

import (
	"cmp"
	"slices"
	"time"

	"beckon/backend/claude/sessionfile"
)

// update compares what a session waits for with what it waited for, and returns
// the events. What is no longer pending has hold to show its result, which may
// come after the status; the second value is when to look again, zero: no need.
func (s *session) update(alive bool, now time.Time, hold time.Duration) (events []Event, again time.Time) {
	open := s.pending(alive)
	s.waits = slices.DeleteFunc(s.waits, func(w *wait) bool {
		if i := slices.IndexFunc(open, func(a Ask) bool { return a.ID == w.ID }); i >= 0 {
			w.Ask, w.missed = open[i], time.Time{}
			return false
		}
		event, settled := s.settle(w, alive, now, hold)
		if settled {
			events = append(events, event)
			return true
		}
		if due := w.missed.Add(hold); again.IsZero() || due.Before(again) {
			again = due
		}
		w.OnScreen = false
		return false
	})
	for _, a := range open {
		if !slices.ContainsFunc(s.waits, func(w *wait) bool { return w.ID == a.ID }) {
			s.waits = append(s.waits, &wait{Ask: a})
			events = append(events, Event{Kind: Opened, Ask: &a})
		}
	}
	s.Agents, s.Asks = s.working(), []Ask{}
	for _, w := range s.waits {
		s.Asks = append(s.Asks, w.Ask)
	}
	for i := range events {
		events[i].Session = s.Session
	}
	return events, again
}

// settle says how an ask ended that is no longer pending, once that is known.
func (s *session) settle(w *wait, alive bool, now time.Time, hold time.Duration) (Event, bool) {
	ask := w.Ask
	ask.OnScreen = false
	event := Event{Kind: Settled, Ask: &ask}
	if r, ok := s.result(w.ID); ok {
		event.How, event.Answers, event.Words = howOf(r), r.Answers, r.Words
		return event, true
	}
	if !alive {
		event.How = Gone
		return event, true
	}
	if w.missed.IsZero() {
		w.missed = now
	}
	if now.Sub(w.missed) < hold {
		return Event{}, false
	}
	event.How = Interrupted
	if w.Kind != AskQuestion && s.Status == Busy { // it runs
		event.How = Allowed
	}
	return event, true
}

func howOf(r sessionfile.Result) How {
	hows := map[sessionfile.Outcome]How{sessionfile.Answered: Answered, sessionfile.Refused: Declined, sessionfile.Stopped: Interrupted}
	return cmp.Or(hows[r.Outcome], Allowed)
}
