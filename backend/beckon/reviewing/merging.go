package reviewing

import (
	"fmt"
	"strings"
)

// This file has the words for taking a task's branch into its base: the ways
// to do it, and the messages that the commits get.

// MergeWay is how a branch is taken into its base.
type MergeWay string

const (
	// MergeCommit keeps the branch's commits and adds one that joins them.
	MergeCommit MergeWay = "merge"
	// Squash makes one commit of the branch.
	Squash MergeWay = "squash"
	// Rebase puts the branch's commits on top of the base, one after the other.
	Rebase MergeWay = "rebase"
)

// MergeWays are all of them.
var MergeWays = []MergeWay{MergeCommit, Squash, Rebase}

// MostMessage is how long a commit message may be, in bytes.
const MostMessage = 64 << 10

// MergeOrder is how the user wants a branch to be merged.
type MergeOrder struct {
	Way     MergeWay `json:"way"`     // empty: the project's
	Message string   `json:"message"` // empty: the way's own; a rebase has none
	// FailedCheck says that the user saw that the check failed, and merges all the same.
	FailedCheck bool `json:"failedCheck"`
	// Steering says the same of the files that steer or run something on this computer.
	Steering bool `json:"steering"`
}

// Landed is how Beckon took a branch into its base, by an order of the user's.
type Landed struct {
	Way    MergeWay `json:"way"`    // empty: Beckon ended before it was written down
	Commit string   `json:"commit"` // what the base was then; empty: Beckon did not
	At     int64    `json:"at"`
}

// MergeProposal is what merging a task's branch would make, before it is ordered.
type MergeProposal struct {
	Way     MergeWay `json:"way"`     // the project's
	Commits int      `json:"commits"` // of the branch, what would be committed first included
	Merge   string   `json:"merge"`   // message of a merge commit
	Squash  string   `json:"squash"`  // message of a single commit
}

// MergedCommit is what a commit of a branch says about itself.
type MergedCommit struct {
	Subject string
	Authors []string // who else it names, as "Name <address>"
}

// MessageOf returns the message of a way, empty for a rebase.
func (p MergeProposal) MessageOf(way MergeWay) string {
	switch way {
	case MergeCommit:
		return p.Merge
	case Squash:
		return p.Squash
	case Rebase:
	}
	return ""
}

// MergedTask is what a commit that merges a task's branch names it by.
type MergedTask struct {
	Key, Title string
	Issue      int // that it closes on its server; 0: none
}

// closes is what has GitHub and GitLab close an issue; empty where there is none.
func (t MergedTask) closes() string {
	if t.Issue == 0 {
		return ""
	}
	return fmt.Sprintf("\nCloses #%d\n", t.Issue)
}

// ProposeMerge returns the messages for a task whose branch has these commits, the oldest
// first.
func ProposeMerge(way MergeWay, t MergedTask, commits []MergedCommit) MergeProposal {
	return MergeProposal{
		Way: way, Commits: len(commits),
		Merge:  strings.TrimSpace(fmt.Sprintf("Merge %s: %s\n%s", t.Key, t.Title, t.closes())),
		Squash: squashed(t, commits),
	}
}

// squashed names the commits that a single one replaces, if they say more than the
// title, and those who wrote them.
func squashed(t MergedTask, commits []MergedCommit) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n", t.Key, t.Title)
	if len(commits) > 1 || len(commits) == 1 && commits[0].Subject != t.Title {
		text.WriteString("\n")
		for _, c := range commits {
			fmt.Fprintf(&text, "- %s\n", c.Subject)
		}
	}
	text.WriteString(t.closes())
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
