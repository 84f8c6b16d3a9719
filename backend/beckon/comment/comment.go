// Package comment has the words for comments on lines of a task's changes.
package comment

// Comment is what a person says of some lines of a task's changes, and what its
// agent said to it.
type Comment struct {
	ID     string `json:"id"`
	TaskID string `json:"taskId"`
	// Number is its own among the task's: the agent knows it as C and the number.
	Number int `json:"number"`
	Lines
	Text  string `json:"text"`
	State State  `json:"state"`
	// Outdated says that the file does not have the lines any more.
	Outdated  bool   `json:"outdated"`
	MessageID string `json:"messageId"` // what takes it to the agent; empty of a draft
	Answer    string `json:"answer"`    // the agent's, Markdown
	Turn      int    `json:"turn"`      // that answered, counted within the task; 0 where that is unknown
	Created   int64  `json:"created"`
	Sent      int64  `json:"sent"`
	Answered  int64  `json:"answered"` // when the turn ended in which the agent had it
	Resolved  int64  `json:"resolved"` // 0: it is open
}

// Lines are those that a comment is about, both ends included.
type Lines struct {
	Path  string `json:"path"`
	Side  Side   `json:"side"`
	First int    `json:"first"`
	Last  int    `json:"last"`
	// Quote is what they said, as far as it is kept; Content names what the file
	// was and is, as its diff does.
	Quote   string `json:"quote"`
	Content string `json:"content"`
}

// Edit is a comment as it is written: one without an ID is a new one.
type Edit struct {
	ID     string `json:"id"`
	TaskID string `json:"taskId"`
	Lines  Lines  `json:"lines"`
	Text   string `json:"text"`
}

// Side says which of the two files of a diff has the lines.
type Side string

// The sides.
const (
	Before Side = "before" // in the base
	After  Side = "after"
)

// Sides lists both.
var Sides = []Side{Before, After}

// State is how far a comment is on its way to an answer.
type State string

// The states.
const (
	Draft      State = "draft"
	Sent       State = "sent"
	Answered   State = "answered"
	Unanswered State = "unanswered" // the agent's turn is over, and did not name it
)

// States lists every state.
var States = []State{Draft, Sent, Answered, Unanswered}

// StateOf returns the state that the other fields make.
func (c *Comment) StateOf() State {
	switch {
	case c.MessageID == "":
		return Draft
	case c.Answer != "":
		return Answered
	case c.Answered != 0:
		return Unanswered
	default:
		return Sent
	}
}

// Count is how a task's comments stand; Changed is another number after every
// change of any of them.
type Count struct {
	TaskID  string `json:"taskId"`
	Drafts  int    `json:"drafts"`
	Open    int    `json:"open"` // that were sent and are not resolved
	Changed int64  `json:"changed"`
}

// Sizes that comments are held to.
const (
	MaxText   = 8 << 10 // bytes
	MaxPath   = 4 << 10 // bytes
	MaxLines  = 2000    // that one is about
	MaxQuoted = 100     // lines that are kept of those
	MaxLine   = 1000    // bytes that are kept of a line
	MaxTask   = 500     // comments of a task
)
