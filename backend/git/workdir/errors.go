package workdir

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

// BranchGoneError is what CommitAll, and all that needs the branch, returns where that does
// not exist. What is left can be discarded.
type BranchGoneError struct {
	Dir    string
	Branch string
	On     string // another branch that the folder is on; empty: on none
	Commit string // the last that git knows the folder to be at; empty: it knows none
	Folder Condition
}

func (e *BranchGoneError) Error() string {
	const orDiscard = ", or discard the task: what is there is kept for 30 days"
	switch {
	case e.Commit == "" && e.Folder == Missing:
		return fmt.Sprintf("the branch %s and the worktree %s are gone, and git has no record of their commits: discard the task, or start it over", e.Branch, e.Dir)
	case e.Folder == Missing:
		return fmt.Sprintf("the branch %s and the worktree %s are gone, but git still has their last commit: to go on with it, run git branch %s %s in the repository"+orDiscard,
			e.Branch, e.Dir, e.Branch, short(e.Commit))
	case e.Folder == Broken:
		return fmt.Sprintf("the branch %s is gone, and %s is no longer connected to its repository: discard the task", e.Branch, e.Dir)
	case e.Commit == "":
		return fmt.Sprintf("the branch %s is gone, and the worktree %s is at no commit: discard the task: what is there is kept for 30 days", e.Branch, e.Dir)
	case e.On == e.Branch:
		return fmt.Sprintf("the branch %s is gone: to bring it back, run git update-ref refs/heads/%s %s in %s"+orDiscard, e.Branch, e.Branch, short(e.Commit), e.Dir)
	}
	at := "no branch"
	if e.On != "" {
		at = "the branch " + e.On
	}
	again := "git switch -c " + e.Branch
	if e.Folder == Busy { // git switches nothing meanwhile
		again = "git branch " + e.Branch + " " + short(e.Commit)
	}
	return fmt.Sprintf("the branch %s is gone, and the worktree %s is on %s, at commit %s: to go on from there, run %s in that folder"+orDiscard,
		e.Branch, e.Dir, at, short(e.Commit), again)
}

// Unwrap makes it an ErrNotFound.
func (e *BranchGoneError) Unwrap() error { return beckon.ErrNotFound }

// short is a commit's name as people read and type it.
func short(commit string) string { return commit[:min(len(commit), 12)] }
