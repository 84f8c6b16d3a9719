// Package beckon holds the words of the application: projects, tasks, runs,
// questions, transcript entries, and the events that announce their changes.
//
// It does no I/O and imports only the standard library and the packages below it, which
// have words, too. Every other package
// speaks in its terms, and Wails turns its structs into the page's types, so
// what crosses to the page is plain: lowerCamel json tags, times as Unix
// milliseconds, no nil lists.
package beckon

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"beckon/backend/beckon/reason"
)

// What callers compare errors with. Anything else is a bug report for the
// user to send, not something to act on.
var (
	ErrNotFound = errors.New("not found")
	// ErrConflict: somebody else was first, or the thing is not in a state
	// that allows it.
	ErrConflict = errors.New("conflict")
	// ErrInvalid: the argument cannot be right; nothing was changed.
	ErrInvalid = errors.New("invalid")
	// ErrUntrusted: the project must be trusted before anything in it runs.
	ErrUntrusted = errors.New("untrusted")
	// ErrUnavailable: something outside Beckon is missing, such as claude.
	ErrUnavailable = errors.New("unavailable")
	// ErrUnmerged: the base lacks commits or files of the task; CloseTask takes
	// it as confirmed.
	ErrUnmerged = errors.New("unmerged")
	// ErrDiskFull: there was no room to write; nothing was changed.
	ErrDiskFull = errors.New("the disk is full")
)

// Invalid returns an error for the user that is ErrInvalid.
func Invalid(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, ErrInvalid)...)
}

// kinds are the kinds of errors, and the words that name them on the wire.
var kinds = []struct {
	err  error
	code string
}{
	{ErrNotFound, "not_found"},
	{ErrConflict, "conflict"},
	{ErrInvalid, "invalid"},
	{ErrUntrusted, "untrusted"},
	{ErrUnavailable, "unavailable"},
	{ErrUnmerged, "unmerged"},
	{ErrDiskFull, "disk_full"},
}

// Words returns the text of an error as the user reads it: without the words at its end by
// which callers tell what kind of error it is. Those of a full disk say it, and stay.
func Words(err error) string {
	text := err.Error()
	for shorter := true; shorter; {
		shorter = false
		for _, kind := range kinds {
			rest, ends := strings.CutSuffix(text, ": "+kind.err.Error())
			if ends && errors.Is(err, kind.err) && !errors.Is(kind.err, ErrDiskFull) {
				text, shorter = rest, true
			}
		}
	}
	return text
}

// ReasonOf returns why err happened: its reason, or its words where it has none; nil for nil.
func ReasonOf(err error) *reason.Reason {
	if r := reason.From(err); r != nil || err == nil {
		return r
	}
	return reason.Said(Words(err))
}

// NonNil returns list, and an empty one instead of nil, which would reach the
// page as null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// NonNilMap returns the map, or an empty one for nil, which the page could not look into.
func NonNilMap[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

// Code returns the word that names err on the wire: "not_found", "conflict",
// "invalid", "untrusted", "unavailable", "unmerged", "disk_full", or "internal".
func Code(err error) string {
	for _, kind := range kinds {
		if errors.Is(err, kind.err) {
			return kind.code
		}
	}
	return "internal"
}

// NewID returns an identifier that cannot be guessed: 26 lower-case letters
// and digits, 130 random bits.
func NewID() string { return strings.ToLower(rand.Text()) }

// NewUUID returns a random UUID (version 4), the form in which agents take the ids of
// sessions and messages.
func NewUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Now returns the time as it is kept and sent: Unix milliseconds.
func Now() int64 { return time.Now().UnixMilli() }
