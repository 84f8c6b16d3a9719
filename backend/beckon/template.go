package beckon

import "beckon/backend/beckon/reason"

// This file has the words for tasks that are made again and again.

// Missed says what becomes of times that passed while Beckon did not run, or the computer
// slept.
type Missed string

// The ways.
const (
	MissedOnce Missed = "once" // they make up for all with one card
	MissedSkip Missed = "skip" // they make none
)

// MissedWays lists every way.
var MissedWays = []Missed{MissedOnce, MissedSkip}

// Template makes cards of one kind: at times, and when the user or a program asks for one.
// It makes the next one only once the last is over.
type Template struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	// Name is what a program asks for it by: small letters, digits and dashes, once in a
	// project.
	Name string `json:"name"`
	// Task is the card that it makes; its project and column are the template's.
	Task NewTask `json:"task"`
	// Schedule is a line of cron with five fields, in this computer's time; empty: the
	// template makes a card only when it is asked.
	Schedule string `json:"schedule"`
	Missed   Missed `json:"missed"`
	Paused   bool   `json:"paused"` // it makes none by itself
	// NextAt is when it makes the next card by itself; 0: never.
	NextAt int64 `json:"nextAt"`
	// LastAt is when it last was to make one, and Refusal why it then made none.
	LastAt  int64          `json:"lastAt"`
	Refusal *reason.Reason `json:"why,omitempty"`
	Created int64          `json:"created"`
}

// MarshalJSON has "refusal" beside "why".
func (t Template) MarshalJSON() ([]byte, error) {
	type fields Template
	return t.Refusal.Beside(fields(t), "refusal")
}

// Limits of templates.
const (
	MaxTemplates    = 100 // of all projects
	MaxTemplateName = 40  // bytes
	MaxSchedule     = 100 // bytes
)
