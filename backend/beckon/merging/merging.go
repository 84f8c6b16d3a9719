// Package merging has the words for taking a task's branch into its base: the ways
// to do it, and the messages that the commits get. It does no I/O.
package merging

import (
	"fmt"
	"strings"
)

// Way is how a branch is taken into its base.
type Way string

const (
	// MergeCommit keeps the branch's commits and adds one that joins them.
	MergeCommit Way = "merge"
	// Squash makes one commit of the branch.
	Squash Way = "squash"
	// Rebase puts the branch's commits on top of the base, one after the other.
	Rebase Way = "rebase"
)

// Ways are all of them.
var Ways = []Way{MergeCommit, Squash, Rebase}

// MostMessage is how long a commit message may be, in bytes.
const MostMessage = 64 << 10

// Order is how the user wants a branch to be merged.
type Order struct {
	Way     Way    `json:"way"`     // empty: the project's
	Message string `json:"message"` // empty: the way's own; a rebase has none
	// FailedCheck says that the user saw that the check failed, and merges all the same.
	FailedCheck bool `json:"failedCheck"`
	// Steering says the same of the files that steer or run something on this computer.
	Steering bool `json:"steering"`
}

// Landed is how Beckon took a branch into its base, by an order of the user's.
type Landed struct {
	Way    Way    `json:"way"`    // empty: Beckon ended before it was written down
	Commit string `json:"commit"` // what the base was then; empty: Beckon did not
	At     int64  `json:"at"`
}

// Proposal is what merging a task's branch would make, before it is ordered.
type Proposal struct {
	Way     Way    `json:"way"`     // the project's
	Commits int    `json:"commits"` // of the branch, what would be committed first included
	Merge   string `json:"merge"`   // message of a merge commit
	Squash  string `json:"squash"`  // message of a single commit
}

// Commit is what a commit of a branch says about itself.
type Commit struct {
	Subject string
	Authors []string // who else it names, as "Name <address>"
}

// MessageOf returns the message of a way, empty for a rebase.
func (p Proposal) MessageOf(way Way) string {
	switch way {
	case MergeCommit:
		return p.Merge
	case Squash:
		return p.Squash
	case Rebase:
	}
	return ""
}

// Propose returns the messages for the task with that key and title, whose branch
// has these commits, the oldest first.
func Propose(way Way, key, title string, commits []Commit) Proposal {
	return Proposal{
		Way: way, Commits: len(commits),
		Merge:  fmt.Sprintf("Merge %s: %s", key, title),
		Squash: squashed(key, title, commits),
	}
}

// squashed names the commits that a single one replaces, if they say more than the
// title, and those who wrote them.
func squashed(key, title string, commits []Commit) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n", key, title)
	if len(commits) > 1 || len(commits) == 1 && commits[0].Subject != title {
		text.WriteString("\n")
		for _, c := range commits {
			fmt.Fprintf(&text, "- %s\n", c.Subject)
		}
	}
	seen := map[string]bool{}
	for _, c := range commits {
		for _, author := range c.Authors {
			if seen[author] {
				continue
			}
			if len(seen) == 0 {
				text.WriteString("\n")
			}
			seen[author] = true
			fmt.Fprintf(&text, "Co-authored-by: %s\n", author)
		}
	}
	return shortened(text.String())
}

// shortened cuts a message to what it may have, at the end of a line.
func shortened(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= MostMessage {
		return text
	}
	text = text[:MostMessage]
	return strings.TrimSpace(text[:strings.LastIndexByte(text, '\n')+1])
}
