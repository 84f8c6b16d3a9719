package since

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/decisions"
)

// This file joins decisions with what they led to, counted only when asked.

const (
	// mostAsked is how many decisions one call may ask about.
	mostAsked = 50
	// mostCounted is how many counts are kept.
	mostCounted = 2000
	// mostShown is how many files a decision's details show.
	mostShown = 2
)

// Led is what a decision led to.
type Led struct {
	ID string `json:"id"` // of the decision
	// Known says that the rest is; without it nothing can be said.
	Known   bool `json:"known"`
	Files   int  `json:"files"`
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	// Turn is the first and Last the last turn that it counts, as reviewing.Turn numbers them.
	Turn int `json:"turn"`
	Last int `json:"last"`
	// Mixed says that what others changed may be counted, too.
	Mixed bool `json:"mixed"`
}

// Details are a decision and what came of it.
type Details struct {
	Question beckon.Question   `json:"question"`
	Led      Led               `json:"led"`
	Files    []beckon.FileDiff `json:"files"` // the largest ones, two at most, with their patches
	After    []beckon.Question `json:"after"` // what was decided later in the same run
}

// Ledger counts. Its methods may be called from any goroutine.
type Ledger struct {
	Rows        decisions.Rows
	Checkpoints checkpoints.Rows
	Since       *Since

	mu      sync.Mutex
	counted map[pair]sum
}

// pair names two trees of a repository: what differs between them never changes.
type pair struct{ from, to string }

// sum is how much differs.
type sum struct{ files, added, removed int }

// Led returns what decisions led to, in their order; 50 at most. An unknown one has nothing, nor
// have those that git was too slow for.
func (l *Ledger) Led(ctx context.Context, ids []string) ([]Led, error) {
	if len(ids) > mostAsked {
		return nil, beckon.Invalid("what decisions led to is counted for %d at once, not %d", mostAsked, len(ids))
	}
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, lookIn)
	defer cancel()
	all := make([]Led, 0, len(ids))
	for _, id := range ids {
		q, err := l.Rows.One(whole, id)
		if errors.Is(err, beckon.ErrNotFound) {
			all = append(all, Led{ID: id})
			continue
		}
		if err != nil {
			return nil, err
		}
		led, _ := l.of(ctx, q)
		all = append(all, led)
	}
	return all, whole.Err()
}

// of returns what a decision led to. A fault of git's is no news: the count is unknown then.
func (l *Ledger) of(ctx context.Context, q beckon.Question) (Led, Span) {
	led := Led{ID: q.ID}
	span, known, err := l.span(ctx, q)
	if err != nil || !known {
		if err != nil {
			slog.Debug("find what a decision led to", "err", err, "question", q.ID)
		}
		return led, span
	}
	n, err := l.count(ctx, span)
	if err != nil {
		slog.Debug("count what a decision led to", "err", err, "question", q.ID)
		return led, span
	}
	return Led{q.ID, true, n.files, n.added, n.removed, span.Turn, span.Last, span.Mixed}, span
}

// Of returns what a decision of a task led to; known is false where that cannot be known.
func (l *Ledger) Of(ctx context.Context, taskID, questionID string) (span Span, known bool, err error) {
	q, err := l.Rows.One(ctx, questionID)
	if errors.Is(err, beckon.ErrNotFound) || err == nil && q.TaskID != taskID {
		return span, false, nil
	}
	if err != nil {
		return span, false, err
	}
	return l.span(ctx, q)
}

func (l *Ledger) span(ctx context.Context, q beckon.Question) (Span, bool, error) {
	// The agent heard two answers, or said afterwards what it had decided.
	twice := q.Settlement == beckon.Expired && q.Answer != nil || len(q.Earlier) > 0
	if q.TaskID == "" || q.Budget != nil || twice || q.Reason.Is(reason.NotAsked) {
		return Span{}, false, nil
	}
	near, err := l.Rows.Neighbors(ctx, q)
	if err != nil {
		return Span{}, false, err
	}
	m := Moment{TaskID: q.TaskID, RunID: q.RunID, At: q.Settled, Before: near.Before.Settled, After: near.After.Settled}
	if near.Before.Settled <= q.Asked {
		if m.From, err = l.tree(ctx, q); err != nil {
			return Span{}, false, err
		}
	}
	if near.After.Asked >= q.Settled {
		if m.Until, err = l.tree(ctx, near.After); err != nil {
			return Span{}, false, err
		}
	}
	return l.Since.Led(ctx, m)
}

// tree returns the tree of a task's files when a question was asked; empty where that was not
// recorded.
func (l *Ledger) tree(ctx context.Context, q beckon.Question) (string, error) {
	kept, _, err := l.Checkpoints.Of(ctx, q.ID)
	return kept.Tree, err
}

func (l *Ledger) count(ctx context.Context, span Span) (n sum, err error) {
	key := pair{span.Trees.From, span.Trees.To}
	l.mu.Lock()
	n, known := l.counted[key]
	l.mu.Unlock()
	if known {
		return n, nil
	}
	files, err := span.Files(ctx)
	if err != nil {
		return n, err
	}
	for _, f := range files {
		n.files, n.added, n.removed = n.files+1, n.added+f.Added, n.removed+f.Removed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counted == nil || len(l.counted) >= mostCounted {
		l.counted = map[pair]sum{}
	}
	l.counted[key] = n
	return n, nil
}

// Details returns a decision and what came of it, or beckon.ErrNotFound.
func (l *Ledger) Details(ctx context.Context, id string) (d Details, err error) {
	if d.Question, err = l.Rows.One(ctx, id); err != nil {
		return d, err
	}
	if d.After, err = l.Rows.After(ctx, d.Question); err != nil {
		return d, err
	}
	var span Span
	d.Led, span = l.of(ctx, d.Question)
	d.Files = []beckon.FileDiff{}
	if !d.Led.Known {
		return d, nil
	}
	files, err := span.Files(ctx)
	if err != nil {
		slog.Debug("list what a decision led to", "err", err, "question", id)
	}
	slices.SortStableFunc(files, func(a, b beckon.FileDiff) int { return cmp.Compare(b.Added+b.Removed, a.Added+a.Removed) })
	for _, f := range files[:min(len(files), mostShown)] {
		if whole, err := span.Patch(ctx, f); err == nil {
			f = whole
		} else {
			slog.Debug("show what a decision led to", "err", err, "question", id)
		}
		d.Files = append(d.Files, f)
	}
	return d, nil
}
