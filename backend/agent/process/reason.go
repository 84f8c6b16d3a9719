package process

import (
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon/reason"
)

// Reason says how a process went that gave no result, with the last words that it said.
func (s Status) Reason(words string) *reason.Reason {
	code := strconv.Itoa(s.Code)
	switch {
	case s.Signal != "" && words != "":
		return reason.Of(reason.KilledSaying, "signal", s.Signal, "words", words)
	case s.Signal != "":
		return reason.Of(reason.Killed, "signal", s.Signal)
	case words != "":
		return reason.Of(reason.ExitedSaying, "code", code, "words", words)
	}
	return reason.Of(reason.Exited, "code", code)
}

// LastWords returns the last line of a text that says something, for a reason. Lines that
// contain one of noise say nothing.
func LastWords(text string, noise ...string) string {
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !slices.ContainsFunc(noise, func(n string) bool { return strings.Contains(line, n) }) {
			last = line
		}
	}
	return last
}
