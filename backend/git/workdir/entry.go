// Package workdir reads what is in a folder that git has checked out: what
// differs from its commit, which repositories are inside it, what git ignores
// there; makes trees and commits of it; and says how its worktree stands. No ref moves here, and it knows
// nothing of tasks and their branches.
package workdir

import (
	"context"
	"fmt"
	"strings"

	"beckon/backend/git/command"
)

// Entry is a path that differs from the commit that a folder is at.
type Entry struct {
	Path      string // slash-separated; ends in a slash for a repository of its own
	Untracked bool
	Unmerged  bool
	// Overlooked says that git was asked to overlook what differs; see Overlooked.
	Overlooked bool
	// Staged says that the index differs from the commit, which has the path
	// as HeadMode and HeadHash.
	Staged             bool
	HeadMode, HeadHash string
	// Dropped says that the index has no such path; in the folder there may be another
	// thing of that name.
	Dropped bool
}

// Nested reports whether e is a repository inside the worktree, whose content
// git does not see.
func (e Entry) Nested() bool { return strings.HasSuffix(e.Path, "/") }

// Changes lists what differs in the folder, untracked files included and
// ignored ones not.
func Changes(ctx context.Context, c command.Git) ([]Entry, error) {
	fields, err := c.List(ctx, "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all",
		"--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, field := range fields {
		e, err := parseEntry(field)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Standing returns the branch that a folder is on, empty where it is on none, the commit
// that it is at, and whether it has anything that the commit has not.
func Standing(ctx context.Context, c command.Git) (branch, commit string, changed bool, err error) {
	fields, err := c.List(ctx, "status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all",
		"--ignore-submodules=dirty")
	for _, field := range fields {
		header, of := strings.CutPrefix(field, "# ")
		word, value, _ := strings.Cut(header, " ")
		switch {
		case !of:
			changed = true
		case word == "branch.oid":
			commit = value
		case word == "branch.head" && value != "(detached)":
			branch = value
		}
	}
	return branch, commit, changed, err
}

// parseEntry reads one record of git status --porcelain=v2 -z.
func parseEntry(s string) (Entry, error) {
	bad := fmt.Errorf("git status says %q, which is unknown", s)
	kind, rest, _ := strings.Cut(s, " ")
	switch kind {
	case "?":
		return Entry{Path: rest, Untracked: true}, nil
	case "1": // XY sub mH mI mW hH hI path
		f := strings.SplitN(rest, " ", 8)
		if len(f) < 8 {
			return Entry{}, bad
		}
		return Entry{Path: f[7], Staged: f[0][0] != '.', HeadMode: f[2], HeadHash: f[5], Dropped: f[0][0] == 'D'}, nil
	case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
		f := strings.SplitN(rest, " ", 10)
		if len(f) < 10 {
			return Entry{}, bad
		}
		return Entry{Path: f[9], Unmerged: true}, nil
	default:
		return Entry{}, bad
	}
}

// Paths returns the entries' paths, as a page can show them.
func Paths(entries []Entry) []string {
	list := []string{}
	for _, e := range entries {
		list = append(list, strings.ToValidUTF8(e.Path, "\uFFFD"))
	}
	return list
}

// Some names at most three of paths, for a sentence.
func Some(paths []string) string {
	if len(paths) <= 3 {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:3], ", "), len(paths)-3)
}
