// Package script has the words for the commands of a project that Beckon runs in
// the worktrees of its tasks. It has no I/O and knows no other package.
package script

// Kind says what a command is for.
type Kind string

// The kinds.
const (
	Setup Kind = "setup" // makes a new worktree ready, once
	Check Kind = "check" // reports whether the work is sound, by its exit code
	Dev   Kind = "dev"   // serves the work until it is stopped
)

// Kinds lists every kind.
var Kinds = []Kind{Setup, Check, Dev}

// Set is what a project has its worktrees run; an empty command is none.
type Set struct {
	Setup string `json:"setup"`
	Check string `json:"check"`
	Dev   string `json:"dev"`
	// Copied are patterns of files that git ignores, such as ".env". A new
	// worktree gets those of the project's folder.
	Copied []string `json:"copied"`
	// Spare keeps worktrees ready before a task needs one.
	Spare bool `json:"spare"`
}

// Command returns the command of that kind.
func (s Set) Command(k Kind) string {
	return map[Kind]string{Setup: s.Setup, Check: s.Check, Dev: s.Dev}[k]
}

// State is how a command stands.
type State string

// The states.
const (
	Running State = "running"
	Passed  State = "passed" // exit code 0
	Failed  State = "failed"
	Stopped State = "stopped" // by the user
	Late    State = "late"    // it took too long, and was ended
	Lost    State = "lost"    // Beckon ended while it ran, and it with it
)

// States lists every state.
var States = []State{Running, Passed, Failed, Stopped, Late, Lost}

// Run is the last time that a task's worktree ran a command of a kind.
type Run struct {
	ID      string `json:"id"` // see IDOf
	TaskID  string `json:"taskId"`
	Kind    Kind   `json:"kind"`
	State   State  `json:"state"`
	Command string `json:"command"`
	// Content is the tree of the files that its end is about: a check that succeeded of
	// those that it began with, one that failed of those that it left. Another command
	// has none.
	Content string `json:"content"`
	Code    int    `json:"code"`   // exit code; -1 where a signal ended it
	Reason  string `json:"reason"` // why it failed, where no exit code says it
	Started int64  `json:"started"`
	Ended   int64  `json:"ended"` // 0 while it runs
	// Outdated says that the files were others when they were last looked at.
	Outdated bool `json:"outdated"`
	// URL is the address on this machine that a dev command printed; Length is how
	// much it printed so far, in bytes.
	URL    string `json:"url"`
	Length int64  `json:"length"`
}

// Refuted reports whether the command is over and says that its work is not sound.
func (r Run) Refuted() bool { return r.State == Failed || r.State == Late }

// IDOf names the run of that kind of a task among all runs.
func IDOf(taskID string, k Kind) string { return taskID + "/" + string(k) }

// Output is a part of what a command printed.
type Output struct {
	Text string `json:"text"`
	From int64  `json:"from"` // where the text begins, in bytes
	Next int64  `json:"next"` // where it goes on
}
