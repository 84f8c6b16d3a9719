package cli

import (
	"fmt"
	"strings"
	"time"
)

// Exit tells how a process ended.
type Exit struct {
	Code    int    // exit code; -1 where a signal ended it
	Signal  string // name of that signal, such as "killed"; else empty
	Stderr  string // the last 64 KB
	Started time.Time
	Ended   time.Time
}

// Words say how a process went that gave no result.
func (e Exit) Words() string {
	how := fmt.Sprintf("claude exited with code %d", e.Code)
	if e.Signal != "" {
		how = "claude was ended by the signal " + e.Signal
	}
	if last := lastWords(e.Stderr); last != "" {
		return how + ": " + last
	}
	return how + " before its turn was over. Its work and session are kept."
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
