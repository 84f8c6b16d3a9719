package shim

import (
	"bufio"
	"bytes"
	"crypto/rand"
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
	// beat is the time between two signs of life, silence how long an end may
	// give none before the link is cut.
	beat    = 20 * time.Second
	silence = 3 * beat
)

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

// goneFrame says why a link is over.
func goneFrame(why error) []byte {
	n := int64(0)
	if errors.Is(why, ErrNone) {
		n = 1
	}
	return appendFrame(nil, frameGone, n, []byte(why.Error()))
}

// goneError is what a gone frame said.
func goneError(f frame) error {
	if f.N == 1 {
		return ErrNone
	}
	return fmt.Errorf("%w: %.300s", ErrRefused, f.Payload)
}

// newMagic returns the first line of a link.
func newMagic() string { return fmt.Sprintf("%s%d %s\n", magic, Version, rand.Text()) }

// skipGreeting reads up to and with the magic line.
func skipGreeting(r *bufio.Reader) error {
	for read := 0; read < greetingMost; {
		text, err := r.ReadSlice('\n')
		read += len(text)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return ended(ending(text), err)
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

// ended is why a link ended before its first line, after that was said. A link that knows
// why says so itself, and better.
func ended(said []byte, err error) error {
	switch {
	case !errors.Is(err, io.EOF):
		return err
	case len(said) > 0:
		return fmt.Errorf("the other machine said %q and no more: %w", said, err)
	}
	return fmt.Errorf("the link ended before the other machine answered: %w", err)
}

func ending(text []byte) []byte { return bytes.TrimSpace(text[max(0, len(text)-200):]) }
