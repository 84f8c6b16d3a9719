// Package starting has the words for where the work on a task starts: a branch, a pull
// request, an issue, another task; and for what is found of these before one is chosen.
package starting

import "strings"

// Kind says what a task starts from; empty is a new branch.
type Kind string

// The kinds.
const (
	Branch Kind = "branch" // a branch that is there
	Pull   Kind = "pull"   // the branch of a pull request
	Issue  Kind = "issue"  // a new branch, for an issue
	OnTask Kind = "task"   // a new branch, on top of another task's
)

// Kinds lists every kind.
var Kinds = []Kind{Branch, Pull, Issue, OnTask}

// Start is what a task starts from; the zero value is a new branch off the project's base,
// named by the project's pattern.
type Start struct {
	Kind Kind `json:"kind"`
	// Branch is the name of the branch: of a new one as the user typed it, empty for the
	// project's pattern.
	Branch string `json:"branch"`
	// Base is what a new branch starts from, and what any is compared with and merged into;
	// empty for the project's.
	Base string `json:"base"`
	// Remote and Ref are what is fetched into Branch before the first run, such as
	// origin and refs/pull/412/head; empty where the branch is here.
	Remote string `json:"remote"`
	Ref    string `json:"ref"`
	// Number and URL name the pull request or the issue.
	Number int    `json:"number"`
	URL    string `json:"url"`
	// TaskID is the task on whose branch this one builds.
	TaskID string `json:"taskId"`
	// Found is the commit that a branch was at when the task came to it; empty for a new
	// one. Beckon sets it.
	Found string `json:"found"`
}

// Adopts reports whether the branch was there before the task.
func (k Kind) Adopts() bool { return k == Branch || k == Pull }

// MaxBranch is how long the name of a branch or its pattern may be, in bytes.
const MaxBranch = 200

// Pattern is how branches are named where a project says nothing.
const Pattern = "beckon/{key}-{title}"

// What a pattern may name.
const (
	PatternKey    = "{key}"    // the task's key, such as kes-47
	PatternNumber = "{number}" // the task's number
	PatternTitle  = "{title}"  // the words of the title
)

// Named reports whether a pattern gives different tasks different names.
func Named(pattern string) bool {
	return strings.Contains(pattern, PatternKey) || strings.Contains(pattern, PatternNumber) ||
		strings.Contains(pattern, PatternTitle)
}

// FoundBranch is a branch that a task could start from.
type FoundBranch struct {
	Name   string `json:"name"`
	Remote string `json:"remote"` // that has it; empty where it is here
	Author string `json:"author"` // of its last commit
	At     int64  `json:"at"`     // when that was made
	Ahead  int    `json:"ahead"`  // commits that the base lacks
	Behind int    `json:"behind"` // commits of the base that it lacks
	// Dir is the folder that has it checked out, and TaskID the task that works on it: it
	// cannot be used twice.
	Dir    string `json:"dir"`
	TaskID string `json:"taskId"`
}

// BranchSearch is what was found of the branches of a project.
type BranchSearch struct {
	Here     int           `json:"here"`     // branches of the repository
	OnRemote int           `json:"onRemote"` // branches of its remotes that are not here
	Branches []FoundBranch `json:"branches"` // the first that match, those here first
}

// Item is a pull request or an issue as its server has it.
type Item struct {
	Kind   Kind     `json:"kind"` // Pull or Issue
	Number int      `json:"number"`
	URL    string   `json:"url"`
	Title  string   `json:"title"`
	Body   string   `json:"body"` // markdown
	Author string   `json:"author"`
	At     int64    `json:"at"` // when it was opened
	Open   bool     `json:"open"`
	Labels []string `json:"labels"`
	// Of a pull request: its branch and the one that it goes into, whether that branch is
	// in another repository, what it changes, and its comments that are not resolved.
	Branch   string        `json:"branch"`
	Base     string        `json:"base"`
	Fork     string        `json:"fork"` // the other repository's owner; empty where it is the same
	Added    int           `json:"added"`
	Removed  int           `json:"removed"`
	Comments []ItemComment `json:"comments"`
	// Start is what a task starts from that is made of it.
	Start Start  `json:"start"`
	Tool  string `json:"tool"` // that found it: gh or glab
}

// ItemComment is a comment on a line of a pull request.
type ItemComment struct {
	Author string `json:"author"`
	File   string `json:"file"`
	Line   int    `json:"line"` // 0: of the file
	Text   string `json:"text"`
}
