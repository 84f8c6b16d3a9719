package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/merging"
	"beckon/backend/beckon/problem"
	"beckon/backend/board/check"
	"beckon/backend/claude"
	"beckon/backend/git"
)

// Review returns a task's branch against its base. A task without a branch
// has nothing to show, and the reason is in Refusal.
func (b *Board) Review(ctx context.Context, id string) (beckon.ReviewDiff, error) {
	t, p, err := b.read(ctx, id)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	if t.Branch == "" {
		return emptyReview(t, p), nil
	}
	d, err := b.repo(p).Diff(ctx, treeOf(t))
	if err != nil {
		return d, err
	}
	d.TaskID = t.ID
	switch {
	case d.Refusal != "":
	case b.lives(id):
		d.Refusal = "Its agent is still at work."
	case t.Status == beckon.Queued:
		d.Refusal = "It is in the queue, where an agent may start on it: take it out first."
	}
	return d, nil
}

func emptyReview(t beckon.Task, p beckon.Project) beckon.ReviewDiff {
	refusal := "No run has begun yet, so there is no branch."
	if !p.Git {
		refusal = "The project is not a git repository: its agents work in the folder itself."
	}
	return beckon.ReviewDiff{
		TaskID: t.ID, Base: t.Base, Files: []beckon.FileDiff{},
		Uncommitted: []string{}, Conflicts: []string{}, Refusal: refusal,
	}
}

// mergeable returns why a task's card could not go to Done once its branch
// was merged, if so: what is merged stays merged.
func mergeable(t beckon.Task) error {
	switch {
	case t.Branch == "":
		return problem.Of(problem.NoBranch, fmt.Errorf("%s has no branch: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	case t.Status == beckon.Queued:
		err := fmt.Errorf("%s is queued, so an agent may start on it: take it out of the queue before you merge it: %w", t.Key, beckon.ErrConflict)
		return problem.Of(problem.InQueue, err)
	}
	return t.Move(beckon.Done) // of a copy
}

// commitLeft commits what the agent left in a task's worktree, if that is
// there.
func commitLeft(ctx context.Context, g *git.Repo, t beckon.Task) error {
	if _, err := os.Lstat(t.Worktree); errors.Is(err, fs.ErrNotExist) {
		return nil // its branch has all that there is
	}
	_, _, err := g.CommitAll(ctx, treeOf(t), t.Title, ours(ctx, g, t.Worktree))
	return err
}

// MergeProposal tells what merging a task's branch would make.
func (b *Board) MergeProposal(ctx context.Context, id string) (merging.Proposal, error) {
	t, p, err := b.read(ctx, id)
	if err == nil {
		err = mergeable(t)
	}
	if err != nil {
		return merging.Proposal{}, err
	}
	return b.proposal(ctx, t, p)
}

// proposal counts what is to be committed first as the commit that it will be.
func (b *Board) proposal(ctx context.Context, t beckon.Task, p beckon.Project) (merging.Proposal, error) {
	g := b.repo(p)
	commits, err := g.Commits(ctx, treeOf(t))
	if err != nil {
		return merging.Proposal{}, err
	}
	if loss, err := g.Loss(ctx, treeOf(t)); err == nil && len(loss.Uncommitted) > 0 {
		commits = append(commits, merging.Commit{Subject: t.Title})
	}
	return merging.Propose(p.MergeWay, t.Key, t.Title, commits), nil
}

// Merge takes a task's branch into its base and moves the card to done. What the
// agent left uncommitted is committed first.
func (b *Board) Merge(ctx context.Context, id string, o merging.Order) (beckon.Task, error) {
	if err := check.Order(o); err != nil {
		return beckon.Task{}, err
	}
	t, p, release, err := b.take(ctx, id)
	if err != nil {
		return t, err
	}
	defer release()
	if err := mergeable(t); err != nil {
		return t, err
	}
	g := b.repo(p)
	if err := commitLeft(ctx, g, t); err != nil {
		return t, err
	}
	proposed, err := b.proposal(ctx, t, p)
	if err != nil {
		return t, err
	}
	way := cmp.Or(o.Way, p.MergeWay)
	if _, err := g.Merge(ctx, treeOf(t), way, cmp.Or(o.Message, proposed.MessageOf(way))); err != nil {
		return t, err
	}
	return b.Update(ctx, id, func(t *beckon.Task) error {
		t.Rank, t.Resolution = last(), beckon.Merged
		return t.Move(beckon.Done)
	})
}

// UpdateFromBase brings what a task's base has by now into its branch. What the
// agent left uncommitted is committed first.
func (b *Board) UpdateFromBase(ctx context.Context, id string) (beckon.Task, error) {
	t, p, release, err := b.take(ctx, id)
	if err != nil {
		return t, err
	}
	defer release()
	if err := mergeable(t); err != nil {
		return t, err
	}
	g := b.repo(p)
	if err := commitLeft(ctx, g, t); err != nil {
		return t, err
	}
	if err := g.Update(ctx, treeOf(t), fmt.Sprintf("Merge %s into %s", t.Base, t.Branch)); err != nil {
		return t, err
	}
	changes, err := g.Summary(ctx, treeOf(t))
	if err != nil {
		return t, err
	}
	return b.Update(ctx, id, func(t *beckon.Task) error {
		t.Changes = changes
		return nil
	})
}

// Worktree returns the folder that a task's agent works in.
func (b *Board) Worktree(ctx context.Context, id string) (string, error) {
	t, err := b.Store.Task(ctx, id)
	if err != nil {
		return "", err
	}
	if t.Worktree == "" {
		return "", problem.Of(problem.NoWorktree, fmt.Errorf("%s has no worktree: %w", t.Key, beckon.ErrNotFound), "key", t.Key)
	}
	return t.Worktree, nil
}

// Loss tells what discarding a task would take out of sight.
func (b *Board) Loss(ctx context.Context, id string) (beckon.Loss, error) {
	t, p, err := b.discardable(ctx, id)
	if err != nil || t.Branch == "" {
		return beckon.Loss{Uncommitted: []string{}, Ignored: []string{}, Repositories: []string{}}, err
	}
	l, err := b.repo(p).Loss(ctx, treeOf(t))
	l.Ignored = slices.DeleteFunc(beckon.NonNil(l.Ignored), func(path string) bool { return path == claude.SettingsFile })
	return l, err
}

// Discard throws a task's work away and archives the card. The branch, and
// what was not committed, are kept under a private ref for 30 days.
func (b *Board) Discard(ctx context.Context, id, token string) (beckon.Task, error) {
	t, p, release, err := b.takeTo(ctx, id, beckon.Archived)
	if err != nil {
		return t, err
	}
	defer release()
	kept, err := b.discardWork(ctx, t, p, token)
	if err != nil {
		return t, err
	}
	return b.Update(ctx, id, discarded(kept))
}

// discarded archives a card whose work is kept elsewhere, if it is.
func discarded(kept git.Discarded) func(*beckon.Task) error {
	return func(t *beckon.Task) error {
		if t.Status == beckon.Running { // its agent is gone
			_ = t.Move(beckon.Review)
		}
		// The commit that it grew from is kept, for a restored branch.
		t.Worktree, t.Branch, t.Session = "", "", ""
		t.Changes, t.Rank = beckon.Changes{}, last()
		if kept.Ref != "" {
			t.Resolution, t.KeptRef, t.KeptUntil = beckon.Discarded, kept.Ref, kept.Until
		}
		return t.Move(beckon.Archived)
	}
}

// lives reports whether an agent of any kind lives on a task.
func (b *Board) lives(id string) bool {
	_, live := b.agents.Live(id)
	return live
}

// discardable returns a task that no agent works on, and its project. Where its
// last run is just ending, it waits for that: the card may be in Review already.
func (b *Board) discardable(ctx context.Context, id string) (beckon.Task, beckon.Project, error) {
	if err := b.agents.AwaitEnd(ctx, id); err != nil {
		return beckon.Task{}, beckon.Project{}, err
	}
	t, p, err := b.read(ctx, id)
	if err == nil && b.lives(id) {
		err = problem.Of(problem.AgentFirst, fmt.Errorf("stop the agent of %s first: %w", t.Key, beckon.ErrConflict))
	}
	return t, p, err
}

// discardWork takes a task's branch and worktree away and returns what keeps
// them, nothing where there were none.
func (b *Board) discardWork(ctx context.Context, t beckon.Task, p beckon.Project, token string) (kept git.Discarded, err error) {
	if t.Branch == "" {
		return kept, nil
	}
	g := b.repo(p)
	if err := g.Discard(ctx, treeOf(t), token); err != nil {
		return kept, err
	}
	list, err := g.Discarded(ctx)
	if err != nil {
		slog.Error("find what was just discarded", "err", err, "task", t.ID)
	}
	for _, d := range list {
		if d.Branch == t.Branch && d.At >= kept.At {
			kept = d
		}
	}
	b.prune(ctx, p)
	return kept, nil
}

// prune lets go of branches that were discarded long ago. It counts the days
// on which it saw them, so it is called whenever worktrees come and go.
func (b *Board) prune(ctx context.Context, p beckon.Project) {
	if err := b.repo(p).Prune(ctx, time.Now()); err != nil {
		slog.Error("prune branches discarded long ago", "err", err, "project", p.ID)
	}
}
