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
		event, due := s.settle(w, alive, now, hold)
		if due.IsZero() {
			events = append(events, event)
			return true
		}
		if again.IsZero() || due.Before(again) {
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

// withoutResult is how many times longer a result is waited for of a call that is
// not carried out: it always has one, which the CLI may write down a while after
// the turn is over. Only a call that runs may have none for long.
const withoutResult = 10

// settle says how an ask ended that is no longer pending, or when that will be
// known.
func (s *session) settle(w *wait, alive bool, now time.Time, hold time.Duration) (e Event, due time.Time) {
	ask := w.Ask
	ask.OnScreen = false
	event := Event{Kind: Settled, Ask: &ask}
	if r, ok := s.result(w.ID); ok {
		event.How, event.Answers, event.Words = howOf(r), r.Answers, r.Words
		return event, due
	}
	if !alive {
		event.How = Gone
		return event, due
	}
	if w.missed.IsZero() {
		w.missed = now
	}
	if event.How = Allowed; w.Kind == AskQuestion || s.Status != Busy { // it does not run
		event.How, hold = Interrupted, hold*withoutResult
	}
	if due = w.missed.Add(hold); now.Before(due) {
		return Event{}, due
	}
	return event, time.Time{}
}

func howOf(r sessionfile.Result) How {
	hows := map[sessionfile.Outcome]How{sessionfile.Answered: Answered, sessionfile.Refused: Declined, sessionfile.Stopped: Interrupted}
	return cmp.Or(hows[r.Outcome], Allowed)
}
