package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/parts"
)

// Folder returns where a task's run works, and makes the worktree where one is
// needed and missing.
func (b *Board) Folder(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.WorkFolder, error) {
	f, err := b.folders.Make(ctx, b.follow(ctx, t, p), p)
	if err == nil {
		err = b.Parts.Begin(ctx, f.Task, p)
	}
	return f, err
}

// summary counts what a task or a part did, uncommitted changes included: of a task, in all of
// its repositories.
func (b *Board) summary(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.Changes, error) {
	sum, err := b.repo(p).Summary(ctx, git.WorktreeOf(t))
	if err != nil || reviewing.IsPart(t.ID) {
		return sum, err
	}
	more, err := b.Parts.Summary(ctx, t, p)
	return parts.Sum(sum, more), err
}

// summedBranch is a task's branch whose summary is that of all of its repositories.
type summedBranch struct {
	git.Branch
	summary func(context.Context) (beckon.Changes, error)
}

// Summary implements begun.Branch.
func (s summedBranch) Summary(ctx context.Context) (beckon.Changes, error) { return s.summary(ctx) }

// Recount counts again what a task's branch has against its base.
func (b *Board) Recount(ctx context.Context, taskID string) error {
	t, p, err := b.read(ctx, taskID)
	if err != nil || t.Branch == "" {
		return err
	}
	changes, err := b.summary(ctx, t, p)
	if err != nil {
		return err
	}
	_, err = b.Update(ctx, taskID, func(t *beckon.Task) error { t.Changes = changes; return nil })
	return err
}

// Behind counts the commits of a task's base that its branch lacks.
func (b *Board) Behind(ctx context.Context, taskID string) (int, error) {
	t, p, err := b.read(ctx, taskID)
	if err != nil || t.Branch == "" {
		return 0, err
	}
	return b.repo(p).BranchOf(t).Behind(ctx)
}
