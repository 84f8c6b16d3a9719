package shim

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

// frameMost is how long a frame's payload is; a longer line takes several.
const frameMost = 32 << 10

// errMalformed says that what came is no frame, or not the one that is due.
var errMalformed = errors.New("the other end does not speak Beckon's protocol")

// The kinds of frames. A line is numbered from 1, in each direction.
const (
	frameHello = "hello" // the controller's first: greeting
	frameState = "state" // the shim's first: condition
	framePart  = "part"  // a piece of a line that has more
	frameLine  = "line"  // the last piece of a line
	frameAck   = "ack"   // lines up to that number will not be needed again
	frameEOF   = "eof"   // that many lines were all; of the agent: exit
	frameEnd   = "end"   // the agent is to be ended; 1: and nobody comes back for what it said
	framePing  = "ping"
	frameGone  = "gone"  // the shim's last: why
	frameCall  = "call"  // the controller's first and only: request
	frameReply = "reply" // what a call returned
)

// frame is what the two ends of a link to a shim send at once: a header of one line, a payload, and a line feed. What
// carries a link may keep half a line back, as Slurm's srun does.
type frame struct {
	Kind    string
	N       int64
	Payload []byte
}

// readFrame reads a frame. Its payload is valid until the next call.
func readFrame(r *bufio.Reader, buffer []byte) (frame, error) {
	header, err := r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			err = errMalformed
		}
		return frame{}, err
	}
	fields := strings.Fields(string(header))
	if len(fields) != 3 {
		return frame{}, errMalformed
	}
	n, errN := strconv.ParseInt(fields[1], 10, 64)
	size, errSize := strconv.Atoi(fields[2])
	if errN != nil || errSize != nil || n < 0 || size < 0 || size > len(buffer) {
		return frame{}, errMalformed
	}
	if _, err = io.ReadFull(r, buffer[:size]); err == nil {
		_, err = r.Discard(1) // the line feed
	}
	return frame{fields[0], n, buffer[:size]}, err
}

// appendFrame appends a frame as it is sent.
func appendFrame(to []byte, kind string, n int64, payload []byte) []byte {
	to = append(to, kind...)
	to = append(to, ' ')
	to = strconv.AppendInt(to, n, 10)
	to = append(to, ' ')
	to = strconv.AppendInt(to, int64(len(payload)), 10)
	to = append(to, '\n')
	to = append(to, payload...)
	return append(to, '\n')
}

// jsonFrame returns a frame whose payload is JSON.
func jsonFrame(kind string, n int64, v any) []byte {
	payload, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs
	}
	return appendFrame(nil, kind, n, payload)
}

// appendLine appends the frames of a line.
func appendLine(to []byte, n int64, text []byte) []byte {
	for len(text) > frameMost {
		to = appendFrame(to, framePart, n, text[:frameMost])
		text = text[frameMost:]
	}
	return appendFrame(to, frameLine, n, text)
}

// appendText appends the frames of a text that begins in line n, and returns in
// which one it ends.
func appendText(to []byte, n int64, text []byte) ([]byte, int64) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return appendFrame(to, framePart, n, text), n
		}
		to = appendFrame(to, frameLine, n, text[:i])
		text, n = text[i+1:], n+1
	}
	return to, n
}

// receiver puts the lines of one direction together, each once and in order.
type receiver struct {
	last    int64 // that was whole
	partial []byte
	most    int // bytes of a line
}

// takeFrame takes a piece, and returns a line once that is whole. What came before is not
// sent again: each link begins with what the last one brought.
func (r *receiver) takeFrame(f frame) (text []byte, whole bool, err error) {
	switch {
	case f.N != r.last+1:
		return nil, false, fmt.Errorf("line %d after %d: %w", f.N, r.last, errMalformed)
	case len(r.partial)+len(f.Payload) > r.most:
		return nil, false, fmt.Errorf("line %d has more than %d bytes: %w", f.N, r.most, errMalformed)
	}
	r.partial = append(r.partial, f.Payload...)
	if f.Kind == framePart {
		return nil, false, nil
	}
	text, r.partial, r.last = r.partial, nil, f.N
	return text, true, nil
}

// cutLine forgets half a line: the next link has it again from its beginning.
func (r *receiver) cutLine() { r.partial = nil }
