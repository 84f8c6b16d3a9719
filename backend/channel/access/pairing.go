package access

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"strings"
	"sync"
	"time"

	"beckon/backend/beckon"
)

// This file makes the codes by which somebody away from the desk shows that
// they stood at it.
//
// A code holds for five minutes and once, and five wrong tries end it. Ten wrong
// tries within an hour end pairing altogether, until it is switched on again at the
// desk. The package knows neither phones nor chats.

// The limits of codes.
const (
	lifetime    = 5 * time.Minute
	maxTries    = 5                                  // of one code
	maxAnHour   = 10                                 // of all
	codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's
)

var encoding = base32.NewEncoding(codeLetters).WithPadding(base32.NoPadding)

// Codes issues one code at a time. The zero value is ready.
type Codes struct {
	// Now is the clock; nil: the system's.
	Now func() time.Time

	mu    sync.Mutex
	code  string // empty: none holds
	until time.Time
	tries int
	wrong []time.Time // within the last hour
	off   bool
}

func (c *Codes) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// Issue makes a code, in the place of the one before. beckon.ErrUnavailable:
// pairing was switched off by too many wrong tries.
func (c *Codes) Issue() (code string, until time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off {
		return "", time.Time{}, fmt.Errorf("somebody tried too many wrong codes; switch pairing on again first: %w", beckon.ErrUnavailable)
	}
	raw := make([]byte, 5)
	_, _ = rand.Read(raw) // it never fails
	c.code, c.until, c.tries = encoding.EncodeToString(raw), c.now().Add(lifetime), 0
	return c.code, c.until, nil
}

// Off reports whether wrong tries ended pairing.
func (c *Codes) Off() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.off
}

// On allows pairing again.
func (c *Codes) On() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off, c.wrong = false, nil
}

// Cancel ends the code that holds.
func (c *Codes) Cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.code = ""
}

// Holds reports whether there is a code that holds.
func (c *Codes) Holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.holds()
}

func (c *Codes) holds() bool { return !c.off && c.code != "" && c.now().Before(c.until) }

// Redeem has pair called for the code that holds, which is spent unless that
// fails. Any other is beckon.ErrInvalid, and counts as a try where one holds.
func (c *Codes) Redeem(given string, pair func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.holds() {
		c.code = ""
		return errWrong()
	}
	if subtle.ConstantTimeCompare([]byte(NormalCode(given)), []byte(c.code)) != 1 {
		c.miss()
		return errWrong()
	}
	if err := pair(); err != nil {
		return err
	}
	c.code = ""
	return nil
}

func errWrong() error { return fmt.Errorf("this code does not hold: %w", beckon.ErrInvalid) }

// miss counts a wrong try. The lock is held.
func (c *Codes) miss() {
	now, recent := c.now(), []time.Time{}
	for _, at := range c.wrong {
		if now.Sub(at) < time.Hour {
			recent = append(recent, at)
		}
	}
	c.wrong = append(recent, now)
	if c.tries++; c.tries >= maxTries {
		c.code = ""
	}
	if len(c.wrong) >= maxAnHour {
		c.code, c.off = "", true
	}
}

// NormalCode is a code as people type it: in any case, with spaces or dashes, and with
// letters for the digits that look like them.
func NormalCode(code string) string {
	code = strings.NewReplacer(" ", "", "-", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.TrimSpace(code)))
	if len(code) > 2*len("00000000") {
		return ""
	}
	return code
}
