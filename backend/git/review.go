package git

import (
	"context"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/diff"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// maxFiles is how many files a diff lists.
const maxFiles = 3000

// span is what a task did: everything between two trees.
type span struct {
	from, to string          // commits or trees
	head     string          // the commit that the work is at
	entries  []workdir.Entry // what no commit holds
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
	if s.head, err = r.at().Branch(ctx, w.Branch); err != nil {
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
	if s.head, s.to, err = c.Head(ctx); err != nil {
		return s, err
	}
	if s.entries, err = workdir.Changes(ctx, c); err != nil || len(s.entries) == 0 {
		return s, err
	}
	s.to, err = workdir.Snapshot(ctx, c, s.entries)
	return s, err
}

// fork returns the commit that the work up to head is compared with: where it
// left the base branch, or last took from it. Work that was merged is
// compared with what the base was without it, so that it can still be read.
func (r *Repo) fork(ctx context.Context, w Worktree, head string) (string, error) {
	c := r.at()
	base, err := c.Branch(ctx, w.Base)
	if err != nil {
		return "", err
	}
	if base == "" {
		base = w.BaseCommit
	}
	from, err := c.Quiet(ctx, "merge-base", base, head)
	if err != nil || from == "" {
		return w.BaseCommit, err
	}
	if from != head {
		return from, nil
	}
	if done, err := merge.Landed(ctx, c, base, head); err != nil {
		return "", err
	} else if done.From != "" {
		return c.Line(ctx, "merge-base", done.From, head)
	}
	// Merged by hand: the first commit of the base itself that has head in its past.
	merges, err := c.Line(ctx, "rev-list", "--first-parent", "--ancestry-path", "--reverse", head+".."+base)
	if err != nil || merges == "" {
		return from, err
	}
	first, _, _ := strings.Cut(merges, "\n")
	return c.Line(ctx, "merge-base", first+"^1", head)
}

// Summary counts what the task of w did, uncommitted changes included.
func (r *Repo) Summary(ctx context.Context, w Worktree) (beckon.Changes, error) {
	s, _, err := r.span(ctx, w)
	if err != nil {
		return beckon.Changes{}, err
	}
	files, err := diff.Files(ctx, r.at(), s.from, s.to)
	if err != nil {
		return beckon.Changes{}, err
	}
	sum := beckon.Changes{Files: len(files)}
	for _, f := range files {
		sum.Added += f.Added
		sum.Removed += f.Removed
	}
	count, err := r.at().Line(ctx, "rev-list", "--count", s.from+".."+s.head)
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
	shown := beckon.ReviewDiff{Base: w.Base, Uncommitted: workdir.Paths(s.entries)}
	if shown.Files, err = diff.Files(ctx, r.at(), s.from, s.to); err != nil {
		return beckon.ReviewDiff{}, err
	}
	if len(shown.Files) > maxFiles {
		shown.Omitted = len(shown.Files) - maxFiles
		shown.Files = shown.Files[:maxFiles]
	}
	if err := diff.Patches(ctx, r.at(), s.from, s.to, shown.Files); err != nil {
		return beckon.ReviewDiff{}, err
	}
	p, err := merge.New(ctx, r.at(), w, state, s.entries)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	shown.Refusal, shown.Conflicts = p.Refusal, p.Conflicts
	if shown.Behind, err = r.behind(ctx, w); err != nil {
		return beckon.ReviewDiff{}, err
	}
	for _, list := range []*[]string{&shown.Uncommitted, &shown.Conflicts} {
		if *list == nil {
			*list = []string{}
		}
	}
	return shown, nil
}

// behind counts the commits of the base of w that its branch lacks; none where the
// base is gone.
func (r *Repo) behind(ctx context.Context, w Worktree) (int, error) {
	base, err := r.at().Branch(ctx, w.Base)
	if err != nil || base == "" {
		return 0, err
	}
	count, err := r.at().Line(ctx, "rev-list", "--count", base, "^refs/heads/"+w.Branch)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(count)
}
