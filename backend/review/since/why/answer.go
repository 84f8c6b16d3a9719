package why

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"

	"beckon/backend/agent"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/plain"
	"beckon/backend/transcript"
)

// This file puts what is known of lines into the words of an answer.

const (
	// mostSaid is how much is shown of what the agent said, in bytes.
	mostSaid = 2 << 10
	// mostEntries is how many entries before a call are looked at for that.
	mostEntries = 80
	// mostEarlier is how many times lines are followed to those whose place they took.
	mostEarlier = 20
)

// reasons returns who changed lines, most of them first, and then who changed what had been
// in their place, the latest first.
func (f *found) reasons(ctx context.Context, b *blame, lines reviewing.ChangedLines) []Reason {
	whole := lines.First == 0 && lines.BeforeFirst == 0
	var all []*origin
	byOrigin := map[*origin]*Reason{}
	of := func(o *origin) *Reason {
		if o == nil {
			o = noOrigin
		}
		if byOrigin[o] == nil {
			byOrigin[o] = &Reason{}
			all = append(all, o)
		}
		return byOrigin[o]
	}
	earlier := map[*origin]bool{}
	for _, block := range b.blocks {
		for _, n := range block.added {
			if !whole && (n < lines.First || n > lines.Last) {
				continue
			}
			r := of(b.added[n])
			if r.Added++; r.First == 0 {
				r.First = n
			}
			r.Last = n
			for l, i := b.earlier[n], 0; l != nil && i < mostEarlier; l, i = l.earlier, i+1 {
				if l.by.sure != was {
					earlier[l.by] = true
				}
			}
		}
		for _, n := range block.removed {
			if whole || n >= lines.BeforeFirst && n <= lines.BeforeLast {
				of(b.removed[n]).Removed++
			}
		}
	}
	slices.SortStableFunc(all, func(x, y *origin) int {
		rx, ry := byOrigin[x], byOrigin[y]
		return cmp.Compare(ry.Added+ry.Removed, rx.Added+rx.Removed)
	})
	var before []*origin
	for o := range earlier {
		if byOrigin[o] == nil {
			before = append(before, o)
			byOrigin[o] = &Reason{Earlier: true}
		}
	}
	slices.SortFunc(before, func(x, y *origin) int { return cmp.Compare(last(y), last(x)) })
	reasons := []Reason{}
	for _, o := range slices.Concat(all, before) {
		if len(reasons) == mostReasons {
			break
		}
		reasons = append(reasons, f.say(ctx, o, *byOrigin[o]))
	}
	return reasons
}

// noOrigin is that of lines of which nothing can be said.
var noOrigin = &origin{sure: unknown}

// last returns the latest call of an origin, -1 of none.
func last(o *origin) int {
	if len(o.calls) == 0 {
		return -1
	}
	return slices.Max(o.calls)
}

// say fills in a reason.
func (f *found) say(ctx context.Context, o *origin, r Reason) Reason {
	r.Sure, r.Others, r.Calls = o.said(), o.others, []Call{}
	for _, i := range slices.Backward(o.calls) {
		if len(r.Calls) == mostNamed {
			r.More = len(o.calls) - mostNamed
			break
		}
		r.Calls = append(r.Calls, f.call(ctx, f.story.calls[i]))
	}
	return r
}

// said is how well an origin is known.
func (o *origin) said() Sure {
	switch {
	case o.sure == exact:
		return ByCall
	case o.sure == within && len(o.calls) == 1:
		return Within
	case o.sure == within:
		return OneOf
	case o.sure == outside:
		return Outside
	case o.sure == was:
		return Older
	default:
		return Unknown
	}
}

// call returns a call and what led to it.
func (f *found) call(ctx context.Context, c call) Call {
	run := f.runs[c.run]
	said := Call{
		ID: c.ID, RunID: run.ID, Pos: c.pos, At: c.at, Verb: c.Verb, Does: c.Does, Number: c.number, Agent: run.Agent,
		Opening: f.opening(run.ID, c.turn), Question: f.question(ctx, c),
	}
	if c.Effect != agent.EditsFile {
		said.Number = 0
	}
	if c.ofFile {
		said.Does = f.path
	}
	for _, t := range f.history.Turns {
		if t.RunID == run.ID && t.Nth == c.turn {
			said.Turn = t.Number
		}
	}
	text, pos, err := wordsBefore(f.Logs, run.ID, c)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("read what an agent said before a call", "err", err, "run", run.ID)
	}
	said.Said, said.SaidPos = text, pos
	return said
}

// wordsBefore returns what the agent of a call said last before it in the same turn, and where.
func wordsBefore(dir, runID string, c call) (text string, pos int64, err error) {
	log, err := transcript.OpenRead(dir, runID)
	if err != nil {
		return "", 0, err
	}
	defer log.Close()
	span, err := transcript.Around(log, c.pos+1, mostEntries, 0)
	if err != nil {
		return "", 0, err
	}
	before := false
	for _, e := range slices.Backward(span.Entries) {
		switch {
		case e.ID == c.ID:
			before = true
		case !before && e.Pos >= c.pos || e.Parent != c.Parent:
		case e.Kind == beckon.TurnEntry || e.Kind == beckon.UserEntry:
			return "", 0, nil
		case e.Kind == beckon.TextEntry:
			return plain.Cut(e.Text, mostSaid), e.Pos, nil
		}
	}
	return "", 0, nil
}
