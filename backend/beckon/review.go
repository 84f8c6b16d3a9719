package beckon

import (
	"beckon/backend/beckon/reason"
)

// ReviewDiff is a task's branch against its base.
type ReviewDiff struct {
	TaskID  string     `json:"taskId"`
	Base    string     `json:"base"`
	Files   []FileDiff `json:"files"`
	Behind  int        `json:"behind"`  // commits of the base that the branch lacks
	Omitted int        `json:"omitted"` // files beyond those in Files, of a diff too large to be listed
	// Uncommitted lists paths in the worktree that no commit holds yet.
	Uncommitted []string `json:"uncommitted"`
	// Refusal says why the branch cannot be merged; nil when it can.
	Refusal   *reason.Reason `json:"why,omitempty"`
	Conflicts []string       `json:"conflicts"` // paths
	// Since says what Files are of, as reviewing.View does; the rest is of the whole.
	Since string `json:"since"`
}

// MarshalJSON has "refusal" beside "why".
func (r ReviewDiff) MarshalJSON() ([]byte, error) {
	type fields ReviewDiff
	return r.Refusal.Beside(fields(r), "refusal")
}

// FileDiff is one file of it.
type FileDiff struct {
	Path    string     `json:"path"`
	OldPath string     `json:"oldPath"` // of a rename, else empty
	Change  FileChange `json:"change"`
	Kind    FileKind   `json:"kind"`
	Similar int        `json:"similar"` // how much of a rename stayed, in percent
	Added   int        `json:"added"`
	Removed int        `json:"removed"`
	Binary  bool       `json:"binary"`
	// OldSize and Size are the bytes of a binary file; -1 where they are unknown.
	OldSize int64  `json:"oldSize"`
	Size    int64  `json:"size"`
	Mode    string `json:"mode"`    // git's old and new, "100644 → 100755", where a file that stayed changed it
	Content string `json:"content"` // names what the file was and is
	// Patch is the unified diff from its first @@ line, cut at 512 KB.
	Patch   string `json:"patch"`
	Cut     bool   `json:"cut"`
	Pending bool   `json:"pending"` // not compared to its end yet: Patch is a beginning at most, and the counts and sizes say nothing
	Past    bool   `json:"past"`    // the file was changed again since: its lines are not today's
}

// FileChange is what happened to a file; the letters are git's.
type FileChange string

// The changes.
const (
	FileAdded    FileChange = "A"
	FileModified FileChange = "M"
	FileDeleted  FileChange = "D"
	FileRenamed  FileChange = "R"
)

// FileChanges lists every change.
var FileChanges = []FileChange{FileAdded, FileModified, FileDeleted, FileRenamed}

// FileKind is what a path is, or was before it was deleted.
type FileKind string

// The kinds.
const (
	FileRegular   FileKind = "file"
	FileLink      FileKind = "link"
	FileSubmodule FileKind = "submodule" // its patch has the commits
)

// FileKinds lists every kind.
var FileKinds = []FileKind{FileRegular, FileLink, FileSubmodule}

// Loss is what an action would take out of sight, shown before it is done.
type Loss struct {
	// Token confirms exactly this loss: the action refuses when there is more
	// by then.
	Token       string   `json:"token"`
	Uncommitted []string `json:"uncommitted"` // paths
	Commits     int      `json:"commits"`     // that the base does not have
	// Ignored lists files and folders that git ignores, which are not kept:
	// at most 200.
	Ignored []string `json:"ignored"`
	// Repositories lists those inside the worktree. They cannot be kept, so
	// the action refuses while there are any.
	Repositories []string `json:"repositories"`
	// KeptUntil is when what is discarded can no longer be brought back; 0: there is
	// nothing to keep.
	KeptUntil int64 `json:"keptUntil"`
	// BranchGone says that the branch is gone: this is what git still has of the task.
	BranchGone bool `json:"branchGone"`
}
