package transcript

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/transcript/runlog"
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

// Span is a part of a log: its entries, oldest first, and where its neighbours
// begin. The spans of a log, joined by Merge, are what folding it at once
// gives; only the times are as exact as the index.
type Span struct {
	Entries []beckon.Entry
	// Before is the line before which the next older span ends, and After the
	// line with which the next newer one begins; -1 where there is none.
	Before, After int64
}

// Around returns the span of about older entries that end before a line, -1
// for the end of the log, and about newer ones that begin with it.
func Around(l *Log, line int64, older, newer int) (Span, error) {
	v := l.View()
	if line < 0 || line > v.Len() {
		line = v.Len()
	}
	p := page{view: v, entries: map[string]*beckon.Entry{}}
	first, end := line, line
	var err error
	for p.begin(older); first > 0 && p.wants(); {
		if first, err = p.prepend(first); err != nil {
			return Span{}, err
		}
	}
	for p.begin(newer); end < v.Len() && p.wants(); {
		if end, err = p.append(end); err != nil {
			return Span{}, err
		}
	}
	if err := p.lookAhead(end); err != nil {
		return Span{}, err
	}
	span := Span{Entries: p.sorted(), Before: first, After: end}
	if first == 0 {
		span.Before = -1
	}
	if end == v.Len() {
		span.After = -1
	}
	return span, nil
}

// page is one that is being put together, first from a line backwards, then
// from there on.
type page struct {
	view    runlog.View
	entries map[string]*beckon.Entry // by ID
	lines   []byte                   // those that are being read
	// Of the part that is being read: how many entries it has and is to have,
	// and its bytes.
	had, limit int
	read       int64
}

// begin begins a part of about limit entries.
func (p *page) begin(limit int) { p.had, p.limit, p.read = len(p.entries), limit, 0 }

func (p *page) wants() bool {
	got := len(p.entries) - p.had
	if got == 0 {
		return p.limit > 0 && p.read < pageBytesEmpty
	}
	return got < p.limit && p.read < pageBytes
}

// prepend folds the segments that end before a line and returns where they
// begin. Short ones are taken together.
func (p *page) prepend(before int64) (int64, error) {
	i := p.view.SegmentOf(before - 1)
	first := p.view.Segment(i)
	size := first.Bytes
	for ; i > 0; i-- {
		earlier := p.view.Segment(i - 1)
		if before-earlier.First > runlog.SegmentLines || size+earlier.Bytes > runlog.SegmentBytes {
			break
		}
		first = earlier
		size += earlier.Bytes
	}
	p.read += size
	return first.First, p.fold(Fold{next: first.First, totals: first.Totals}, first.First, before)
}

// append folds the rest of the segment that a line is in, with the short ones
// behind it, and returns where they end.
func (p *page) append(from int64) (int64, error) {
	i := p.view.SegmentOf(from)
	last := p.view.Segment(i)
	size := last.Bytes
	for ; i+1 < p.view.Segments(); i++ {
		later := p.view.Segment(i + 1)
		if later.End-from > runlog.SegmentLines || size+later.Bytes > runlog.SegmentBytes {
			break
		}
		last = later
		size += later.Bytes
	}
	p.read += size
	fold, err := foldAt(p.view, from)
	if err != nil {
		return 0, err
	}
	return last.End, p.fold(fold, from, last.End)
}

// fold adds the entries of some lines.
func (p *page) fold(fold Fold, from, to int64) error {
	own := map[string]*beckon.Entry{}
	for line, err := range p.view.ReadShort(&p.lines, from, to) {
		if err != nil {
			return err
		}
		for _, e := range fold.Add(line.Number, line.At, line.Raw) {
			mergeEntry(own, &e)
		}
	}
	for _, e := range own {
		mergeEntry(p.entries, e)
	}
	return nil
}

// mergeEntry adds an entry, or what is now known of it.
func mergeEntry(entries map[string]*beckon.Entry, e *beckon.Entry) {
	if known, ok := entries[e.ID]; ok {
		merged := Merge(*known, *e)
		e = &merged
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
	for i := p.view.SegmentOf(from); to < p.view.Len() && to-from < aheadLines; i++ {
		segment := p.view.Segment(i)
		if read += segment.Bytes; read > aheadBytes {
			break
		}
		to = segment.End
	}
	for line, err := range p.view.ReadShort(&p.lines, from, min(to, from+aheadLines)) {
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
	if isOwn(line.Raw) || !reader.MayHaveResults(line.Raw) || !mentions(line.Raw, waiting) {
		return
	}
	var fold Fold
	for _, e := range fold.Add(line.Number, line.At, line.Raw) {
		if waiting[e.ID] {
			mergeEntry(p.entries, &e)
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
	order := slices.SortedFunc(maps.Values(p.entries), func(a, b *beckon.Entry) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Part, b.Part), cmp.Compare(a.ID, b.ID))
	})
	list := make([]beckon.Entry, len(order))
	for i, e := range order {
		list[i] = *e
	}
	return list
}

// FoldAt returns the fold that goes on at line pos of a log, as if it had been
// given all lines before it, but for calls and messages that are open there.
func FoldAt(l *Log, pos int64) (Fold, error) { return foldAt(l.View(), pos) }

func foldAt(v runlog.View, pos int64) (Fold, error) {
	f := Fold{next: pos}
	if v.Segments() == 0 {
		return f, nil
	}
	segment := v.Segment(v.SegmentOf(pos))
	f.totals = segment.Totals
	for line, err := range v.ReadShort(new([]byte), segment.First, min(pos, v.Len())) {
		if err != nil {
			return Fold{}, err
		}
		f.totals = countTotals(f.totals, line.Raw)
	}
	return f, nil
}
