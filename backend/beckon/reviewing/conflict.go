package reviewing

// ConflictKind is why a file cannot be merged.
type ConflictKind string

// The kinds.
const (
	BothChanged  ConflictKind = "content" // its hunks say where
	BaseDeleted  ConflictKind = "baseDeleted"
	TaskDeleted  ConflictKind = "taskDeleted"
	NoText       ConflictKind = "noText" // a binary file, a link or a submodule
	OtherReasons ConflictKind = "mixed"  // such as a file where there is a folder
)

// ConflictKinds are all of them.
var ConflictKinds = []ConflictKind{BothChanged, BaseDeleted, TaskDeleted, NoText, OtherReasons}

// ConflictSide is what a file, or a place in it, becomes where a conflict is resolved.
type ConflictSide string

// The sides.
const (
	TakeBase ConflictSide = "base"
	TakeTask ConflictSide = "task"
	TakeBoth ConflictSide = "both" // of a place: the base's lines, then the task's
)

// ConflictSides are all of them.
var ConflictSides = []ConflictSide{TakeBase, TakeTask, TakeBoth}

// TakenSides are what the user took in a file: a side for each of its places, or one for the
// file where it has none.
type TakenSides struct {
	Path  string         `json:"path"`
	Token string         `json:"token"` // of the Conflict that was shown
	Sides []ConflictSide `json:"sides"`
}

// Conflict is a file that a branch and its base changed in ways that do not go together.
type Conflict struct {
	Path  string         `json:"path"`
	Kind  ConflictKind   `json:"kind"`
	Hunks []ConflictHunk `json:"hunks"`
	// Commits are how many of the base's commits since the branch left it touched the
	// file, Authors who wrote them, the last one first, and At is when that was.
	Commits int      `json:"commits"`
	Authors []string `json:"authors"`
	At      int64    `json:"at"`
	// Cut says that there is more than is listed.
	Cut bool `json:"cut"`
	// Token names exactly this conflict. It is empty where no side can be taken.
	Token string `json:"token"`
}

// ConflictHunk is a place of such a file: what the base has, what the task's branch has,
// and what both grew from, with the lines around it.
type ConflictHunk struct {
	BaseLine int      `json:"baseLine"` // number of the first line in the base's file
	TaskLine int      `json:"taskLine"`
	Before   []string `json:"before"`
	Base     []string `json:"base"`
	Common   []string `json:"common"`
	Task     []string `json:"task"`
	After    []string `json:"after"`
}

// ByHand is how far the user is who resolves conflicts in a worktree.
type ByHand struct {
	On    bool     `json:"on"`
	Files []string `json:"files"` // in which git still has a conflict
}
