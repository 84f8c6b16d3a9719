package board

import (
	"context"
	"os"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// FolderLister lists a folder: the names of its files, relative to it.
type FolderLister = func(context.Context) ([]string, error)

// FolderFiles says what is in the folders of tasks and projects. Its methods may be
// called from any goroutine.
type FolderFiles struct {
	// Read returns a task and its project.
	Read    func(ctx context.Context, taskID string) (beckon.Task, beckon.Project, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Known lists what a person could mean in a folder of a project's repository.
	Known func(ctx context.Context, p beckon.Project, dir string) ([]string, error)
	// Chats reports whether a chat lives on a task.
	Chats func(taskID string) bool
}

// Listing returns the folder that a task's agent works in, or would, and how
// its files are listed.
func (f *FolderFiles) Listing(ctx context.Context, taskID string) (dir string, list FolderLister, err error) {
	t, p, err := f.Read(ctx, taskID)
	if err != nil {
		return "", nil, err
	}
	dir = f.of(t, p)
	return dir, f.lister(p, dir), nil
}

// ProjectListing returns a project's folder, and how its files are listed: for
// who writes a task that is not there yet.
func (f *FolderFiles) ProjectListing(ctx context.Context, projectID string) (dir string, list FolderLister, err error) {
	p, err := f.Project(ctx, projectID)
	if err != nil {
		return "", nil, err
	}
	return p.Dir, f.lister(p, p.Dir), nil
}

func (f *FolderFiles) lister(p beckon.Project, dir string) FolderLister {
	return func(ctx context.Context) ([]string, error) {
		if !p.Git {
			return git.WalkFiles(ctx, dir)
		}
		return f.Known(ctx, p, dir)
	}
}

// of returns where a task's agent works, or would.
func (f *FolderFiles) of(t beckon.Task, p beckon.Project) string {
	if t.Worktree == "" || f.Chats(t.ID) {
		return p.Dir
	}
	if _, err := os.Stat(t.Worktree); err != nil {
		return p.Dir
	}
	return t.Worktree
}
