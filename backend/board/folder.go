package board

import (
	"context"
	"os"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// Folder returns where a task's run works, and makes the worktree where one is
// needed and missing.
func (b *Board) Folder(ctx context.Context, t beckon.Task, p beckon.Project) (beckon.Folder, error) {
	return b.folders.Make(ctx, t, p)
}

// lister lists a folder: the names of its files, relative to it.
type lister = func(context.Context) ([]string, error)

// Listing returns the folder that a task's agent works in, or would, and how
// its files are listed.
func (b *Board) Listing(ctx context.Context, taskID string) (dir string, list lister, err error) {
	t, p, err := b.read(ctx, taskID)
	if err != nil {
		return "", nil, err
	}
	dir = b.folderOf(t, p)
	return dir, b.listing(p, dir), nil
}

// ProjectListing returns a project's folder, and how its files are listed: for
// who writes a task that is not there yet.
func (b *Board) ProjectListing(ctx context.Context, projectID string) (dir string, list lister, err error) {
	p, err := b.Store.Project(ctx, projectID)
	if err != nil {
		return "", nil, err
	}
	return p.Dir, b.listing(p, p.Dir), nil
}

func (b *Board) listing(p beckon.Project, dir string) lister {
	return func(ctx context.Context) ([]string, error) {
		if !p.Git {
			return git.WalkFiles(ctx, dir)
		}
		return b.repo(p).Files(ctx, dir)
	}
}

// folderOf returns where a task's agent works, or would.
func (b *Board) folderOf(t beckon.Task, p beckon.Project) string {
	if kind, live := b.agents.Live(t.ID); live && kind == beckon.ChatRun || t.Worktree == "" {
		return p.Dir
	}
	if _, err := os.Stat(t.Worktree); err != nil {
		return p.Dir
	}
	return t.Worktree
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
