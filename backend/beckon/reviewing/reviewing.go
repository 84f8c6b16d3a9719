// Package reviewing has the words for how a task's changes are looked at, commented on,
// merged and offered as a pull request. It has no I/O, and decides nothing.
package reviewing

// View is how a person looks at a task's changes.
type View struct {
	// IgnoreSpace leaves out lines that differ in nothing but white space.
	IgnoreSpace bool `json:"ignoreSpace"`
	// Since is empty for all since the base, else one of the consts of that name.
	Since string `json:"since"`
	// Start asks for what a page shows first: the other files are pending.
	Start bool `json:"start"`
}

// File is one file of the changes.
type File struct {
	View    View   `json:"view"`
	Path    string `json:"path"`
	OldPath string `json:"oldPath"` // of a rename, else empty
}

// Stretch is which lines of a file a person wants to see, by their numbers after the
// change.
type Stretch struct {
	Since string `json:"since"` // as in View
	Path  string `json:"path"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// Lines are those of a stretch that there are.
type Lines struct {
	First int      `json:"first"`
	Lines []string `json:"lines"`
	Total int      `json:"total"` // how many the file has
}

// Side is a file of the changes as it was, or as it is.
type Side struct {
	Since  string `json:"since"` // as in View
	Path   string `json:"path"`  // what it is called on that side
	Before bool   `json:"before"`
}

// Picture is a file that can be drawn.
type Picture struct {
	URL   string `json:"url"` // a data: URL; empty where it cannot be drawn
	Bytes int64  `json:"bytes"`
	// Large says why it cannot: it has more bytes, pixels or shapes than a page should draw.
	Large bool `json:"large"`
}

// Spot is a line of a file of the changes, after them.
type Spot struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// What changes can be looked at besides all since the base, which is an empty Since: a
// turn, a commit and a decision are named by what follows.
const (
	SinceReview   = "review"    // since the last state that the user reviewed
	SinceTurn     = "turn-"     // and its number
	SinceCommit   = "commit-"   // and its hash
	SinceDecision = "decision-" // and the id of its question
)

// Ranges are what a task's changes can be looked at by.
type Ranges struct {
	// Reviewed is when the user last reviewed another state than today's; 0 where that
	// never was.
	Reviewed int64    `json:"reviewed"`
	Turns    []Turn   `json:"turns"`   // the oldest first
	Commits  []Commit `json:"commits"` // the newest first
}

// Turn is one of an agent's, from a message to its result.
type Turn struct {
	Number int       `json:"number"` // counts within the task, from 1
	Began  int64     `json:"began"`
	Text   string    `json:"text"` // how its message begins; empty where there was none
	State  TurnState `json:"state"`
	// Mixed says that what others changed may be in it, too, or what was changed after it.
	Mixed bool `json:"mixed"`
}

// TurnState is whether what changed in a turn can be shown.
type TurnState string

// The states.
const (
	TurnRecorded   TurnState = "recorded"
	TurnRunning    TurnState = "running"    // it can be shown up to now
	TurnUnrecorded TurnState = "unrecorded" // Beckon ended before it had looked
)

// TurnStates lists every state.
var TurnStates = []TurnState{TurnRecorded, TurnRunning, TurnUnrecorded}

// FileSize is how many lines a task added to a file and removed from it.
type FileSize struct {
	Path    string `json:"path"` // in a further repository it begins with the name of that
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// Commit is one that a task has and its base does not.
type Commit struct {
	Hash    string `json:"hash"`
	Subject string `json:"subject"`
	At      int64  `json:"at"`
}
