package merge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"beckon/backend/git/command"
)

const (
	// recordRef holds a text with a line for each merge, the newest first.
	recordRef = "refs/beckon/merges"
	// updateRef holds the same of branches that took from their base, whose commit
	// the tip is.
	updateRef = "refs/beckon/updates"
	// mostRecords is how many merges it knows.
	mostRecords = 500
)

// Record is a merge as it was done, whichever way: a squash or a rebase cannot be
// told from the history.
type Record struct {
	From, To string // commits: the base before it and after it
	Tip      string // commit of the branch
}

// records returns the merges of the tip, the newest first.
func records(ctx context.Context, repo command.Git, tip string) ([]Record, error) {
	list, err := recordsIn(ctx, repo, recordRef)
	return slices.DeleteFunc(list, func(r Record) bool { return r.Tip != tip }), err
}

// recordsIn returns all that a ref holds, the newest first.
func recordsIn(ctx context.Context, repo command.Git, ref string) (list []Record, err error) {
	_, text, err := repo.Text(ctx, ref)
	for line := range strings.Lines(text) {
		var r Record
		if n, _ := fmt.Sscan(line, &r.From, &r.To, &r.Tip); n == 3 {
			list = append(list, r)
		}
	}
	return list, err
}

// keep notes a merge that is about to be done.
func (r Record) keep(ctx context.Context, repo command.Git, ref string) error {
	old, text, err := repo.Text(ctx, ref)
	if err != nil {
		return err
	}
	lines := []string{fmt.Sprintln(r.From, r.To, r.Tip)}
	for line := range strings.Lines(text) {
		if len(lines) < mostRecords {
			lines = append(lines, line)
		}
	}
	return repo.SetText(ctx, ref, old, strings.Join(lines, ""))
}

// Landed returns the newest merge of the tip that the base still has; its commits
// are empty where there is none.
func Landed(ctx context.Context, repo command.Git, base, tip string) (Record, error) {
	list, err := records(ctx, repo, tip)
	for _, r := range list {
		has, err := contains(ctx, repo, base, r.To)
		if err != nil || has {
			return r, err
		}
	}
	return Record{}, err
}

// contains reports whether a commit is in the history of another. One that is gone
// is in none.
func contains(ctx context.Context, repo command.Git, history, commit string) (bool, error) {
	_, err := repo.Run(ctx, "merge-base", "--is-ancestor", commit, history)
	if command.ExitCode(err) > 0 {
		return false, nil
	}
	return err == nil, err
}
