package runlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"sort"
)

// Line is one line of a log.
type Line struct {
	Number int64
	At     int64 // Unix milliseconds, as exact as the index; 0 where unknown
	// Raw is the line without its line feed, valid until the next one.
	Raw []byte
}

// Read returns the lines from number from until, and without, number to; a
// negative to stands for the end as it is now. An error ends the lines.
func (l *Log) Read(from, to int64) iter.Seq2[Line, error] { return l.View().Read(from, to) }

// View is a log as it was at one moment. What it holds never changes.
type View struct {
	file io.ReaderAt
	rows rows
	size int64 // bytes
	end  int64 // lines
	cut  bool  // the last one has no line feed yet
}

// View returns the log as it is now.
func (l *Log) View() View {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// Len is the number of lines.
func (v View) Len() int64 { return v.end }

// Segment is a part of a log that is read at once. Each begins with a line.
type Segment struct {
	First, End int64  // its first line, and the next segment's
	Bytes      int64  // its size
	Totals     Totals // before its first line
}

// Segments is the number of segments.
func (v View) Segments() int { return v.rows.len() }

// Segment returns one of the segments, which are numbered from 0.
func (v View) Segment(i int) Segment {
	end, r := v.end, v.rows.at(i)
	if i+1 < v.Segments() {
		end = v.rows.at(i + 1).line
	}
	return Segment{First: r.line, End: end, Bytes: v.bytes(i), Totals: r.totals}
}

// Read is Log.Read of what was there at that moment.
func (v View) Read(from, to int64) iter.Seq2[Line, error] {
	return v.read(new([]byte), from, to, v.segment)
}

// ReadShort is Read for who shows the lines: the long strings of large ones are cut, see
// package shorten, while they are read. The lines lie in buf, which grows and can be
// passed again.
func (v View) ReadShort(buf *[]byte, from, to int64) iter.Seq2[Line, error] {
	return v.read(buf, from, to, v.shortSegment)
}

// read yields lines out of the segments that get puts into buf.
func (v View) read(buf *[]byte, from, to int64, get func(i int, buf *[]byte) error) iter.Seq2[Line, error] {
	if to < 0 || to > v.end {
		to = v.end
	}
	from = max(from, 0)
	return func(yield func(Line, error) bool) {
		for i := v.SegmentOf(from); i < v.Segments() && v.rows.at(i).line < to; i++ {
			if err := get(i, buf); err != nil {
				yield(Line{}, err)
				return
			}
			if !yieldLines(*buf, v.rows.at(i), from, to, yield) {
				return
			}
		}
	}
}

// yieldLines yields the lines of a segment that are within from and to.
func yieldLines(segment []byte, r row, from, to int64, yield func(Line, error) bool) bool {
	for number := r.line; number < to && len(segment) > 0; number++ {
		raw, rest, _ := bytes.Cut(segment, []byte{'\n'})
		segment = rest
		if number >= from && !yield(Line{number, r.at, raw}, nil) {
			return false
		}
	}
	return true
}

// SegmentOf returns which segment a line is in; behind the end, the last.
func (v View) SegmentOf(line int64) int {
	after := sort.Search(v.Segments(), func(i int) bool { return v.rows.at(i).line > line })
	return max(after-1, 0)
}

// segment reads one into buf, which holds a giant line at the most once.
func (v View) segment(i int, buf *[]byte) error {
	size := int(v.bytes(i))
	*buf = slices.Grow((*buf)[:0], size)[:size]
	_, err := v.file.ReadAt(*buf, v.rows.at(i).offset)
	return err
}

// shortSegment reads one into buf, and of a large line what is left when its long
// strings are cut.
func (v View) shortSegment(i int, buf *[]byte) error {
	size, offset := v.bytes(i), v.rows.at(i).offset
	if size <= Large {
		return v.segment(i, buf)
	}
	piece := make([]byte, SegmentBytes)
	if _, err := v.file.ReadAt(piece, offset); err != nil {
		return err
	}
	// Only the last line of a segment goes beyond SegmentBytes.
	large := bytes.LastIndexByte(piece, '\n') + 1
	if size-int64(large) <= Large {
		return v.segment(i, buf)
	}
	line := ShortenTo(append((*buf)[:0], piece[:large]...))
	if whole := !v.cut || i+1 < v.Segments(); whole {
		size-- // the line feed
	}
	in := io.NewSectionReader(v.file, offset+int64(large), size-int64(large))
	for {
		n, err := in.Read(piece)
		line.TakePiece(piece[:n])
		if errors.Is(err, io.EOF) {
			*buf = line.End()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// bytes is the size of a segment.
func (v View) bytes(i int) int64 {
	end := v.size
	if i+1 < v.Segments() {
		end = v.rows.at(i + 1).offset
	}
	return end - v.rows.at(i).offset
}

// scanned is a line of a file without its line feed, or the beginning of one that was
// not wanted whole. It is valid until the next.
type scanned struct {
	raw  []byte
	size int64 // of all of it
}

// scan yields the lines between two places of a file; what follows the last line feed
// is a line as well. Of one that is longer than a segment, whole says by its beginning
// whether the rest is wanted.
func scan(file io.ReaderAt, from, to int64, whole func(head []byte) bool) iter.Seq2[scanned, error] {
	return func(yield func(scanned, error) bool) {
		in := bufio.NewReaderSize(io.NewSectionReader(file, from, to-from), int(min(to-from, SegmentBytes)))
		var long []byte
		for left := to - from; left > 0; {
			line, err := scanLine(in, &long, left, whole)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(scanned{}, err)
				return
			}
			left -= line.size
			if rest, ended := bytes.CutSuffix(line.raw, []byte{'\n'}); ended {
				line = scanned{rest, line.size - 1}
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// scanLine scans one of so many bytes that are left, with its line feed. One that is
// larger than the reader's buffer is put together in long.
func scanLine(in *bufio.Reader, long *[]byte, left int64, whole func(head []byte) bool) (scanned, error) {
	piece, err := in.ReadSlice('\n')
	size := int64(len(piece))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return scanned{piece, size}, err
	}
	wanted := whole(piece)
	*long = append((*long)[:0], piece...)
	for errors.Is(err, bufio.ErrBufferFull) {
		piece, err = in.ReadSlice('\n')
		size += int64(len(piece))
		if wanted {
			*long = extend(*long, piece, left-size)
		}
	}
	if !wanted && err == nil {
		*long = append(*long, '\n')
	}
	return scanned{*long, size}, err
}

// extend appends a piece to a line of a file that has so many bytes left. The line
// doubles, but not beyond the file: append makes five times a giant one on its way.
func extend(line, piece []byte, left int64) []byte {
	if need := len(piece); cap(line)-len(line) < need {
		line = slices.Grow(line, need+int(min(left, int64(len(line)+need))))
	}
	return append(line, piece...)
}
