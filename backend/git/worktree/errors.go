package worktree

import (
	"fmt"

	"beckon/backend/beckon"
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

func (e *OtherBranchError) Error() string {
	at := "no branch"
	if e.On != "" {
		at = "the branch " + e.On
	}
	back := "git switch " + e.Branch
	if e.Commit != "" {
		at += ", at commit " + short(e.Commit)
		back += " && git merge " + short(e.Commit)
	}
	return fmt.Sprintf("the worktree %s is on %s, and not on %s: what was done is kept there as it is; "+
		"to take it over, run %s in that folder", e.Dir, at, e.Branch, back)
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

func (e *WorktreeGoneError) Error() string {
	return fmt.Sprintf("the worktree %s is gone, and with it what was not committed; the branch %s is kept, at commit %s",
		e.Dir, e.Branch, short(e.Commit))
}

// Unwrap makes it an ErrConflict.
func (e *WorktreeGoneError) Unwrap() error { return beckon.ErrConflict }

// short is a commit's name as people read and type it.
func short(commit string) string { return commit[:min(len(commit), 12)] }
