// Package frame is how the two ends of a link to a shim say things to each other:
// numbered lines in both directions, in pieces, and words about them. It knows no agent
// and no connection.
package frame

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Most is how long a frame's payload is; a longer line takes several.
const Most = 32 << 10

// ErrMalformed says that what came is no frame, or not the one that is due.
var ErrMalformed = errors.New("the other end does not speak Beckon's protocol")

// The kinds of frames. A line is numbered from 1, in each direction.
const (
	Hello = "hello" // the controller's first: greeting
	State = "state" // the shim's first: condition
	Part  = "part"  // a piece of a line that has more
	Line  = "line"  // the last piece of a line
	Ack   = "ack"   // lines up to that number will not be needed again
	EOF   = "eof"   // that many lines were all; of the agent: exit
	End   = "end"   // the agent is to be ended; 1: and nobody comes back for what it said
	Ping  = "ping"
	Gone  = "gone"  // the shim's last: why
	Call  = "call"  // the controller's first and only: request
	Reply = "reply" // what a call returned
)

// Frame is what is sent at once: a header of one line, a payload, and a line feed. What
// carries a link may keep half a line back, as Slurm's srun does.
type Frame struct {
	Kind    string
	N       int64
	Payload []byte
}

// Read reads a frame. Its payload is valid until the next call.
func Read(r *bufio.Reader, buffer []byte) (Frame, error) {
	header, err := r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			err = ErrMalformed
		}
		return Frame{}, err
	}
	fields := strings.Fields(string(header))
	if len(fields) != 3 {
		return Frame{}, ErrMalformed
	}
	n, errN := strconv.ParseInt(fields[1], 10, 64)
	size, errSize := strconv.Atoi(fields[2])
	if errN != nil || errSize != nil || n < 0 || size < 0 || size > len(buffer) {
		return Frame{}, ErrMalformed
	}
	if _, err = io.ReadFull(r, buffer[:size]); err == nil {
		_, err = r.Discard(1) // the line feed
	}
	return Frame{fields[0], n, buffer[:size]}, err
}

// Append appends a frame as it is sent.
func Append(to []byte, kind string, n int64, payload []byte) []byte {
	to = append(to, kind...)
	to = append(to, ' ')
	to = strconv.AppendInt(to, n, 10)
	to = append(to, ' ')
	to = strconv.AppendInt(to, int64(len(payload)), 10)
	to = append(to, '\n')
	to = append(to, payload...)
	return append(to, '\n')
}

// Of returns a frame whose payload is JSON.
func Of(kind string, n int64, v any) []byte {
	payload, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs
	}
	return Append(nil, kind, n, payload)
}

// AppendLine appends the frames of a line.
func AppendLine(to []byte, n int64, text []byte) []byte {
	for len(text) > Most {
		to = Append(to, Part, n, text[:Most])
		text = text[Most:]
	}
	return Append(to, Line, n, text)
}

// AppendText appends the frames of a text that begins in line n, and returns in
// which one it ends.
func AppendText(to []byte, n int64, text []byte) ([]byte, int64) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return Append(to, Part, n, text), n
		}
		to = Append(to, Line, n, text[:i])
		text, n = text[i+1:], n+1
	}
	return to, n
}

// Receiver puts the lines of one direction together, each once and in order.
type Receiver struct {
	Last    int64 // that was whole
	partial []byte
	Most    int // bytes of a line
}

// Take takes a piece, and returns a line once that is whole. What came before is not
// sent again: each link begins with what the last one brought.
func (r *Receiver) Take(f Frame) (text []byte, whole bool, err error) {
	switch {
	case f.N != r.Last+1:
		return nil, false, fmt.Errorf("line %d after %d: %w", f.N, r.Last, ErrMalformed)
	case len(r.partial)+len(f.Payload) > r.Most:
		return nil, false, fmt.Errorf("line %d has more than %d bytes: %w", f.N, r.Most, ErrMalformed)
	}
	r.partial = append(r.partial, f.Payload...)
	if f.Kind == Part {
		return nil, false, nil
	}
	text, r.partial, r.Last = r.partial, nil, f.N
	return text, true, nil
}

// Cut forgets half a line: the next link has it again from its beginning.
func (r *Receiver) Cut() { r.partial = nil }
