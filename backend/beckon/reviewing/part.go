package reviewing

import (
	"regexp"
	"strings"

	"beckon/backend/beckon/reason"
)

// This file has the words for tasks that work in several repositories.

// Repository is a further one of a project. Its tasks work in it beside the project's own.
type Repository struct {
	// Name is its own within the project, compared without case: see SoundRepositoryName.
	Name     string   `json:"name"`
	Dir      string   `json:"dir"`      // absolute, symbolic links resolved
	Base     string   `json:"base"`     // branch that work starts from; empty: the one checked out when it is saved
	MergeWay MergeWay `json:"mergeWay"` // empty: the project's when it is saved
	// FromStart gives each task a worktree of it at its start; else a task gets one when it
	// first needs it.
	FromStart bool `json:"fromStart"`
}

// MostRepositories is how many further ones a project may have.
const MostRepositories = 20

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,39}$`)

// SoundRepositoryName reports whether a further repository may have a name: it names a folder
// and a part of a ref.
func SoundRepositoryName(name string) bool {
	lower := strings.ToLower(name)
	return repositoryName.MatchString(name) && !strings.HasSuffix(name, ".") && !strings.Contains(name, "..") &&
		!strings.HasSuffix(lower, ".lock") && !strings.HasPrefix(name, "-")
}

// Part is the work of a task in one repository.
type Part struct {
	// ID is what calls take that look at the work or change it: the id of the task for the
	// project's own repository, else PartID.
	ID       string   `json:"id"`
	Name     string   `json:"name"` // of the repository; of the project for its own
	Dir      string   `json:"dir"`  // of the repository
	Worktree string   `json:"worktree"`
	Branch   string   `json:"branch"` // empty: there is none yet
	Base     string   `json:"base"`
	Files    int      `json:"files"`
	Added    int      `json:"added"`   // lines
	Removed  int      `json:"removed"` // lines
	Commits  int      `json:"commits"`
	Behind   int      `json:"behind"` // commits of the base that the branch lacks
	Way      MergeWay `json:"way"`    // that its settings name
	Landed   Landed   `json:"landed"`

	State     PartState      `json:"state"`
	Conflicts []string       `json:"conflicts"` // paths
	Why       *reason.Reason `json:"why,omitempty"`
}

// PartOrder is how the user wants the work in one repository to be merged.
type PartOrder struct {
	ID string `json:"id"` // as in Part
	MergeOrder
}

// PartState is what would become of a part if it were merged.
type PartState string

// The states.
const (
	PartNone      PartState = "none"      // it has no worktree yet
	PartUnchanged PartState = "unchanged" // there is nothing to merge
	PartClean     PartState = "clean"
	PartConflict  PartState = "conflict"
	PartRefused   PartState = "refused" // the reason is in Why
	PartMissing   PartState = "missing" // the repository's folder, or the branch; the reason is in Why
	PartMerged    PartState = "merged"
)

// PartStates lists every state.
var PartStates = []PartState{PartNone, PartUnchanged, PartClean, PartConflict, PartRefused, PartMissing, PartMerged}

// PartID returns the id of the work of a task in a further repository, or of the task where
// name is empty. The same goes for projects.
func PartID(taskID, name string) string {
	if name == "" {
		return taskID
	}
	return taskID + "/" + name
}

// CardOf returns the id of the task that a part belongs to, which may be the task's own.
func CardOf(id string) string {
	taskID, _ := SplitPart(id)
	return taskID
}

// IsPart reports whether an id is that of the work in a further repository.
func IsPart(id string) bool { return CardOf(id) != id }

// SplitPart returns the task, or project, and the name of the repository that an id has.
func SplitPart(id string) (taskID, name string) {
	taskID, name, _ = strings.Cut(id, "/")
	return taskID, name
}
