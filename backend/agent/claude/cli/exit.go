package cli

import (
	"strings"
	"time"

	"beckon/backend/agent/process"
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

// untrusted is what the CLI always says of a folder that it was not told to trust.
const untrusted = "this workspace has not been trusted"

// Reason says how a process went that gave no result.
func (e Exit) Reason() *reason.Reason {
	return process.Status{Code: e.Code, Signal: e.Signal}.Reason(process.LastWords(e.Stderr, untrusted))
}

// NoSession reports whether the CLI said that it does not have the session that it was to
// resume: one that it was killed before it wrote down.
func (e Exit) NoSession() bool {
	return strings.Contains(e.Stderr, "No conversation found with session ID")
}
