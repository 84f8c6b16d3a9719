package view

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxData is how many bytes of callback data the service takes.
const MaxData = 64

// The parts of callback data.
const (
	idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	idLength  = 8
	nonceSize = 4
	maxItem   = 9  // one digit
	maxOption = 99 // two
)

// ErrForged is what Parse returns for data that no button of ours in that chat
// has.
var ErrForged = errors.New("the button is not one of Beckon's in this chat")

// Verb is what a button does.
type Verb string

// The verbs. Those of one option carry its number.
const (
	Choose      Verb = "o" // an option, or tick it
	Done        Verb = "d" // the ticked ones are all
	Other       Verb = "x" // own words
	Back        Verb = "b" // to the item before
	Allow       Verb = "a"
	AllowAlways Verb = "w"
	Deny        Verb = "n"
	Really      Verb = "y" // the second press
	Not         Verb = "c" // no second press
	Approve     Verb = "p"
	AcceptEdits Verb = "e" // approve, and accept edits
	Change      Verb = "g" // a plan
	Hold        Verb = "h"
	File        Verb = "f" // the whole diff
	Late        Verb = "l" // answer what is settled
	Stop        Verb = "s" // a task's agent
	StopNow     Verb = "k" // at the second press
	StopNot     Verb = "r"
)

// OfTask reports whether a button is of a task, and of no question.
func (v Verb) OfTask() bool { return v == Stop || v == StopNow || v == StopNot }

const verbs = "odxbawnycpeghflskr"

// Callback is what a pressed button means.
type Callback struct {
	Verb   Verb
	ID     string // the short one, of the question or task
	Item   int
	Option int
}

// Key signs the buttons of one installation.
type Key []byte

// NewKey returns a random key.
func NewKey() Key {
	k := make(Key, sha256.Size)
	_, _ = rand.Read(k) // it never fails
	return k
}

// Data returns the callback data of a button in a chat.
func (k Key) Data(chat int64, c Callback) string {
	return fmt.Sprintf("%s%s.%d%d.%s", c.Verb, c.ID, c.Item, c.Option, hex.EncodeToString(k.nonce(chat, c)))
}

// nonce is over all that the button means and where it is. The message is not
// part of it, for its number is not known before it is sent.
func (k Key) nonce(chat int64, c Callback) []byte {
	mac := hmac.New(sha256.New, k)
	fmt.Fprintf(mac, "%d %s %s %d %d", chat, c.ID, c.Verb, c.Item, c.Option)
	return mac.Sum(nil)[:nonceSize]
}

// Parse reads the data of a button pressed in a chat. Anything that Data would
// not have written there is ErrForged.
func (k Key) Parse(chat int64, data string) (Callback, error) {
	head, rest, ok := strings.Cut(data, ".")
	if !ok || len(data) > MaxData || len(head) != 1+idLength {
		return Callback{}, ErrForged
	}
	where, _, ok := strings.Cut(rest, ".")
	if !ok || len(where) < 2 || len(where) > 3 {
		return Callback{}, ErrForged
	}
	item, err := strconv.Atoi(where[:1])
	option, err2 := strconv.Atoi(where[1:])
	c := Callback{Verb(head[:1]), head[1:], item, option}
	if err != nil || err2 != nil || !c.valid() {
		return Callback{}, ErrForged
	}
	if !hmac.Equal([]byte(data), []byte(k.Data(chat, c))) {
		return Callback{}, ErrForged
	}
	return c, nil
}

func (c Callback) valid() bool {
	return len(c.Verb) == 1 && strings.Contains(verbs, string(c.Verb)) && len(c.ID) == idLength && strings.Trim(c.ID, idLetters) == "" &&
		c.Item >= 0 && c.Item <= maxItem && c.Option >= 0 && c.Option <= maxOption
}
