// Package timeline tells when a run did what: its turns with what they took, its calls, and what
// its sub-agents did beside it. It is read from the entries of the run's transcript, in their
// order, and grows with them; who waited, and what was committed, others know.
package timeline

import (
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/transcript"
)

const (
	// mostCalls is how many calls a run has in its time. Where there are more, those that are
	// close to another one are left out, but for failed ones as long as these are not too many.
	mostCalls = 1500
	// mostParts is how many turns, and how many stretches of sub-agents, it has.
	mostParts = 2000
)

// Place is an entry of a run's transcript: the line that it began with, and which part of that.
type Place struct {
	Pos  int64 `json:"pos"`
	Part int   `json:"part"`
}

// Run is the time of a run. Times are Unix milliseconds.
type Run struct {
	Turns  []Turn
	Calls  []Call
	Beside []Spell // sub-agents at work
	More   int     // calls that are in none of Calls
}

// Turn goes from a message to its result.
type Turn struct {
	Place           // of what began it; of its result where nothing did
	Number  int     `json:"number"` // counts within the run, from 1
	From    int64   `json:"from"`
	To      int64   `json:"to"` // 0: it has no end yet
	Failed  bool    `json:"failed"`
	Tokens  int64   `json:"tokens"`
	CostUSD float64 `json:"costUsd"`
	Text    string  `json:"text"` // how its message begins; empty where there was none
}

// Call is one of a tool.
type Call struct {
	Place
	At     int64       `json:"at"`
	Verb   beckon.Verb `json:"verb"`
	Failed bool        `json:"failed"`
}

// Spell is from what a sub-agent did first to what it did last.
type Spell struct {
	Place       // of the call that began it
	From  int64 `json:"from"`
	To    int64 `json:"to"`
}

// Reader makes the time of one run from its entries. Use NewReader.
type Reader struct {
	run   Run
	began int64
	last  int64 // the newest time that is known
	open  bool  // the newest turn has no end yet
	// calls and agents are where calls and sub-agents are, by their ids. apart is how long after
	// another a call counts that did not fail.
	calls  map[string]Call
	agents map[string]int
	apart  int64
}

// NewReader returns one of a run that began at a time.
func NewReader(began int64) *Reader {
	return &Reader{
		run: Run{Turns: []Turn{}, Calls: []Call{}, Beside: []Spell{}}, began: began, last: began,
		calls: map[string]Call{}, agents: map[string]int{},
	}
}

// Add takes the next entry, or what is now known of an earlier one.
func (r *Reader) Add(e beckon.Entry) {
	if e.At > 0 {
		r.last = max(r.last, e.At)
	}
	at := max(e.At, r.began)
	if e.At == 0 {
		at = r.last
	}
	place := Place{e.Pos, e.Part}
	switch {
	case e.Tool != nil:
		r.call(e, place, at)
	case e.Parent != "":
	case e.Kind == beckon.UserEntry:
		r.opens(place, at, e)
	case e.Turn != nil:
		r.ends(place, at, e.Turn)
	}
	if i, known := r.agents[e.Parent]; known && i >= 0 {
		r.run.Beside[i].To = max(r.run.Beside[i].To, at)
	}
}

// opens begins a turn with a message; one that is open already has begun with another.
func (r *Reader) opens(place Place, at int64, e beckon.Entry) {
	mark, _ := transcript.LandmarkOf(e)
	if n := len(r.run.Turns); r.open && r.run.Turns[n-1].Text == "" {
		r.run.Turns[n-1].Text, r.run.Turns[n-1].Place = mark.Text, place
	}
	if !r.open && len(r.run.Turns) < mostParts {
		if len(r.run.Turns) == 0 {
			at = r.began
		}
		r.begin(Turn{Place: place, From: at, Text: mark.Text})
	}
}

func (r *Reader) begin(t Turn) {
	r.open = true
	r.run.Turns = append(r.run.Turns, t)
}

// ends ends the turn that is open, or one that nobody's message began.
func (r *Reader) ends(place Place, at int64, end *beckon.TurnEnd) {
	if !r.open {
		if len(r.run.Turns) >= mostParts {
			return
		}
		from := r.began
		if n := len(r.run.Turns); n > 0 {
			from = max(r.run.Turns[n-1].To, at-end.DurationMs)
		}
		r.begin(Turn{Place: place, From: from})
	}
	t := &r.run.Turns[len(r.run.Turns)-1]
	t.Number, t.To, t.Failed, t.Tokens, t.CostUSD = end.Number, at, end.Failed, end.Tokens, end.CostUSD
	r.open = false
}

// call notes a call, or that it failed.
func (r *Reader) call(e beckon.Entry, place Place, at int64) {
	if known, is := r.calls[e.ID]; is {
		if e.Tool.Failed && !known.Failed {
			r.fail(known)
		}
		if e.Tool.Done {
			delete(r.calls, e.ID)
		}
		return
	}
	if e.Tool.Orphan {
		return
	}
	if _, known := r.agents[e.ID]; e.Tool.Verb == beckon.Delegates && !known {
		r.agents[e.ID] = -1
		if len(r.run.Beside) < mostParts {
			r.agents[e.ID] = len(r.run.Beside)
			r.run.Beside = append(r.run.Beside, Spell{place, at, at})
		}
	}
	c := Call{place, at, e.Tool.Verb, e.Tool.Failed}
	if !e.Tool.Done {
		r.calls[e.ID] = c
	}
	if !c.Failed && r.near(c) {
		r.run.More++
		return
	}
	r.run.Calls = append(r.run.Calls, c)
	for len(r.run.Calls) > mostCalls {
		r.thin()
	}
}

// near reports whether a call is too close to the one before to count.
func (r *Reader) near(c Call) bool {
	n := len(r.run.Calls)
	return n > 0 && c.At-r.run.Calls[n-1].At < r.apart
}

// thin leaves out calls that are close to another one.
func (r *Reader) thin() {
	r.apart = max(1000, 2*r.apart)
	const most = 24 * 60 * 60 * 1000
	kept := r.run.Calls[:0]
	for i, c := range r.run.Calls {
		failed := c.Failed && r.apart <= most
		if i == 0 || failed || c.At-kept[len(kept)-1].At >= r.apart {
			kept = append(kept, c)
		}
	}
	r.run.More += len(r.run.Calls) - len(kept)
	r.run.Calls = kept
}

// fail notes that a call that counts failed.
func (r *Reader) fail(c Call) {
	i, there := slices.BinarySearchFunc(r.run.Calls, c, func(a, b Call) int {
		switch {
		case a.Pos != b.Pos:
			return int(min(1, max(-1, a.Pos-b.Pos)))
		default:
			return a.Part - b.Part
		}
	})
	if there {
		r.run.Calls[i].Failed = true
	}
}

// Run returns what is known by now. Its parts are copies.
func (r *Reader) Run() Run {
	run := r.run
	run.Turns, run.Calls, run.Beside = slices.Clone(run.Turns), slices.Clone(run.Calls), slices.Clone(run.Beside)
	return run
}
