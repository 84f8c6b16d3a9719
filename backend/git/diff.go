package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"beckon/backend/beckon"
)

// Sizes that a diff is held to. What a page can not show is not sent to it.
const (
	maxFiles = 3000
	maxPatch = 512 << 10 // bytes, one file
	maxDiff  = 20 << 20  // bytes, all files
)

// span is what a task did: everything between two trees.
type span struct {
	from, to string  // commits or trees
	head     string  // the commit that the work is at
	entries  []entry // what no commit holds
}

// span finds what the task of w did. Where the folder does not show the
// branch, that is what the branch has.
func (r *Repo) span(ctx context.Context, w Worktree) (span, State, error) {
	state, err := r.Status(ctx, w)
	if err != nil {
		return span{}, state, err
	}
	if state.Condition == Gone {
		return span{}, state, state.Err()
	}
	s := span{}
	if s.head, err = r.at().branch(ctx, w.Branch); err != nil {
		return s, state, err
	}
	s.to = s.head
	if state.Condition == Ready || state.Condition == Busy {
		if s, err = r.worktreeSpan(ctx, w); err != nil {
			return s, state, err
		}
	}
	s.from, err = r.fork(ctx, w, s.head)
	return s, state, err
}

// worktreeSpan takes head, tree and changes from the folder of w.
func (r *Repo) worktreeSpan(ctx context.Context, w Worktree) (s span, err error) {
	c := r.in(w.Dir)
	if s.head, s.to, err = c.head(ctx); err != nil {
		return s, err
	}
	if s.entries, err = c.changes(ctx); err != nil || len(s.entries) == 0 {
		return s, err
	}
	s.to, err = r.snapshot(ctx, w.Dir, s.entries)
	return s, err
}

// fork returns the commit that the work up to head is compared with: where it
// left the base branch, or last took from it. Work that was merged is
// compared with what the base was without it, so that it can still be read.
func (r *Repo) fork(ctx context.Context, w Worktree, head string) (string, error) {
	c := r.at()
	base, err := c.branch(ctx, w.Base)
	if err != nil {
		return "", err
	}
	if base == "" {
		base = w.BaseCommit
	}
	from, err := c.quiet(ctx, "merge-base", base, head)
	if err != nil || from == "" {
		return w.BaseCommit, err
	}
	if from != head {
		return from, nil
	}
	// The first commit of the base itself that has head in its past.
	merges, err := c.line(ctx, "rev-list", "--first-parent", "--ancestry-path", "--reverse", head+".."+base)
	if err != nil || merges == "" {
		return from, err
	}
	merge, _, _ := strings.Cut(merges, "\n")
	return c.line(ctx, "merge-base", merge+"^1", head)
}

// Summary counts what the task of w did, uncommitted changes included.
func (r *Repo) Summary(ctx context.Context, w Worktree) (beckon.Changes, error) {
	s, _, err := r.span(ctx, w)
	if err != nil {
		return beckon.Changes{}, err
	}
	files, err := r.changedFiles(ctx, s.from, s.to)
	if err != nil {
		return beckon.Changes{}, err
	}
	sum := beckon.Changes{Files: len(files)}
	for _, f := range files {
		sum.Added += f.Added
		sum.Removed += f.Removed
	}
	count, err := r.at().line(ctx, "rev-list", "--count", s.from+".."+s.head)
	if err != nil {
		return beckon.Changes{}, err
	}
	sum.Commits, err = strconv.Atoi(count)
	return sum, err
}

// Diff returns what the task of w did, uncommitted changes included, and
// whether it could be merged. Of more than 3000 files the rest is only
// counted; patches are left out once there are 20 MB of them.
func (r *Repo) Diff(ctx context.Context, w Worktree) (beckon.ReviewDiff, error) {
	s, state, err := r.span(ctx, w)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	diff := beckon.ReviewDiff{Base: w.Base, Uncommitted: paths(s.entries)}
	if diff.Files, err = r.changedFiles(ctx, s.from, s.to); err != nil {
		return beckon.ReviewDiff{}, err
	}
	if len(diff.Files) > maxFiles {
		diff.Omitted = len(diff.Files) - maxFiles
		diff.Files = diff.Files[:maxFiles]
	}
	if err := r.readPatches(ctx, s.from, s.to, diff.Files); err != nil {
		return beckon.ReviewDiff{}, err
	}
	p, err := r.plan(ctx, w, state, s.entries)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	diff.Refusal, diff.Conflicts = p.refusal, p.conflicts
	for _, list := range []*[]string{&diff.Uncommitted, &diff.Conflicts} {
		if *list == nil {
			*list = []string{}
		}
	}
	return diff, nil
}

// diffTree is how two trees are compared, in whatever form: renames found,
// and no program of the repository's asked.
func diffTree(form ...string) []string {
	return append([]string{"diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short"}, form...)
}

// comparing returns how git compares trees: files above 16 MB count as
// binary, because nobody reads their diff and making it takes seconds.
func (r *Repo) comparing() command {
	c := r.at()
	c.config = []setting{{"core.bigFileThreshold", "16m"}}
	return c
}

// changedFiles lists the files that differ between two trees, without their
// patches.
func (r *Repo) changedFiles(ctx context.Context, from, to string) ([]beckon.FileDiff, error) {
	fields, err := r.comparing().list(ctx, diffTree("-z", "--raw", "--numstat", from, to)...)
	if err != nil {
		return nil, err
	}
	files, rest := parseRaw(fields)
	return files, parseNumstat(rest, files)
}

// parseRaw reads the raw part, ":MODE MODE HASH HASH LETTER", the path and,
// after a rename, the path it has now. It returns the fields behind it.
func parseRaw(fields []string) (files []beckon.FileDiff, rest []string) {
	files = []beckon.FileDiff{}
	for len(fields) > 1 && strings.HasPrefix(fields[0], ":") {
		info := strings.Fields(fields[0][1:])
		f := beckon.FileDiff{Path: fields[1], Change: beckon.FileModified}
		fields = fields[2:]
		switch info[4][0] {
		case 'A':
			f.Change = beckon.FileAdded
		case 'D':
			f.Change = beckon.FileDeleted
		case 'R':
			f.Change, f.OldPath, f.Path = beckon.FileRenamed, strings.ToValidUTF8(f.Path, "\uFFFD"), fields[0]
			fields = fields[1:]
		}
		if info[0] != info[1] && f.Change != beckon.FileAdded && f.Change != beckon.FileDeleted {
			f.Mode = info[0] + " → " + info[1]
		}
		f.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
		files = append(files, f)
	}
	return files, fields
}

// parseNumstat reads "ADDED\tREMOVED\tPATH" for each file in turn. Of a
// rename the path is empty and the old and new one follow.
func parseNumstat(fields []string, files []beckon.FileDiff) error {
	for i := range files {
		if len(fields) == 0 {
			return fmt.Errorf("git counted the lines of %d files out of %d", i, len(files))
		}
		counts := strings.SplitN(fields[0], "\t", 3)
		if len(counts) < 3 {
			return fmt.Errorf("git counts lines as %q, which is unknown", fields[0])
		}
		fields = fields[1:]
		if counts[2] == "" && len(fields) > 1 {
			fields = fields[2:]
		}
		if files[i].Binary = counts[0] == "-"; files[i].Binary {
			continue
		}
		files[i].Added, _ = strconv.Atoi(counts[0])
		files[i].Removed, _ = strconv.Atoi(counts[1])
	}
	return nil
}
