// Package lines cuts streams and files into the lines of the CLI. It reads from
// whatever it is given, keeps one buffer, and leaves out what is too long.
package lines

import (
	"bytes"
	"io"
	"runtime"

	"beckon/backend/agent/claude"
)

// The reader's buffer: a pipe gives at most its own size at once, and a
// buffer that a huge line has grown is given back once there are no more.
const (
	bufferSize = 256 << 10
	bufferKept = 1 << 20
)

// wasteMost is how large the parts of a line may be before they are collected at once:
// left to the collector they would decide how much garbage there may be from then on.
const wasteMost = 4 << 20

// Reader cuts a stream into lines.
type Reader struct {
	most  int // instead of claude.LineMost, where it is not 0
	kind  func([]byte) claude.LineKind
	skips bool // the line that is being read is too long
	from  io.Reader
	buf   []byte
	rest  int // where the incomplete line starts in buf
	end   int // of what buf holds
	lines []claude.Line

	// A line that outgrows the buffer is put aside in parts until its end has come: a
	// buffer that grows with it would leave several times its size behind.
	parts [][]byte
	aside int // bytes of parts
}

// New returns one of the agent's stdout. Lines of more than most bytes,
// or claude.LineMost where that is 0, are left out.
func New(from io.Reader, most int) *Reader {
	return &Reader{from: from, most: most, kind: claude.KindOf}
}

// NewPlain returns one of lines that are not the agent's stdout: their
// kind is not looked for.
func NewPlain(most int) *Reader {
	return &Reader{most: most, kind: func([]byte) claude.LineKind { return claude.UnknownLine }}
}

// Reset begins another stream in the same buffer.
func (r *Reader) Reset(from io.Reader) {
	r.from, r.rest, r.end, r.skips = from, 0, 0, false
	r.parts, r.aside = nil, 0
}

// Next returns every line that the next chunk completes, at least one. What
// follows the last line feed before the end is a line as well.
func (r *Reader) Next() ([]claude.Line, error) {
	r.makeRoom()
	clear(r.lines) // what was decoded of them may be large
	r.lines = r.lines[:0]
	for {
		if r.end == len(r.buf) {
			r.putAside()
		}
		n, err := r.from.Read(r.buf[r.end:])
		r.cut(n)
		if err != nil && (r.rest < r.end || r.aside > 0 || r.skips) {
			r.join()
			r.add(r.buf[r.rest:r.end])
			r.rest = r.end
		}
		switch {
		case len(r.lines) > 0:
			return r.lines, nil // an error comes again
		case err != nil:
			return nil, err
		}
	}
}

// putAside makes room for more of a line.
func (r *Reader) putAside() {
	if r.end > r.rest {
		r.parts = append(r.parts, r.buf[r.rest:r.end])
		r.aside += r.end - r.rest
		r.buf = nil
	}
	if r.buf == nil {
		r.buf = make([]byte, bufferSize)
	}
	r.rest, r.end = 0, 0
}

// join makes one again of the line that is in parts and what the buffer holds, and
// returns how far that has moved.
func (r *Reader) join() int {
	moved := r.aside
	if moved == 0 {
		return 0
	}
	whole := make([]byte, 0, moved+len(r.buf))
	for _, part := range r.parts {
		whole = append(whole, part...)
	}
	whole = append(whole, r.buf[:r.end]...)
	r.parts, r.aside = nil, 0
	r.buf, r.end = whole[:cap(whole)], len(whole)
	if moved > wasteMost {
		runtime.GC()
	}
	return moved
}

// makeRoom moves the incomplete line to the front of the buffer. One that the
// latest lines did not half fill is given back; huge ones in a row share it.
func (r *Reader) makeRoom() {
	left := r.buf[r.rest:r.end]
	if len(r.buf) > bufferKept && r.end < len(r.buf)/2 && len(left) < bufferSize/2 {
		r.buf = make([]byte, bufferSize)
	}
	r.end = copy(r.buf, left)
	r.rest = 0
}

// cut takes in n bytes that were read.
func (r *Reader) cut(n int) {
	from := r.end
	r.end += n
	for {
		i := bytes.IndexByte(r.buf[from:r.end], '\n')
		if i < 0 {
			r.bound()
			return
		}
		from += r.join()
		r.add(r.buf[r.rest : from+i])
		from += i + 1
		r.rest = from
	}
}

func (r *Reader) limit() int {
	if r.most > 0 {
		return r.most
	}
	return claude.LineMost
}

// bound drops what has come of a line that is too long, and all that comes of
// it after that.
func (r *Reader) bound() {
	if r.skips = r.skips || r.aside+r.end-r.rest > r.limit(); r.skips {
		r.end, r.parts, r.aside = r.rest, nil, 0
	}
}

func (r *Reader) add(raw []byte) {
	switch {
	case r.skips || len(raw) > r.limit():
		r.skips = false
		r.lines = append(r.lines, claude.Line{Kind: claude.LongLine})
	case len(raw) > 0:
		r.lines = append(r.lines, claude.Line{Raw: raw, Kind: r.kind(raw)})
	}
}
