package claude

import (
	"bytes"
	"encoding/json"
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

// LineMost is how long a line may be: far more than any message has, and what
// the machine has memory for. A longer one is left out, and the next one read.
const LineMost = 256 << 20

// kinds lists the known ones; the most frequent come first.
var kinds = []LineKind{
	StreamEvent, AssistantLine, UserLine, SystemLine, ResultLine,
	ControlRequest, ControlResponse, ControlCancel, RateLimitLine,
}

// Line is one line of the agent's stdout. It is handed on by its address, so
// that all who read it share what was decoded.
type Line struct {
	// Raw is the line without its line feed. It may hold invalid UTF-8. It is
	// valid until the next call of Next.
	Raw  []byte
	Kind LineKind

	signs   signs
	message *Message // nil before it was asked for
	err     error
}

// NewLine returns the line of a kind that its bytes tell.
func NewLine(raw []byte) *Line { return &Line{Raw: raw, Kind: KindOf(raw)} }

// Bytes and Partial make it an agent.Line.
func (l *Line) Bytes() []byte { return l.Raw }
func (l *Line) Partial() bool { return l.Kind == StreamEvent }

// Message decodes the line when it is asked for the first time. Its callers
// share what they get, belong to one goroutine, and change nothing in it.
func (l *Line) Message() (Message, error) {
	if l.message == nil {
		m, err := DecodeMessage(l.Raw)
		l.message, l.err = &m, err
	}
	return *l.message, l.err
}

// OfSubAgent looks for its sign, as WithError, InBackground and OfWriting do.
func (l *Line) OfSubAgent() bool   { return l.signs.has(l.Raw, ofSubAgent) }
func (l *Line) WithError() bool    { return l.signs.has(l.Raw, withError) }
func (l *Line) InBackground() bool { return l.signs.has(l.Raw, inBackground) }
func (l *Line) OfWriting() bool    { return l.signs.has(l.Raw, ofWriting) }

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
