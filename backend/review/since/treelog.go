package since

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
)

// This file keeps trees of a repository that no commit has: one ref for each
// name, which points at the tree of their list. A ref to a tree is in no history
// and makes no commit reachable, so what is kept here hides no work from those who look
// whether something would be lost.

// prefix is where the refs are. No push or fetch takes them along unless it mirrors.
const prefix = "refs/beckon/turns/"

// TreeLog is what is kept in one repository. The caller keeps two changes of one name from
// meeting.
type TreeLog struct{ Git command.Git }

// Keep keeps a tree under a name, besides those that are kept under it. What git lost of those is
// left out, so that the others stay.
func (l TreeLog) Keep(ctx context.Context, name, tree string) error {
	ref, err := refOf(name)
	if err != nil {
		return err
	}
	old, err := l.Git.Quiet(ctx, "rev-parse", "--verify", "--quiet", ref)
	if err != nil {
		return err
	}
	one, now := treeEntry{hash: tree}, ""
	list, err := l.list(ctx, old)
	if err == nil {
		if slices.Contains(list, one) {
			return nil
		}
		now, err = l.write(ctx, append(list, one))
	}
	if err != nil && old != "" {
		left, lost, lookErr := l.left(ctx, old, list)
		if lookErr != nil || !lost {
			return err
		}
		slog.Warn("git lost some of what is kept of turns", "err", err, "ref", ref)
		now, err = l.write(ctx, append(left, one))
	}
	if err == nil {
		_, err = l.Git.Run(ctx, "update-ref", ref, now, old)
	}
	return err
}

// left returns the entries of a list that git still has; lost says that it has not all of them, or not
// the list itself.
func (l TreeLog) left(ctx context.Context, tree string, list []treeEntry) (left []treeEntry, lost bool, err error) {
	asked := l.Git
	asked.Input = tree + "\n"
	for _, e := range list {
		asked.Input += e.hash + "\n"
	}
	out, err := asked.Run(ctx, "cat-file", "--batch-check=")
	if err != nil {
		return nil, false, err
	}
	gone := func(hash string) bool { return strings.Contains(out, hash+" missing\n") }
	left = slices.DeleteFunc(list, func(e treeEntry) bool { return gone(e.hash) })
	return left, gone(tree) || len(left) < len(list), nil
}

// Has reports whether the repository has a tree, or a commit's.
func (l TreeLog) Has(ctx context.Context, tree string) (bool, error) {
	found, err := l.Git.Quiet(ctx, "rev-parse", "--verify", "--quiet", tree+"^{tree}")
	return found != "", err
}

// Size returns how many bytes the repository has of what is kept under all names, as far as the
// files of no branch have it.
func (l TreeLog) Size(ctx context.Context) (bytes int64, err error) {
	refs, err := l.Git.Run(ctx, "for-each-ref", "--format=%(objectname)", prefix)
	if err != nil || refs == "" {
		return 0, err
	}
	branches, err := l.Git.Run(ctx, "for-each-ref", "--format=^%(tree)", "refs/heads/")
	if err != nil {
		return 0, err
	}
	asked := l.Git
	asked.Input = strings.Join(strings.Fields(refs+"\n"+branches), "\n") + "\n"
	line, err := asked.Line(ctx, "rev-list", "--disk-usage", "--objects", "--stdin")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(line, 10, 64)
}

// Drop lets go of what is kept under names, of all or, with an error, of none.
func (l TreeLog) Drop(ctx context.Context, names ...string) error {
	var text strings.Builder
	for _, name := range names {
		ref, err := refOf(name)
		if err != nil {
			return err
		}
		text.WriteString("delete " + ref + "\n")
	}
	writer := l.Git
	writer.Input = text.String()
	_, err := writer.Run(ctx, "update-ref", "--stdin")
	return err
}

// refOf returns the ref of a name, which is the id of a task, or of its part in a further
// repository: what that is called is spelled out, since a ref may not have all of it.
func refOf(name string) (string, error) {
	id, part := reviewing.SplitPart(name)
	if id == "" || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" {
		return "", fmt.Errorf("no trees are kept under %q: %w", name, beckon.ErrInvalid)
	}
	if part == "" {
		return prefix + id, nil
	}
	return prefix + id + "+" + hex.EncodeToString([]byte(part)), nil
}

// TreeOf returns the tree of a commit, or the tree that it is given.
func (l TreeLog) TreeOf(ctx context.Context, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	return l.Git.Line(ctx, "rev-parse", "--verify", commit+"^{tree}")
}

// Parent returns the first parent of a commit, or the empty tree for one without.
func (l TreeLog) Parent(ctx context.Context, commit string) (string, error) {
	parent, err := l.Git.Quiet(ctx, "rev-parse", "--verify", "--quiet", commit+"^1")
	if err != nil || parent != "" {
		return parent, err
	}
	return l.Git.Line(ctx, "mktree")
}

// mostCommits is how many commits Commits lists, the newest.
const mostCommits = 500

// Commits lists those that head has and from has not, the newest first.
func (l TreeLog) Commits(ctx context.Context, from, head string) (commits []reviewing.Commit, err error) {
	if from == "" || head == "" {
		return nil, nil
	}
	fields, err := l.Git.List(ctx, "log", "--topo-order", "--no-show-signature", "--encoding=UTF-8", "-z",
		"--max-count="+strconv.Itoa(mostCommits), "--format=%H %ct %s", from+".."+head, "--")
	for _, field := range fields {
		hash, rest, _ := strings.Cut(field, " ")
		seconds, subject, _ := strings.Cut(rest, " ")
		at, _ := strconv.ParseInt(seconds, 10, 64)
		commits = append(commits, reviewing.Commit{Hash: hash, Subject: strings.ToValidUTF8(subject, "\uFFFD"), At: at * 1000})
	}
	return commits, err
}
