package why

import (
	"beckon/backend/agent"
	"beckon/backend/git/diff"
	"beckon/backend/store/reviewed"
)

// This file puts what calls did and what turns left into one order.

// turnAt is the place of a turn: the run, and which of its turns.
type turnAt struct{ run, nth int }

// recorded is what a file was when a turn began and when it ended.
type recorded struct {
	before, after diff.Version
	mixed         bool
	// noBefore and noAfter say that the file had another name then, or was away for a while.
	noBefore, noAfter bool
}

// story is what happened to a file, run by run.
type story struct {
	calls []call
	steps []step
	turns map[turnAt]recorded
	// through is the turn with which it ends; nil: it goes on to now.
	through *turnAt
	over    bool
}

// add goes on with a run.
func (s *story) add(run int, l runLog) {
	first := len(s.calls)
	s.calls = append(s.calls, l.calls...)
	edits := 0
	for _, c := range s.calls[:first] {
		edits = max(edits, c.number)
	}
	for i := first; i < len(s.calls); i++ {
		if s.calls[i].Effect == agent.EditsFile {
			edits++
			s.calls[i].number = edits
		}
	}
	if l.lost {
		s.steps = append(s.steps, step{kind: misses})
	}
	nth, begun := 1, false
	for _, e := range l.events {
		if s.over {
			return
		}
		if !begun {
			begun = true
			s.check(turnAt{run, nth}, true)
		}
		if e.kind == turnEnded {
			s.check(turnAt{run, nth}, false)
			nth, begun = nth+1, false
			continue
		}
		if e.kind == skipped {
			s.steps = append(s.steps, step{kind: loses})
			continue
		}
		s.event(e, first+e.call)
	}
	if !s.over && begun {
		s.check(turnAt{run, nth}, false)
	}
	s.steps = append(s.steps, step{kind: stops}, step{kind: pauses})
}

// check adds what is known of the file at an end of a turn. Between two turns others may
// change it.
func (s *story) check(at turnAt, begins bool) {
	turn := s.turns[at]
	of, away, wait := turn.after, turn.noAfter, step{kind: pauses}
	if begins {
		of, away = turn.before, turn.noBefore
		s.steps = append(s.steps, wait)
	}
	if away {
		s.steps = append(s.steps, step{kind: misses})
	} else if of.Known && !of.Unread {
		s.steps = append(s.steps, step{kind: checks, content: of.Text, unsure: turn.mixed})
	}
	if !begins {
		s.steps = append(s.steps, wait)
		s.over = s.through != nil && *s.through == at
	}
}

// event adds what a call, or its result, does to the file.
func (s *story) event(e event, at int) {
	c := s.calls[at]
	switch {
	case c.Effect == agent.MayChange && e.kind == called:
		s.steps = append(s.steps, step{kind: begins, call: at})
	case c.Effect == agent.MayChange && !c.Stays:
		s.steps = append(s.steps, step{kind: ends, call: at})
	case c.Effect != agent.EditsFile || c.Undone || e.kind == called && c.Ends:
	case c.ofFile && e.kind == returned && !c.Unsure && len(c.Changes) > 0:
		s.steps = append(s.steps, step{kind: edits, call: at, changes: c.Changes, original: c.Original})
	case c.ofFile || c.perhaps:
		// Without a result it may have done it, and may do it still.
		s.steps = append(s.steps, step{kind: begins, call: at})
		if e.kind == returned {
			s.steps = append(s.steps, step{kind: ends, call: at})
		}
		if !c.ofFile {
			s.steps = append(s.steps, step{kind: pauses}) // if it was another file, others may have changed this one
		}
	case c.astray:
		s.steps = append(s.steps, step{kind: misses})
	}
}

// turnsOf returns what a file was at the ends of turns. The run of each is given by its place. Where a
// tree lacks the file that one before and one after it have, it had a name that is not known.
func turnsOf(turns []reviewed.Turn, runs map[string]int, versions map[string]diff.Version, now diff.Version) map[turnAt]recorded {
	all := map[turnAt]recorded{}
	last := -1 // the last turn at whose end, or behind which, there is the file
	for i, t := range turns {
		if versions[t.Before].There || versions[t.After].There {
			last = i
		}
	}
	if now.There {
		last = len(turns)
	}
	there := false
	for i, t := range turns {
		before, after := versions[t.Before], versions[t.After]
		one := recorded{before: before, after: after, mixed: t.Mixed}
		there = there || before.There
		one.noBefore = there && before.Known && !before.There && (i < last || after.There)
		there = there || after.There
		one.noAfter = there && after.Known && !after.There && i < last
		if run, ok := runs[t.RunID]; ok {
			all[turnAt{run, t.Nth}] = one
		}
	}
	return all
}
