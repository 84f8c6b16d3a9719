package board

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/claude"
	"beckon/backend/git"
)

// Folder returns where a task's run works, and makes the worktree where one is
// needed and missing.
func (b *Board) Folder(ctx context.Context, t beckon.Task, p beckon.Project) (f beckon.Folder, err error) {
	f = beckon.Folder{Task: t, Dir: cmp.Or(t.Worktree, p.Dir)}
	switch {
	case !p.Git:
		if f.Dir = p.Dir; t.Worktree == "" {
			f.Task, err = b.setTree(ctx, t, git.Worktree{Dir: p.Dir})
		}
		return f, err
	case t.Worktree != "":
		err = b.repo(p).RestoreWorktree(ctx, git.WorktreeOf(t))
	default:
		err = b.addTree(ctx, &f, p)
	}
	if err != nil {
		return f, err
	}
	if f.Private, err = b.hideSettings(ctx, f, p); err != nil || f.Task.Branch == "" {
		return f, err
	}
	return f, b.Prepare(ctx, f.Task, p)
}

// addTree makes a task's worktree.
func (b *Board) addTree(ctx context.Context, f *beckon.Folder, p beckon.Project) error {
	t, g := f.Task, b.repo(p)
	branch := git.BranchName(p.Key, t.Number, t.Title)
	w, err := g.AddWorktree(ctx, b.treeDir(t), branch, cmp.Or(t.Base, p.Base))
	if err != nil {
		return err
	}
	if f.Empty, err = g.EmptySubmodules(ctx, w); err != nil {
		slog.Error("name the submodules that are empty", "err", err, "task", t.ID)
	}
	f.Dir = w.Dir
	f.Task, err = b.setTree(ctx, t, w)
	return err
}

// setTree records where a task works, and returns the task as it then is.
func (b *Board) setTree(ctx context.Context, t beckon.Task, w git.Worktree) (beckon.Task, error) {
	now, err := b.Update(ctx, t.ID, func(t *beckon.Task) error {
		t.Worktree, t.Branch, t.Base, t.BaseCommit = w.Dir, w.Branch, w.Base, w.BaseCommit
		return nil
	})
	if err != nil {
		return t, err
	}
	return now, nil
}

// treeDir is where a task's worktree is made.
func (b *Board) treeDir(t beckon.Task) string {
	return filepath.Join(b.DataDir, "worktrees", strings.ToLower(t.Key)+"-"+t.ID[:6])
}

// hideSettings keeps Beckon's settings for claude out of every commit, and
// reports whether they may be written: not where the repository tracks its own.
func (b *Board) hideSettings(ctx context.Context, f beckon.Folder, p beckon.Project) (bool, error) {
	g := b.repo(p)
	if f.Task.Branch == "" || g.Tracked(ctx, f.Dir, claude.SettingsFile) {
		return false, nil
	}
	err := g.Exclude(ctx, f.Dir, "/"+claude.SettingsFile)
	if errors.Is(err, beckon.ErrConflict) { // without the file only other tools miss something
		slog.Error("write no settings into the worktree", "err", err, "task", f.Task.ID)
		return false, nil
	}
	return err == nil, err
}

// ours lists what Beckon itself wrote into a worktree and never commits.
func ours(ctx context.Context, g *git.Repo, dir string) []string {
	if g.Tracked(ctx, dir, claude.SettingsFile) {
		return nil
	}
	return []string{claude.SettingsFile}
}

// Listing returns the folder that a task's agent works in, or would, and how
// its files are listed.
func (b *Board) Listing(ctx context.Context, taskID string) (dir string, list func(context.Context) ([]string, error), err error) {
	t, p, err := b.read(ctx, taskID)
	if err != nil {
		return "", nil, err
	}
	dir = b.folderOf(t, p)
	return dir, func(ctx context.Context) ([]string, error) {
		if !p.Git {
			return git.WalkFiles(ctx, dir)
		}
		return b.repo(p).Files(ctx, dir)
	}, nil
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
