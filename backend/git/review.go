package git

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
	"beckon/backend/git/merge"
	"beckon/backend/git/workdir"
)

// span is what a task did: everything between two trees.
type span struct {
	from, to string          // a commit and a tree
	head     string          // the commit that the work is at
	entries  []workdir.Entry // what no commit holds
}

// span finds what the task of w did.
func (r *Repo) span(ctx context.Context, w Worktree) (span, State, error) {
	s, state, err := r.end(ctx, w)
	if err != nil {
		return s, state, err
	}
	s.from, err = r.Fork(ctx, w, s.head)
	return s, state, err
}

// end is a span that lacks its beginning. Where the folder does not show the
// branch, it is what the branch has.
func (r *Repo) end(ctx context.Context, w Worktree) (s span, state State, err error) {
	state, err = r.Status(ctx, w)
	switch {
	case err != nil:
	case state.Condition == Gone:
		err = state.Err()
	case state.Condition == Ready || state.Condition == Busy:
		s, err = r.worktreeSpan(ctx, w)
	default:
		s.head = state.Tip
		s.to, err = r.at().Line(ctx, "rev-parse", "--verify", state.Tip+"^{tree}")
	}
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

// Work returns the trees between which the work of w is, uncommitted changes included,
// and the commit that it is at.
func (r *Repo) Work(ctx context.Context, w Worktree) (t diff.Trees, head string, err error) {
	s, _, err := r.span(ctx, w)
	return diff.Trees{From: s.from, To: s.to}, s.head, err
}

// Fork returns the commit that the work up to head is compared with: where it
// left the base branch, or last took from it. Work that was merged is
// compared with what the base was without it, so that it can still be read.
func (r *Repo) Fork(ctx context.Context, w Worktree, head string) (string, error) {
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
	files, err := diff.Files(ctx, r.at(), diff.Trees{From: s.from, To: s.to})
	if err != nil {
		return beckon.Changes{}, err
	}
	sum := beckon.Changes{Files: len(files), Paths: diff.Paths(files)}
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
// whether it could be merged. The files of another Since than the base's are left to
// the caller, who knows its trees.
func (r *Repo) Diff(ctx context.Context, w Worktree, v reviewing.View) (beckon.ReviewDiff, error) {
	s, state, err := r.span(ctx, w)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	shown := beckon.ReviewDiff{Base: w.Base, Uncommitted: workdir.Paths(s.entries)}
	// None needs the others, and they take long where there is much.
	var planErr, behindErr error
	var beside sync.WaitGroup
	beside.Go(func() {
		p, err := merge.New(ctx, r.at(), w, state, s.entries)
		shown.Refusal, shown.Conflicts, planErr = p.Refusal, p.Conflicts, err
	})
	beside.Go(func() { shown.Behind, behindErr = Branch{r, w}.Behind(ctx) })
	if v.Since == "" {
		trees := diff.Trees{From: s.from, To: s.to, IgnoreSpace: v.IgnoreSpace}
		shown.Files, shown.Omitted, err = diff.Patched(ctx, r.at(), trees, v.Start)
	}
	beside.Wait()
	if err := errors.Join(planErr, behindErr, err); err != nil {
		return beckon.ReviewDiff{}, err
	}
	for _, list := range []*[]string{&shown.Uncommitted, &shown.Conflicts} {
		if *list == nil {
			*list = []string{}
		}
	}
	return shown, nil
}
