package observe

import (
	"cmp"
	"slices"
	"time"

	"beckon/backend/agent/claude/sessionfile"
)

// update returns what has changed in what a session waits for. What is no longer
// pending has hold to show its result; again is when to look, zero: no need.
func (s *session) update(alive bool, now time.Time, hold time.Duration) (events []Event, again time.Time) {
	open := s.pending(alive)
	s.waits = slices.DeleteFunc(s.waits, func(w *wait) bool {
		if i := slices.IndexFunc(open, func(a Ask) bool { return a.ID == w.ID }); i >= 0 {
			w.Ask, w.missed = open[i], time.Time{}
			return false
		}
		event, due := s.settle(w, alive, now, hold)
		w.MayShow = false
		if due.IsZero() {
			events = append(events, event)
			return true
		}
		again = earlier(again, due)
		return false
	})
	for _, a := range open {
		if slices.ContainsFunc(s.waits, func(w *wait) bool { return w.ID == a.ID }) {
			continue
		}
		if due := s.believed(a, hold); now.Before(due) {
			again = earlier(again, due)
			continue
		}
		s.waits = append(s.waits, &wait{Ask: a})
		events = append(events, Event{Kind: Opened, Ask: &a})
	}
	s.Agents, s.Several, s.Asks = s.working(), len(s.agents) > 0, []Ask{}
	for _, w := range s.waits {
		s.Asks = append(s.Asks, w.Ask)
	}
	for i := range events {
		events[i].Session = s.Session
	}
	return events, again
}

// believed returns when an ask is believed that was not there before. A session
// waits for its sub-agent's dialog before that one's file is written, and meanwhile
// looks as if the call that started it were to be allowed, which is rare.
func (s *session) believed(a Ask, hold time.Duration) time.Time {
	if a.Kind != AskPermission || !startsAgent(a.Tool) {
		return time.Time{}
	}
	return time.UnixMilli(s.presence.StatusUpdatedAt).Add(hold * withoutResult)
}

func startsAgent(tool string) bool { return tool == "Agent" || tool == "Task" }

// earlier returns the first of two moments, each of which may be zero, as never.
func earlier(a, b time.Time) time.Time {
	if !b.IsZero() && (a.IsZero() || b.Before(a)) {
		return b
	}
	return a
}

const withoutResult = 10 // times longer: what does not run has a result, maybe well after the turn

// settle says how an ask ended that is no longer pending, or when it will.
func (s *session) settle(w *wait, alive bool, now time.Time, hold time.Duration) (e Event, due time.Time) {
	ask := w.Ask
	ask.MayShow = false
	e = Event{Kind: Settled, Ask: &ask, How: Gone}
	if r, ok := s.result(w.ID); ok {
		e.How, e.Answers, e.Words = howOf(r), r.Answers, r.Words
		return e, due
	}
	if !alive {
		return e, due
	}
	if w.missed.IsZero() {
		w.missed = now
	}
	if e.How = Allowed; w.Kind == AskQuestion || s.Status != Busy { // it does not run
		e.How, hold = Interrupted, hold*withoutResult
	}
	if due = w.missed.Add(hold); !now.Before(due) {
		return e, time.Time{}
	}
	return e, due
}

func howOf(r sessionfile.Result) How {
	hows := map[sessionfile.Outcome]How{sessionfile.Answered: Answered, sessionfile.Refused: Declined, sessionfile.Stopped: Interrupted}
	return cmp.Or(hows[r.Outcome], Allowed)
}
