package runlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"sort"
)

// An index row begins a segment of the log. A segment ends once it has
// SegmentLines lines or SegmentBytes bytes, or when a line is more than
// segmentSpan milliseconds younger than its first, whose time all its lines
// are given.
const (
	SegmentLines = 64
	SegmentBytes = 64 << 10
	segmentSpan  = 1000
)

// row is where a segment begins and how things stood just before it. The
// totals let a page number its turns and price them without reading what came
// earlier.
type row struct {
	line   int64
	offset int64 // in the log, bytes
	at     int64 // Unix milliseconds; 0 where unknown
	totals Totals
}

// Totals sums up the results of a run so far.
type Totals struct {
	Turns int64
	Cost  float64 // US dollars, cumulative as the agent reports it
}

// Count knows which lines change the totals; most do not.
type Count struct {
	// May reports by the beginning of a line whether it may: the rest of a giant one
	// that may not is not read.
	May func(head []byte) bool
	// After returns the totals after a line.
	After func(before Totals, line []byte) Totals
}

// The index file is a magic word and then rows: line, offset, at, turns and
// cost, 8 bytes each, little endian. An index of any other kind is rebuilt.
const (
	indexMagic = "bkidx\x00\x00\x01"
	rowSize    = 5 * 8
)

func (r row) append(to []byte) []byte {
	for _, v := range []uint64{uint64(r.line), uint64(r.offset), uint64(r.at), uint64(r.totals.Turns), math.Float64bits(r.totals.Cost)} {
		to = binary.LittleEndian.AppendUint64(to, v)
	}
	return to
}

func decodeRow(from []byte) row {
	field := func(i int) uint64 { return binary.LittleEndian.Uint64(from[i*8:]) }
	return row{
		line: int64(field(0)), offset: int64(field(1)), at: int64(field(2)),
		totals: Totals{Turns: int64(field(3)), Cost: math.Float64frombits(field(4))},
	}
}

// rows are an index as its file has it, behind the magic word. They are read where
// they lie: a page needs a few of the thousands that a long log has.
type rows []byte

func (r rows) len() int { return len(r) / rowSize }

func (r rows) at(i int) row { return decodeRow(r[i*rowSize:]) }

func (r rows) until(n int) rows { return r[:n*rowSize] }

// rowsOf returns the rows of an index file. A row that was cut short, or
// that cannot follow the one before it, ends them.
func rowsOf(raw []byte) rows {
	raw, ok := bytes.CutPrefix(raw, []byte(indexMagic))
	if !ok {
		return nil
	}
	all := rows(raw)
	var last row
	for i := range all.len() {
		next := all.at(i)
		if i == 0 && !next.first() || i > 0 && !next.follows(last) {
			return all.until(i)
		}
		last = next
	}
	return all.until(all.len())
}

func (r row) first() bool { return r.line == 0 && r.offset == 0 }

func (r row) follows(last row) bool {
	return r.line > last.line && r.offset > last.offset && r.totals.Turns >= last.totals.Turns
}

// usable returns the rows that point into the log. Where the last of them does
// not point behind a line feed the index belongs to another file, and none is.
func usable(all rows, log io.ReaderAt, size int64) (rows, error) {
	n := sort.Search(all.len(), func(i int) bool { return all.at(i).offset >= size })
	all = all.until(n)
	if n == 0 || all.at(n-1).offset == 0 {
		return all, nil
	}
	var before [1]byte
	if _, err := log.ReadAt(before[:], all.at(n-1).offset-1); err != nil {
		return nil, err
	}
	if before[0] != '\n' {
		return nil, nil
	}
	return all, nil
}

// indexer makes the rows of a log from its lines, in order.
type indexer struct {
	line   int64 // the next one's number
	offset int64 // and place
	totals Totals
	rows   rows
	count  Count
}

// indexerAt goes on at the start of the last row, as if it were not there yet.
func indexerAt(all rows, count Count) indexer {
	n := all.len()
	if n == 0 {
		return indexer{count: count}
	}
	last := all.at(n - 1)
	return indexer{count: count, line: last.line, offset: last.offset, totals: last.totals, rows: all.until(n - 1)}
}

// add takes the next line, which has size bytes with its line feed.
func (x *indexer) add(at int64, line []byte, size int64) {
	if n := x.rows.len(); n == 0 || x.endsSegment(x.rows.at(n-1), at) {
		x.rows = row{x.line, x.offset, at, x.totals}.append(x.rows)
	}
	x.line++
	x.offset += size
	x.totals = x.count.After(x.totals, line)
}

func (x *indexer) endsSegment(r row, at int64) bool {
	return x.line-r.line >= SegmentLines || x.offset-r.offset >= SegmentBytes ||
		at-r.at > segmentSpan || at < r.at
}

// readIndex returns the rows that the index file has of a log of size bytes.
// A missing or foreign file has none.
func readIndex(path string, log io.ReaderAt, size int64) (rows, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return usable(rowsOf(raw), log, size)
}
