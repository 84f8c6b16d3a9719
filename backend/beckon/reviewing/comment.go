package reviewing

// This file has the words for comments on lines of a task's changes.

// Comment is what a person says of some lines of a task's changes, and what its
// agent said to it.
type Comment struct {
	ID     string `json:"id"`
	TaskID string `json:"taskId"`
	// Number is its own among the task's: the agent knows it as C and the number.
	Number int `json:"number"`
	CommentLines
	Text  string       `json:"text"`
	State CommentState `json:"state"`
	// Outdated says that the file does not have the lines any more.
	Outdated  bool   `json:"outdated"`
	MessageID string `json:"messageId"` // what takes it to the agent; empty of a draft
	// Thread is the page of the discussion on the pull request that the comment began, or
	// that it takes to the agent; empty of none.
	Thread   string `json:"thread"`
	Answer   string `json:"answer"` // the agent's, Markdown
	Turn     int    `json:"turn"`   // that answered, counted within the task; 0 where that is unknown
	Created  int64  `json:"created"`
	Sent     int64  `json:"sent"`
	Answered int64  `json:"answered"` // when the turn ended in which the agent had it
	Resolved int64  `json:"resolved"` // 0: it is open
}

// CommentLines are those that a comment is about, both ends included.
type CommentLines struct {
	Repository string `json:"repository,omitempty"` // the name of a further one of the project; empty for its own

	Path  string      `json:"path"`
	Side  CommentSide `json:"side"`
	First int         `json:"first"`
	Last  int         `json:"last"`
	// Quote is what they said, as far as it is kept; Content names what the file
	// was and is, as its diff does.
	Quote   string `json:"quote"`
	Content string `json:"content"`
}

// CommentEdit is a comment as it is written: one without an ID is a new one.
type CommentEdit struct {
	ID     string       `json:"id"`
	TaskID string       `json:"taskId"`
	Lines  CommentLines `json:"lines"`
	Text   string       `json:"text"`
	// Thread is the page of the discussion that a new comment takes to the agent.
	Thread string `json:"thread"`
}

// CommentSide says which of the two files of a diff has the lines.
type CommentSide string

// The sides.
const (
	Before CommentSide = "before" // in the base
	After  CommentSide = "after"
)

// CommentSides lists both.
var CommentSides = []CommentSide{Before, After}

// CommentState is how far a comment is on its way to an answer.
type CommentState string

// The states.
const (
	CommentDraft      CommentState = "draft"
	CommentSent       CommentState = "sent"
	CommentAnswered   CommentState = "answered"
	CommentUnanswered CommentState = "unanswered" // the agent's turn is over, and did not name it
)

// CommentStates lists every state.
var CommentStates = []CommentState{CommentDraft, CommentSent, CommentAnswered, CommentUnanswered}

// StateOf returns the state that the other fields make.
func (c *Comment) StateOf() CommentState {
	switch {
	case c.MessageID == "":
		return CommentDraft
	case c.Answer != "":
		return CommentAnswered
	case c.Answered != 0:
		return CommentUnanswered
	default:
		return CommentSent
	}
}

// CommentCount is how a task's comments stand; Changed is another number after every
// change of any of them.
type CommentCount struct {
	TaskID  string `json:"taskId"`
	Drafts  int    `json:"drafts"`
	Open    int    `json:"open"` // that were sent and are not resolved
	Changed int64  `json:"changed"`
}

// Sizes that comments are held to.
const (
	CommentMaxText   = 8 << 10 // bytes
	CommentMaxPath   = 4 << 10 // bytes
	CommentMaxLines  = 2000    // that one is about
	CommentMaxQuoted = 100     // lines that are kept of those
	CommentMaxLine   = 1000    // bytes that are kept of a line
	CommentMaxTask   = 500     // comments of a task
)
