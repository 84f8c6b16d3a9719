package transcript

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/claude"
)

// A page reads no more of the log than these bytes and one segment beyond, so
// that one of giant lines is short; as long as it has nothing to show it reads
// on. For the results of calls that the page began it looks ahead.
const (
	pageBytes      = 2 << 20
	pageBytesEmpty = 64 << 20
	aheadLines     = 512
	aheadBytes     = 2 << 20
)

// Page returns about limit entries that end before a line, -1 for the end of
// the log, oldest first, and the line before which the next older page ends,
// -1 where there is none. The pages of a log, joined by Merge, are what
// folding it at once gives; only the times are as exact as the index.
func Page(l *Log, before int64, limit int) (entries []beckon.Entry, next int64, err error) {
	v := l.view()
	if before < 0 || before > v.end {
		before = v.end
	}
	p := page{view: v, entries: map[string]beckon.Entry{}}
	next = before
	for next > 0 && p.wants(limit) {
		if next, err = p.prepend(next); err != nil {
			return nil, 0, err
		}
	}
	if err := p.lookAhead(before); err != nil {
		return nil, 0, err
	}
	if next == 0 {
		next = -1
	}
	return p.sorted(), next, nil
}

// page is one that is being put together, from its end to its beginning.
type page struct {
	view    view
	entries map[string]beckon.Entry // by ID
	read    int64                   // bytes
}

func (p *page) wants(limit int) bool {
	if len(p.entries) == 0 {
		return p.read < pageBytesEmpty
	}
	return len(p.entries) < limit && p.read < pageBytes
}

// prepend folds the segments that end before a line and returns where they
// begin. Short ones are taken together.
func (p *page) prepend(before int64) (int64, error) {
	i := p.view.segmentOf(before - 1)
	size := p.view.bytes(i)
	for i > 0 && before-p.view.rows[i-1].line <= segmentLines && size+p.view.bytes(i-1) <= segmentBytes {
		i--
		size += p.view.bytes(i)
	}
	p.read += size
	first := p.view.rows[i]
	fold := Fold{next: first.line, totals: first.totals}
	own := map[string]beckon.Entry{}
	for line, err := range p.view.read(first.line, before) {
		if err != nil {
			return 0, err
		}
		for _, e := range fold.Add(line.Number, line.At, line.Raw) {
			put(own, e)
		}
	}
	for id, e := range own {
		if later, ok := p.entries[id]; ok {
			e = Merge(e, later)
		}
		p.entries[id] = e
	}
	return first.line, nil
}

// put adds an entry, or what is now known of it.
func put(entries map[string]beckon.Entry, e beckon.Entry) {
	if known, ok := entries[e.ID]; ok {
		e = Merge(known, e)
	}
	entries[e.ID] = e
}

// lookAhead finds results, behind the page, of calls that it began.
func (p *page) lookAhead(from int64) error {
	waiting := p.waiting()
	if len(waiting) == 0 {
		return nil
	}
	to, read := from, int64(0)
	for i := p.view.segmentOf(from); to < p.view.end && to-from < aheadLines; i++ {
		if read += p.view.bytes(i); read > aheadBytes {
			break
		}
		to = p.view.lineAfter(i)
	}
	for line, err := range p.view.read(from, min(to, from+aheadLines)) {
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			return nil
		}
		p.answer(waiting, line)
	}
	return nil
}

// waiting lists the calls without a result.
func (p *page) waiting() map[string]bool {
	ids := map[string]bool{}
	for id, e := range p.entries {
		if e.Tool != nil && !e.Tool.Done {
			ids[id] = true
		}
	}
	return ids
}

// answer gives a line's results to the calls that wait for them.
func (p *page) answer(waiting map[string]bool, line Line) {
	if claude.KindOf(line.Raw) != claude.UserLine || !mentions(line.Raw, waiting) {
		return
	}
	var fold Fold
	for _, e := range fold.Add(line.Number, line.At, line.Raw) {
		if waiting[e.ID] {
			put(p.entries, e)
			delete(waiting, e.ID)
		}
	}
}

func mentions(line []byte, ids map[string]bool) bool {
	for id := range ids {
		if bytes.Contains(line, []byte(id)) {
			return true
		}
	}
	return false
}

func (p *page) sorted() []beckon.Entry {
	return slices.SortedFunc(maps.Values(p.entries), func(a, b beckon.Entry) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Part, b.Part), cmp.Compare(a.ID, b.ID))
	})
}

// lineAfter is the number of the first line behind a segment.
func (v view) lineAfter(i int) int64 {
	if i+1 < len(v.rows) {
		return v.rows[i+1].line
	}
	return v.end
}

// FoldAt returns the fold that goes on at line pos, as if it had been told all
// lines before it, but for calls and messages that are open there.
func (l *Log) FoldAt(pos int64) (Fold, error) {
	v := l.view()
	f := Fold{next: pos}
	if len(v.rows) == 0 {
		return f, nil
	}
	r := v.rows[v.segmentOf(pos)]
	f.totals = r.totals
	for line, err := range v.read(r.line, min(pos, v.end)) {
		if err != nil {
			return Fold{}, err
		}
		f.totals.add(line.Raw)
	}
	return f, nil
}
