package shim

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Version is that of the protocol. Ends of different versions refuse each other.
const Version = 2

// magic begins the first line of a link: what is before it is a greeting of the
// other machine's.
const magic = "beckon-shim "

const (
	// greetingMost is how much of a greeting is skipped.
	greetingMost = 64 << 10
	// pieceMost is how long a frame's payload is; a longer line takes several.
	pieceMost = 32 << 10
	// beat is the time between two signs of life, silence how long an end may
	// give none before the link is cut.
	beat    = 20 * time.Second
	silence = 3 * beat
)

// The kinds of frames. A line is numbered from 1, in each direction.
const (
	hello = "hello" // the controller's first: greeting
	state = "state" // the shim's first: condition
	part  = "part"  // a piece of a line that has more
	line  = "line"  // the last piece of a line
	ack   = "ack"   // lines up to that number will not be needed again
	eof   = "eof"   // that many lines were all; of the agent: exit
	end   = "end"   // the agent is to be ended
	ping  = "ping"
	gone  = "gone"  // the shim's last: why
	call  = "call"  // the controller's first and only: request
	reply = "reply" // what a call returned
)

// frame is what is sent at once: a header of one line, a payload, and a line feed. What
// carries a link may keep half a line back, as Slurm's srun does.
type frame struct {
	kind    string
	n       int64
	payload []byte
}

// greeting says what a controller wants.
type greeting struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Job     *Job   `json:"job,omitempty"` // to be started, unless it runs already
	From    int64  `json:"from"`          // the first line that is wanted
	End     bool   `json:"end,omitempty"` // the agent is to be ended, and nothing of it is wanted
}

// condition says how an agent stands.
type condition struct {
	Version  int   `json:"version"`
	Received int64 `json:"received"` // lines of input
}

var errMalformed = errors.New("the other end does not speak Beckon's protocol")

// goneFrame says why a link is over.
func goneFrame(why error) []byte {
	n := int64(0)
	if errors.Is(why, ErrNone) {
		n = 1
	}
	return appendFrame(nil, gone, n, []byte(why.Error()))
}

// goneError is what a gone frame said.
func goneError(f frame) error {
	if f.n == 1 {
		return ErrNone
	}
	return fmt.Errorf("%w: %.300s", ErrRefused, f.payload)
}

// newMagic returns the first line of a link.
func newMagic() string { return fmt.Sprintf("%s%d %s\n", magic, Version, rand.Text()) }

// skipGreeting reads up to and with the magic line.
func skipGreeting(r *bufio.Reader) error {
	for read := 0; read < greetingMost; {
		text, err := r.ReadSlice('\n')
		read += len(text)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("the other machine said %q and no more: %w", ending(text), err)
		}
		at := bytes.Index(text, []byte(magic)) // a greeting may lack its line feed
		if at < 0 {
			continue
		}
		number, _, _ := strings.Cut(string(text[at+len(magic):]), " ")
		if number != strconv.Itoa(Version) {
			return fmt.Errorf("it speaks version %.10q, this Beckon %d: %w", number, Version, ErrRefused)
		}
		return nil
	}
	return fmt.Errorf("nothing but a greeting of %d bytes: %w", greetingMost, errMalformed)
}

func ending(text []byte) []byte { return bytes.TrimSpace(text[max(0, len(text)-200):]) }

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

// frameOf returns a frame whose payload is JSON.
func frameOf(kind string, n int64, v any) []byte {
	payload, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs
	}
	return appendFrame(nil, kind, n, payload)
}

// appendLine appends the frames of a line.
func appendLine(to []byte, n int64, text []byte) []byte {
	for len(text) > pieceMost {
		to = appendFrame(to, part, n, text[:pieceMost])
		text = text[pieceMost:]
	}
	return appendFrame(to, line, n, text)
}

// appendText appends the frames of a text that begins in line n, and returns in
// which one it ends.
func appendText(to []byte, n int64, text []byte) ([]byte, int64) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return appendFrame(to, part, n, text), n
		}
		to = appendFrame(to, line, n, text[:i])
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

// take takes a piece, and returns a line once that is whole. What came before is not
// sent again: each link begins with what the last one brought.
func (r *receiver) take(f frame) (text []byte, whole bool, err error) {
	switch {
	case f.n != r.last+1:
		return nil, false, fmt.Errorf("line %d after %d: %w", f.n, r.last, errMalformed)
	case len(r.partial)+len(f.payload) > r.most:
		return nil, false, fmt.Errorf("line %d has more than %d bytes: %w", f.n, r.most, errMalformed)
	}
	r.partial = append(r.partial, f.payload...)
	if f.kind == part {
		return nil, false, nil
	}
	text, r.partial, r.last = r.partial, nil, f.n
	return text, true, nil
}

// cut forgets half a line: the next link has it again from its beginning.
func (r *receiver) cut() { r.partial = nil }
