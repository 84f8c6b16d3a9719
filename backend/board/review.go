package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
	"beckon/backend/board/begun"
	"beckon/backend/board/check"
	"beckon/backend/git"
	"beckon/backend/parts"
)

// Review returns a task's branch against its base. A task without a branch
// has nothing to show, and the reason is in Refusal.
func (b *Board) Review(ctx context.Context, id string, v reviewing.View) (beckon.ReviewDiff, error) {
	t, p, err := b.read(ctx, id)
	if err != nil {
		return beckon.ReviewDiff{}, err
	}
	if t.Branch == "" {
		return emptyReview(t, p), nil
	}
	d, err := b.repo(p).Diff(ctx, git.WorktreeOf(t), v)
	if err != nil {
		return d, err
	}
	d.TaskID = t.ID
	if d.Refusal != nil {
		if there, err := b.begun.Merged(ctx, t, p); err != nil {
			return d, err
		} else if there != "" { // only the card is to follow
			d.Refusal = nil
		}
	}
	switch {
	case d.Refusal != nil:
	case b.lives(reviewing.CardOf(id)):
		d.Refusal = reason.Of(reason.AgentAtWork)
	case t.Status == beckon.Queued:
		d.Refusal = reason.Of(reason.MayStart)
	}
	return d, nil
}

func emptyReview(t beckon.Task, p beckon.Project) beckon.ReviewDiff {
	refusal := reason.Of(reason.NoRunYet)
	if !p.Git {
		refusal = reason.Of(reason.NoRepository)
	}
	return beckon.ReviewDiff{
		TaskID: t.ID, Base: t.Base, Files: []beckon.FileDiff{},
		Uncommitted: []string{}, Conflicts: []string{}, Refusal: refusal,
	}
}

// Work returns the repository of a task and where its work is; a task without a
// branch has none.
func (b *Board) Work(ctx context.Context, id string) (*git.Repo, git.Worktree, error) {
	t, p, err := b.read(ctx, id)
	if err != nil || t.Branch == "" {
		return nil, git.Worktree{}, err
	}
	return b.repo(p), git.WorktreeOf(t), nil
}

// commitLeft commits what the agent left in a task's worktree, if that is
// there.
func commitLeft(ctx context.Context, g *git.Repo, t beckon.Task) error {
	if _, err := os.Lstat(t.Worktree); errors.Is(err, fs.ErrNotExist) {
		return nil // its branch has all that there is
	}
	_, _, err := g.CommitAll(ctx, git.WorktreeOf(t), subjectOf(t), Ours(ctx, g, t.Worktree))
	return err
}

// MergeProposal tells what merging a task's branch would make.
func (b *Board) MergeProposal(ctx context.Context, id string) (reviewing.MergeProposal, error) {
	t, p, err := b.read(ctx, id)
	if err == nil {
		err = begun.Mergeable(t)
	}
	if err != nil {
		return reviewing.MergeProposal{}, err
	}
	return b.proposal(ctx, t, p)
}

// proposal counts what is to be committed first as the commit that it will be.
func (b *Board) proposal(ctx context.Context, t beckon.Task, p beckon.Project) (reviewing.MergeProposal, error) {
	g := b.repo(p)
	commits, err := g.Commits(ctx, git.WorktreeOf(t))
	if err != nil {
		return reviewing.MergeProposal{}, err
	}
	if loss, err := g.Loss(ctx, git.WorktreeOf(t)); err == nil && len(loss.Uncommitted) > 0 {
		commits = append(commits, reviewing.MergedCommit{Subject: subjectOf(t)})
	}
	named := reviewing.MergedTask{Key: t.Key, Title: subjectOf(t)}
	if t.Start.Kind == starting.Issue {
		named.Issue = t.Start.Number
	}
	return reviewing.ProposeMerge(p.MergeWay, named, commits), nil
}

// subjectOf is a task's title as a commit has it.
func subjectOf(t beckon.Task) string { return cmp.Or(git.Subject(t.Title), t.Key) }

// Merge takes a task's branch into its base and moves the card to done. What the
// agent left uncommitted is committed first.
func (b *Board) Merge(ctx context.Context, id string, o reviewing.MergeOrder) (t beckon.Task, err error) {
	if further, err := b.Store.Parts.Of(ctx, reviewing.CardOf(id)); err != nil || len(further) > 0 {
		if err == nil {
			t, err = b.together.MergeAll(ctx, id, o)
		}
		return t, err
	}
	if err := check.Order(o); err != nil {
		return t, err
	}
	look := b.CheckPassed
	if o.FailedCheck {
		look = nil
	}
	err = b.committed(ctx, id, look, func(was beckon.Task, p beckon.Project) error {
		if !o.Steering {
			if err := b.steersNothing(ctx, was, p); err != nil {
				return err
			}
		}
		proposed, err := b.proposal(ctx, was, p)
		if err != nil {
			return err
		}
		t, err = b.begun.Merge(ctx, was, p, func() (reviewing.Landed, error) {
			way := cmp.Or(o.Way, p.MergeWay)
			commit, err := b.repo(p).Merge(ctx, git.WorktreeOf(was), way, cmp.Or(o.Message, proposed.MessageOf(way)))
			return reviewing.Landed{Way: way, Commit: commit}, err
		})
		return err
	})
	return t, err
}

// MergeTogether merges what a task did in several repositories; see together.Merger.
func (b *Board) MergeTogether(ctx context.Context, taskID string, orders []reviewing.PartOrder) (beckon.Task, error) {
	return b.together.Merge(ctx, taskID, orders)
}

// OpenRepository gives a task a worktree of a further repository of its project, and returns
// the worktree's folder.
func (b *Board) OpenRepository(ctx context.Context, taskID, name string) (dir string, err error) {
	t, err := b.Parts.Open(ctx, taskID, name, b.hold, b.lives)
	return t.Worktree, err
}

// mostNamed is how many files an error names.
const mostNamed = 8

// steersNothing refuses to merge what would steer or run something on this computer: the
// user's trust was in what the project had when it was given.
func (b *Board) steersNothing(ctx context.Context, t beckon.Task, p beckon.Project) error {
	if !p.Trusted {
		return nil
	}
	names, err := b.repo(p).Steering(ctx, git.WorktreeOf(t))
	if err != nil || len(names) == 0 {
		return err
	}
	files := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if len(names) > mostNamed {
		files += ", …"
	}
	err = fmt.Errorf("%s changes files that steer or run something on this computer (%s), so it was not merged: %w", t.Key, files, beckon.ErrConflict)
	return problem.New(problem.Steering, err, "key", t.Key, "files", files, "part", t.ID)
}

// Committed has work done with a task's branch, which could be merged, while no agent
// starts on it. What the agent left uncommitted is committed first.
func (b *Board) Committed(ctx context.Context, id string, work func(beckon.Task, beckon.Project) error) error {
	return b.committed(ctx, id, nil, work)
}

// committed is Committed, where look, if any, refuses nothing before anything is committed.
func (b *Board) committed(ctx context.Context, id string, look func(context.Context, beckon.Task, beckon.Project) error, work func(beckon.Task, beckon.Project) error) error {
	t, p, release, err := b.holdWork(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	err = begun.Mergeable(t)
	if err == nil && look != nil {
		err = look(ctx, t, p)
	}
	if err == nil {
		err = commitLeft(ctx, b.repo(p), t)
	}
	if err != nil {
		return err
	}
	return work(t, p)
}

// UpdateFromBase brings what a task's base has by now into its branch. What the
// agent left uncommitted is committed first.
func (b *Board) UpdateFromBase(ctx context.Context, id string) (t beckon.Task, err error) {
	err = b.Committed(ctx, id, func(was beckon.Task, p beckon.Project) error {
		t, err = b.begun.UpdateBranch(ctx, was, p)
		return err
	})
	return t, err
}

// Worktree returns the folder that a task's agent works in.
func (b *Board) Worktree(ctx context.Context, id string) (string, error) {
	t, err := b.Parts.Task(ctx, id)
	if err != nil {
		return "", err
	}
	if t.Worktree == "" {
		return "", problem.New(problem.NoWorktree, fmt.Errorf("%s has no worktree: %w", t.Key, beckon.ErrNotFound), "key", t.Key)
	}
	return t.Worktree, nil
}

// prune lets go of branches that were discarded long ago. It counts the days
// on which it saw them, so it is called whenever a run ends or a worktree goes; an
// agent that begins would wait for it.
func (b *Board) prune(ctx context.Context, p beckon.Project) {
	for _, one := range parts.Repositories(p) {
		if err := b.repo(one).Prune(ctx, time.Now()); err != nil {
			slog.Error("prune branches discarded long ago", "err", err, "project", one.ID)
		}
	}
}
