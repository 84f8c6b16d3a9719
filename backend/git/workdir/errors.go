package workdir

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// OtherBranchError is what CommitAll and Merge return where the folder shows
// something else than the task's branch. Nothing was committed and no file
// was touched.
type OtherBranchError struct {
	Dir    string
	Branch string // the task's
	On     string // the branch that the folder is on; empty: on none
	Commit string // that the folder is at; empty: On has none yet
}

func (e *OtherBranchError) Error() string { return e.Reason().String() }

// Reason says where the worktree is, and how what was done there is taken over.
func (e *OtherBranchError) Reason() *reason.Reason {
	command := "git switch " + e.Branch
	values := []string{"dir", e.Dir, "branch", e.Branch}
	if e.Commit == "" {
		return reason.Of(reason.OtherBranchEmpty, append(values, "on", e.On, "command", command)...)
	}
	values = append(values, "commit", short(e.Commit), "command", command+" && git merge "+short(e.Commit))
	if e.On == "" {
		return reason.Of(reason.NoBranchThere, values...)
	}
	return reason.Of(reason.OtherBranch, append(values, "on", e.On)...)
}

// Unwrap makes it an ErrConflict.
func (e *OtherBranchError) Unwrap() error { return beckon.ErrConflict }

// WorktreeGoneError is what CommitAll returns where the folder does not exist.
// What the branch has is kept; what was not committed went with the folder.
type WorktreeGoneError struct {
	Dir    string
	Branch string
	Commit string // the last of Branch
}

func (e *WorktreeGoneError) Error() string { return e.Reason().String() }

// Reason says what went with it.
func (e *WorktreeGoneError) Reason() *reason.Reason {
	return reason.Of(reason.WorktreeGone, "dir", e.Dir, "branch", e.Branch, "commit", short(e.Commit))
}

// Unwrap makes it an ErrConflict.
func (e *WorktreeGoneError) Unwrap() error { return beckon.ErrConflict }

// BranchGoneError is what CommitAll, and all that needs the branch, returns where that does
// not exist. What is left can be discarded.
type BranchGoneError struct {
	Dir    string
	Branch string
	On     string // another branch that the folder is on; empty: on none
	Commit string // the last that git knows the folder to be at; empty: it knows none
	Folder Condition
}

func (e *BranchGoneError) Error() string { return e.Reason().String() }

// Reason says what is left, and what brings the branch back.
func (e *BranchGoneError) Reason() *reason.Reason {
	values := []string{"branch", e.Branch, "dir", e.Dir}
	switch {
	case e.Commit == "" && e.Folder == Missing:
		return reason.Of(reason.BranchGoneWhole, values...)
	case e.Folder == Broken:
		return reason.Of(reason.BranchGoneBroken, values...)
	case e.Commit == "":
		return reason.Of(reason.BranchGoneEmpty, values...)
	}
	values = append(values, "commit", short(e.Commit))
	switch {
	case e.Folder == Missing:
		return reason.Of(reason.BranchGoneAway, values...)
	case e.On == e.Branch:
		return reason.Of(reason.BranchGoneHere, values...)
	}
	again := "git switch -c " + e.Branch
	if e.Folder == Busy { // git switches nothing meanwhile
		again = "git branch " + e.Branch + " " + short(e.Commit)
	}
	if values = append(values, "command", again); e.On == "" {
		return reason.Of(reason.BranchGoneOnNone, values...)
	}
	return reason.Of(reason.BranchGoneOn, append(values, "on", e.On)...)
}

// Unwrap makes it an ErrNotFound.
func (e *BranchGoneError) Unwrap() error { return beckon.ErrNotFound }

// short is a commit's name as people read and type it.
func short(commit string) string { return commit[:min(len(commit), 12)] }
