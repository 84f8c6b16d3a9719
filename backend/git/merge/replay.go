package merge

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// mostReplayed is how many commits are put on top of a base; each takes git six
// times.
const mostReplayed = 500

// replay puts the branch's commits on top of the base, one after the other and
// without a folder, and returns the last. Their authors, dates and messages stay.
// One that the base has by now is left out.
func (p *Plan) replay(ctx context.Context) (string, error) {
	list, err := p.repo.Line(ctx, "rev-list", "--reverse", "--topo-order", "--no-merges", p.base+".."+p.tip)
	if err != nil {
		return "", err
	}
	commits := strings.Fields(list)
	if len(commits) > mostReplayed {
		return "", command.Refuse(reason.Of(reason.RebaseMany,
			"branch", p.w.Branch, "n", strconv.Itoa(len(commits)), "most", strconv.Itoa(mostReplayed), "base", p.w.Base))
	}
	committer, err := workdir.Committer(ctx, p.repo)
	if err != nil {
		return "", err
	}
	on := p.base
	tree, err := p.repo.Line(ctx, "rev-parse", p.base+"^{tree}")
	if err != nil {
		return "", err
	}
	for _, commit := range commits {
		if on, tree, err = p.pick(ctx, commit, on, tree, committer); err != nil {
			return "", err
		}
	}
	if tree != p.tree { // where the branch merged its base, it may have decided something
		return "", command.Refuse(reason.Of(reason.RebaseDiffers, "branch", p.w.Branch, "base", p.w.Base))
	}
	return on, nil
}

// pick puts a commit on top of another, whose tree is given, and returns the
// commit and the tree that it makes.
func (p *Plan) pick(ctx context.Context, commit, on, onTree, committer string) (newCommit, newTree string, err error) {
	raw, err := p.repo.Run(ctx, "cat-file", "commit", commit)
	if err != nil {
		return "", "", err
	}
	parent := header(raw, "parent")
	if parent == "" {
		return "", "", command.Refuse(reason.Of(reason.RebaseRoot, "branch", p.w.Branch, "commit", short(commit)))
	}
	// merge-tree finds what to compare with from history: of the commit and of a
	// stand-in that grew from the same parent, that is the parent.
	ours, err := workdir.CommitTree(ctx, p.repo, onTree, "stand-in", parent)
	if err != nil {
		return "", "", err
	}
	tree, err := p.repo.Line(ctx, "merge-tree", "--write-tree", "--name-only", "--no-messages", ours, commit)
	if command.ExitCode(err) == 1 {
		return "", "", command.Refuse(reason.Of(reason.RebaseConflicts,
			"commit", short(commit), "subject", subject(raw), "base", p.w.Base))
	}
	if err != nil {
		return "", "", err
	}
	if tree == onTree {
		return on, tree, nil
	}
	writer := p.repo
	writer.Input = replayed(raw, tree, on, committer)
	newCommit, err = writer.Line(ctx, "hash-object", "-t", "commit", "-w", "--stdin")
	return newCommit, tree, err
}

// replayed is a commit's text with another tree, parent and committer. Its
// signature would be wrong and is left out.
func replayed(raw, tree, parent, committer string) string {
	head, message, _ := strings.Cut(raw, "\n\n")
	lines := []string{"tree " + tree, "parent " + parent}
	for line := range strings.SplitSeq(head, "\n") {
		switch name, _, _ := strings.Cut(line, " "); name {
		case "author":
			lines = append(lines, line, "committer "+committer)
		case "encoding":
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n\n" + message
}

// header returns the first value of a name in a commit's text.
func header(raw, name string) string {
	head, _, _ := strings.Cut(raw, "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return value
		}
	}
	return ""
}

// subject is the first line of a commit's message, as a person reads it.
func subject(raw string) string {
	_, message, _ := strings.Cut(raw, "\n\n")
	first, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	return fmt.Sprintf("%.80q", strings.ToValidUTF8(first, "\uFFFD"))
}

func short(commit string) string { return commit[:min(len(commit), 9)] }
