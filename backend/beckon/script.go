package beckon

import (
	"beckon/backend/beckon/reason"
)

// ScriptKind says what a command is for that Beckon runs in the worktrees of a project.
type ScriptKind string

// The kinds.
const (
	ScriptSetup ScriptKind = "setup" // makes a new worktree ready, once
	ScriptCheck ScriptKind = "check" // reports whether the work is sound, by its exit code
	ScriptDev   ScriptKind = "dev"   // serves the work until it is stopped
)

// ScriptKinds lists every kind.
var ScriptKinds = []ScriptKind{ScriptSetup, ScriptCheck, ScriptDev}

// ScriptSet is what a project has its worktrees run; an empty command is none.
type ScriptSet struct {
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
func (s ScriptSet) Command(k ScriptKind) string {
	return map[ScriptKind]string{ScriptSetup: s.Setup, ScriptCheck: s.Check, ScriptDev: s.Dev}[k]
}

// ScriptState is how a command stands.
type ScriptState string

// The states.
const (
	ScriptRunning ScriptState = "running"
	ScriptPassed  ScriptState = "passed" // exit code 0
	ScriptFailed  ScriptState = "failed"
	ScriptStopped ScriptState = "stopped" // by the user
	ScriptLate    ScriptState = "late"    // it took too long, and was ended
	ScriptLost    ScriptState = "lost"    // Beckon ended while it ran, and it with it
)

// ScriptStates lists every state.
var ScriptStates = []ScriptState{ScriptRunning, ScriptPassed, ScriptFailed, ScriptStopped, ScriptLate, ScriptLost}

// ScriptRun is the last time that a task's worktree ran a command of a kind.
type ScriptRun struct {
	ID      string      `json:"id"` // see IDOf
	TaskID  string      `json:"taskId"`
	Kind    ScriptKind  `json:"kind"`
	State   ScriptState `json:"state"`
	Command string      `json:"command"`
	// Content is the tree of the files that its end is about: a check that succeeded of
	// those that it began with, one that failed of those that it left. Another command
	// has none.
	Content string         `json:"content"`
	Code    int            `json:"code"`          // exit code; -1 where a signal ended it
	Reason  *reason.Reason `json:"why,omitempty"` // why it failed, where no exit code says it
	Started int64          `json:"started"`
	Ended   int64          `json:"ended"` // 0 while it runs
	// Outdated says that the files were others when they were last looked at.
	Outdated bool `json:"outdated"`
	// URL is the address on this machine that a dev command printed; Length is how
	// much it printed so far, in bytes.
	URL    string `json:"url"`
	Length int64  `json:"length"`
}

// MarshalJSON has "reason" beside "why".
func (s ScriptRun) MarshalJSON() ([]byte, error) {
	type fields ScriptRun
	return s.Reason.Beside(fields(s), "reason")
}

// Refuted reports whether the command is over and says that its work is not sound.
func (r ScriptRun) Refuted() bool { return r.State == ScriptFailed || r.State == ScriptLate }

// ScriptRunID names the run of that kind of a task among all runs.
func ScriptRunID(taskID string, k ScriptKind) string { return taskID + "/" + string(k) }

// ScriptOutput is a part of what a command printed.
type ScriptOutput struct {
	Text string `json:"text"`
	From int64  `json:"from"` // where the text begins, in bytes
	Next int64  `json:"next"` // where it goes on
}
