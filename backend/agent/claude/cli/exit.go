package cli

import (
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon/reason"
)

// Exit tells how a process ended.
type Exit struct {
	Code    int    // exit code; -1 where a signal ended it
	Signal  string // name of that signal, such as "killed"; else empty
	Stderr  string // the last 64 KB
	Started time.Time
	Ended   time.Time
}

// Reason says how a process went that gave no result.
func (e Exit) Reason() *reason.Reason {
	words, code := lastWords(e.Stderr), strconv.Itoa(e.Code)
	switch {
	case e.Signal != "" && words != "":
		return reason.Of(reason.KilledSaying, "signal", e.Signal, "words", words)
	case e.Signal != "":
		return reason.Of(reason.Killed, "signal", e.Signal)
	case words != "":
		return reason.Of(reason.ExitedSaying, "code", code, "words", words)
	}
	return reason.Of(reason.Exited, "code", code)
}

// NoSession reports whether the CLI said that it does not have the session that it was to
// resume: one that it was killed before it wrote down.
func (e Exit) NoSession() bool {
	return strings.Contains(e.Stderr, "No conversation found with session ID")
}

// lastWords returns the last line of text that says something, for a reason.
// What the CLI always says of a folder that it was not told to trust is none.
func lastWords(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "this workspace has not been trusted") {
			last = line
		}
	}
	return last
}
