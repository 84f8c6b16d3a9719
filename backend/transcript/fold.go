package transcript

import (
	"bytes"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
)

// Fold turns lines, in order, into entries. The zero Fold begins at line
// 0; FoldAt gives one that begins elsewhere.
type Fold struct {
	next   int64 // the line that is due
	totals runlog.Totals
	// A fold that was not given every line does not know how many turns there
	// were, nor what they cost until the next result tells.
	uncounted, unpriced bool

	calls  map[string]beckon.Entry // without a result yet, by their IDs
	echoes map[string]bool         // entries of messages that were not echoed yet, by their IDs
}

// TextMost is the most that an entry's text has, in bytes.
const TextMost = runlog.Kept

// Add folds line number pos, of time at, and returns the entries that it
// created or changed, each a whole new value that replaces the one with its
// ID. A line that cannot be understood becomes a quiet notice, "unknown".
// Lines that were left out since the last call cost no more than their own
// entries: a result whose call was among them comes as an orphan, for Merge.
func (f *Fold) Add(pos, at int64, line []byte) []beckon.Entry {
	return f.AddLine(pos, at, agent.Raw(line))
}

// AddLine does it with a line that others read as well.
func (f *Fold) AddLine(pos, at int64, line agent.Line) []beckon.Entry {
	f.expect(pos)
	raw := bytes.TrimSpace(line.Bytes())
	switch {
	case len(raw) == 0:
		return nil
	case isOwn(raw):
		return f.addOwn(pos, at, raw)
	}
	entries := reader.Entries(pos, at, line)
	kept := entries[:0]
	for _, e := range entries {
		if e, fresh := f.join(e); fresh {
			kept = append(kept, e)
		}
	}
	return kept
}

// join gives an entry what earlier lines say of it, and reports whether it is more than an
// echo.
func (f *Fold) join(e beckon.Entry) (joined beckon.Entry, fresh bool) {
	switch {
	case e.Kind == beckon.UserEntry:
		return e, !f.echoed(e.ID)
	case e.Turn != nil:
		e.Turn = f.count(*e.Turn)
	case e.Tool != nil && e.Tool.Orphan:
		if call, ok := f.calls[e.ID]; ok {
			delete(f.calls, e.ID)
			e = Merge(call, e)
		}
	case e.Tool != nil && !e.Tool.Done:
		if f.calls == nil {
			f.calls = map[string]beckon.Entry{}
		}
		if call, ok := f.calls[e.ID]; ok {
			e = Merge(call, e)
		}
		f.calls[e.ID] = e
	}
	return e, true
}

// count numbers a turn, and says what it cost of what the process did.
func (f *Fold) count(turn beckon.TurnEnd) *beckon.TurnEnd {
	before, cost := f.totals, turn.CostUSD
	f.totals = afterTurn(before, cost)
	if turn.CostUSD = 0; !f.unpriced {
		turn.CostUSD = cost - costBefore(before, cost)
	}
	if !f.uncounted {
		turn.Number = int(f.totals.Turns)
	}
	f.unpriced = false
	return &turn
}

// expect notes that a line comes. Where it is not the one that is due, what is
// known of the earlier ones counts no more.
func (f *Fold) expect(pos int64) {
	if pos != f.next {
		f.uncounted, f.unpriced = true, true
		f.calls, f.echoes = nil, nil
	}
	f.next = pos + 1
}

// afterTurn adds a turn to the totals.
func afterTurn(t runlog.Totals, cost float64) runlog.Totals {
	return runlog.Totals{Turns: t.Turns + 1, Cost: cost}
}

// costBefore is what the process had cost before a turn by whose end it cost so much; one
// that was started again counts from zero.
func costBefore(t runlog.Totals, cost float64) float64 {
	if cost < t.Cost {
		return 0
	}
	return t.Cost
}

// totals are a log's: turns count.
var totals = runlog.Count{May: reader.MayEndTurn, After: countTotals}

func countTotals(t runlog.Totals, line []byte) runlog.Totals {
	if isOwn(line) {
		return t
	}
	if cost, ends := reader.EndsTurn(line); ends {
		return afterTurn(t, cost)
	}
	return t
}

// sent notes that a message has its entry.
func (f *Fold) sent(entryID string) {
	if f.echoes == nil {
		f.echoes = map[string]bool{}
	}
	f.echoes[entryID] = true
}

// echoed reports whether an echo repeats a message that has its entry.
func (f *Fold) echoed(entryID string) bool {
	known := f.echoes[entryID]
	delete(f.echoes, entryID)
	return known
}
