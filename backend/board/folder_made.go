package board

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
	"beckon/backend/board/check"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// This file makes the folders that tasks work in: a worktree where the project
// is a repository and one is missing, with what Beckon writes there kept out of every
// commit. It says what is in a folder, too. It does not know who works there, or what
// becomes of the work.

// FolderRepo is a project's repository; *git.Repo implements it.
type FolderRepo interface {
	AddWorktree(ctx context.Context, dir, branch, base string) (workdir.Worktree, error)
	// AddNamedWorktree is AddWorktree for a name that is the user's, and takes no number.
	AddNamedWorktree(ctx context.Context, dir, branch, base string) (workdir.Worktree, error)
	// AdoptBranch checks a branch out that is there.
	AdoptBranch(ctx context.Context, dir, branch, base string) (workdir.Worktree, error)
	// Forward has a branch have a commit that was fetched.
	Forward(ctx context.Context, branch, remote, fetched string) error
	RestoreWorktree(ctx context.Context, w workdir.Worktree) error
	// FillSubmodules fills those of a worktree that the project's folder has filled.
	FillSubmodules(ctx context.Context, w workdir.Worktree) (empty []string)
	// Complete does that, and returns what the worktree lacks then.
	Complete(ctx context.Context, w workdir.Worktree) (lacks map[string][]string)
	// Tracked reports whether a file of a worktree is in the repository.
	Tracked(ctx context.Context, dir, file string) bool
	// Exclude keeps files out of every commit.
	Exclude(ctx context.Context, dir string, patterns ...string) error
}

// folderMaker makes folders. Its methods may be called from any goroutine.
type folderMaker struct {
	// Dir holds the worktrees.
	Dir  string
	Repo func(beckon.Project) FolderRepo
	// Update changes a task, and tells those who show it.
	Update func(ctx context.Context, id string, change func(*beckon.Task) error) (beckon.Task, error)
	// Adding has a worktree made for a task, and takes it away at the next start where that
	// is cut off.
	Adding func(ctx context.Context, taskID string, add func() error) error
	// Fetch fetches what a task starts from, and returns its commit.
	Fetch func(context.Context, beckon.Task, beckon.Project) (commit string, err error)
	// Under returns the task on whose branch another builds.
	Under func(ctx context.Context, id string) (beckon.Task, error)
	// Prepare makes a worktree ready for its first run.
	Prepare func(context.Context, beckon.Task, beckon.Project) error
}

// Make returns where a task's run works, and makes the worktree where one is
// needed and missing.
func (m folderMaker) Make(ctx context.Context, t beckon.Task, p beckon.Project) (f beckon.WorkFolder, err error) {
	f = beckon.WorkFolder{Task: t, Dir: cmp.Or(t.Worktree, p.Dir)}
	switch {
	case !p.Git:
		if f.Dir = p.Dir; t.Worktree == "" {
			f.Task, err = m.setTree(ctx, t, workdir.Worktree{Dir: p.Dir})
		}
		return f, err
	case t.Worktree != "":
		if err = m.Repo(p).RestoreWorktree(ctx, workdir.WorktreeOf(t)); err == nil {
			m.Repo(p).FillSubmodules(ctx, workdir.WorktreeOf(t))
		}
	default:
		err = m.Adding(ctx, t.ID, func() error { return m.addTree(ctx, &f, p) })
	}
	if err != nil {
		return f, err
	}
	if f.Private, err = m.hideSettings(ctx, f, p); err != nil || f.Task.Branch == "" {
		return f, err
	}
	return f, m.Prepare(ctx, f.Task, p)
}

// addTree makes a task's worktree.
func (m folderMaker) addTree(ctx context.Context, f *beckon.WorkFolder, p beckon.Project) error {
	t, g := f.Task, m.Repo(p)
	w, err := m.startTree(ctx, t, p)
	if err != nil {
		return err
	}
	f.Dir, f.Lacks = w.Dir, g.Complete(ctx, w)
	f.Task, err = m.setTree(ctx, t, w)
	return err
}

// startTree makes a task's worktree of what the task starts from.
func (m folderMaker) startTree(ctx context.Context, t beckon.Task, p beckon.Project) (w workdir.Worktree, err error) {
	g, from, base := m.Repo(p), t.Start, cmp.Or(t.Base, p.Base)
	if from.Remote != "" {
		commit, err := m.Fetch(ctx, t, p)
		if err == nil {
			err = g.Forward(ctx, from.Branch, from.Remote, commit)
		}
		if err != nil {
			return w, err
		}
	}
	if from.TaskID != "" {
		first, err := m.Under(ctx, from.TaskID)
		if err == nil {
			base, err = check.Under(first)
		}
		if err != nil && !errors.Is(err, beckon.ErrNotFound) { // it may be there no more
			return w, err
		}
	}
	switch {
	case from.Kind.Adopts():
		return g.AdoptBranch(ctx, m.Of(t), from.Branch, base)
	case from.Branch != "":
		return g.AddNamedWorktree(ctx, m.Of(t), from.Branch, base)
	}
	return g.AddWorktree(ctx, m.Of(t), command.BranchName(p.BranchPattern, t.Key, t.Number, t.Title), base)
}

// AddFrom makes a task's worktree from any branch, and returns the task as it then is.
func (b *Board) AddFrom(ctx context.Context, t beckon.Task, p beckon.Project, branch string) (beckon.Task, error) {
	err := b.folders.Adding(ctx, t.ID, func() error {
		w, err := b.repo(p).AddWorktree(ctx, b.folders.Of(t), command.BranchName(p.BranchPattern, t.Key, t.Number, t.Title), branch)
		if err == nil {
			t, err = b.folders.setTree(ctx, t, w)
		}
		return err
	})
	return t, err
}

// setTree records where a task works, and returns the task as it then is.
func (m folderMaker) setTree(ctx context.Context, t beckon.Task, w workdir.Worktree) (beckon.Task, error) {
	now, err := m.Update(ctx, t.ID, func(t *beckon.Task) error {
		t.Worktree, t.Branch, t.Base, t.BaseCommit, t.Start.Found = w.Dir, w.Branch, w.Base, w.BaseCommit, w.Found
		return nil
	})
	if err != nil {
		return t, err
	}
	return now, nil
}

// Of is where a task's worktree is made.
func (m folderMaker) Of(t beckon.Task) string {
	return filepath.Join(m.Dir, strings.ToLower(t.Key)+"-"+t.ID[:6])
}

// hideSettings keeps Beckon's settings for claude out of every commit, and
// reports whether they may be written: not where the repository tracks its own.
func (m folderMaker) hideSettings(ctx context.Context, f beckon.WorkFolder, p beckon.Project) (bool, error) {
	g := m.Repo(p)
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

// Ours lists what Beckon itself wrote into a worktree and never commits.
func Ours(ctx context.Context, g FolderRepo, dir string) []string {
	if g.Tracked(ctx, dir, claude.SettingsFile) {
		return nil
	}
	return []string{claude.SettingsFile}
}
