package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// Folder returns where a task's run works, and makes the worktree where one is
// needed and missing.
func (b *Board) Folder(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.WorkFolder, error) {
	return b.folders.Make(ctx, b.follow(ctx, t, p), p)
}

// Recount counts again what a task's branch has against its base.
func (b *Board) Recount(ctx context.Context, taskID string) error {
	t, p, err := b.read(ctx, taskID)
	if err != nil || t.Branch == "" {
		return err
	}
	changes, err := b.repo(p).Summary(ctx, git.WorktreeOf(t))
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
