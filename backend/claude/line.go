package claude

import (
	"bytes"
	"encoding/json"
	"io"
)

// LineKind is the type of a line; see docs/PROTOCOL.md section 2.
type LineKind string

// The kinds of lines.
const (
	AssistantLine LineKind = "assistant"
	UserLine      LineKind = "user"
	StreamEvent   LineKind = "stream_event"
	SystemLine    LineKind = "system"
	ResultLine    LineKind = "result"
	// ControlRequest is a question of the CLI's, ControlCancel its withdrawal.
	ControlRequest LineKind = "control_request"
	ControlCancel  LineKind = "control_cancel_request"
	// ControlResponse answers one of ours or echoes one of our answers.
	ControlResponse LineKind = "control_response"
	RateLimitLine   LineKind = "rate_limit_event"
	// LongLine stands for one that was too long to be kept; it has no Raw.
	LongLine LineKind = "too long"
	// UnknownLine is of any other type, or no JSON at all.
	UnknownLine LineKind = "unknown"
)

// kinds lists the known ones; the most frequent come first.
var kinds = []LineKind{
	StreamEvent, AssistantLine, UserLine, SystemLine, ResultLine,
	ControlRequest, ControlResponse, ControlCancel, RateLimitLine,
}

// Line is one line of the agent's stdout.
type Line struct {
	// Raw is the line without its line feed. It may hold invalid UTF-8. It is
	// valid until the next call of Next.
	Raw  []byte
	Kind LineKind
}

// opening is how the CLI begins each line.
var opening = []byte(`{"type":"`)

// KindOf tells the kind of a raw line by its first bytes. Only a line that
// does not begin as the CLI's do is decoded.
func KindOf(raw []byte) LineKind {
	if rest, ok := bytes.CutPrefix(raw, opening); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			return kindNamed(rest[:end])
		}
	}
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(raw, &head) != nil {
		return UnknownLine
	}
	return kindNamed([]byte(head.Type))
}

func kindNamed(name []byte) LineKind {
	for _, k := range kinds {
		if string(name) == string(k) {
			return k
		}
	}
	return UnknownLine
}

// The reader's buffer: a pipe gives at most its own size at once, and a
// buffer that a huge line has grown is given back once there are no more.
const (
	bufferSize = 256 << 10
	bufferKept = 1 << 20
)

// LineMost is how long a line may be: far more than any message has, and what
// the machine has memory for. A longer one is left out, and the next one read.
const LineMost = 256 << 20

// reader cuts a stream into lines.
type reader struct {
	most  int  // instead of LineMost, where it is not 0
	skips bool // the line that is being read is too long
	from  io.Reader
	buf   []byte
	rest  int // where the incomplete line starts in buf
	end   int // of what buf holds
	lines []Line
}

// next returns every line that the next chunk completes, at least one. What
// follows the last line feed before the end is a line as well.
func (r *reader) next() ([]Line, error) {
	r.makeRoom()
	r.lines = r.lines[:0]
	for {
		if r.end == len(r.buf) {
			more := max(len(r.buf)/2, bufferSize)
			r.buf = append(r.buf, make([]byte, min(more, r.limit()+bufferSize-len(r.buf)))...)
		}
		n, err := r.from.Read(r.buf[r.end:])
		r.cut(n)
		if err != nil && (r.rest < r.end || r.skips) {
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

// makeRoom moves the incomplete line to the front of the buffer. One that the
// latest lines did not half fill is given back; huge ones in a row share it.
func (r *reader) makeRoom() {
	left := r.buf[r.rest:r.end]
	if len(r.buf) > bufferKept && r.end < len(r.buf)/2 && len(left) < bufferSize/2 {
		r.buf = make([]byte, bufferSize)
	}
	r.end = copy(r.buf, left)
	r.rest = 0
}

// cut takes in n bytes that were read.
func (r *reader) cut(n int) {
	from := r.end
	r.end += n
	for {
		i := bytes.IndexByte(r.buf[from:r.end], '\n')
		if i < 0 {
			r.bound()
			return
		}
		r.add(r.buf[r.rest : from+i])
		from += i + 1
		r.rest = from
	}
}

func (r *reader) limit() int {
	if r.most > 0 {
		return r.most
	}
	return LineMost
}

// bound drops what has come of a line that is too long, and all that comes of
// it after that.
func (r *reader) bound() {
	if r.skips = r.skips || r.end-r.rest > r.limit(); r.skips {
		r.end = r.rest
	}
}

func (r *reader) add(raw []byte) {
	switch {
	case r.skips || len(raw) > r.limit():
		r.skips = false
		r.lines = append(r.lines, Line{Kind: LongLine})
	case len(raw) > 0:
		r.lines = append(r.lines, Line{raw, KindOf(raw)})
	}
}
