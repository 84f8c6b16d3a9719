package parts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/disk"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
	"beckon/backend/store/parts"
)

// This file makes the worktrees of parts.

// CheckPlace returns why no agent may work on a task where it is to execute, if so: the
// worktrees of further repositories are on this computer only.
func CheckPlace(t beckon.Task, p beckon.Project) error {
	if len(p.Repositories) == 0 || t.ExecutorOf(p) == "" {
		return nil
	}
	err := fmt.Errorf("%s has further repositories, which other machines do not get: choose this computer for %s, or take the repositories out of the project: %w",
		p.Name, t.Key, beckon.ErrConflict)
	return problem.New(problem.PartsElsewhere, err, "name", p.Name, "key", t.Key)
}

// Begin makes what a run of a task needs: the folder for the worktrees, those of repositories
// that tasks have from their start, and those that the task had and whose folder is gone, or whose
// work is kept. A repository whose folder, or whose branch, is gone is left out: its part says so.
func (p *Parts) Begin(ctx context.Context, t beckon.Task, project beckon.Project) error {
	pieces, err := p.All(ctx, t, project)
	if err != nil || len(pieces) == 1 {
		return err
	}
	if err := os.MkdirAll(p.Beside(t), 0o700); err != nil {
		return fmt.Errorf("make the folder for the worktrees of further repositories: %w", err)
	}
	for _, piece := range pieces[:len(pieces)-1] {
		r, _ := settingsOf(project, piece.Name, piece.Project.Dir)
		if piece.Task.Branch == "" && piece.Task.KeptRef == "" && !r.FromStart || Gone(piece.Project.Dir) != nil {
			continue
		}
		_, err := p.make(ctx, t, piece)
		if p.Misplaced(err) { // as after a merge by hand that took the branch away
			slog.Warn("a repository is left out of a run", "err", err, "task", piece.Task.ID)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", piece.Name, err)
		}
	}
	return nil
}

// Open returns where a task works in a further repository, and makes the worktree where there
// is none yet. The task is one whose agent works, or that has worked and is not over. It is held
// meanwhile, unless an agent lives on it, which keeps all others away.
func (p *Parts) Open(ctx context.Context, taskID, name string, hold func(string) (func(), error), lives func(string) bool) (beckon.Task, error) {
	defer p.alone(taskID)()
	if release, err := hold(taskID); err == nil {
		defer release()
	} else if !lives(taskID) {
		return beckon.Task{}, err
	}
	t, err := p.Cards.Task(ctx, taskID)
	if err != nil {
		return t, err
	}
	project, err := p.Cards.Project(ctx, t.ProjectID)
	if err == nil {
		err = project.CheckTrust()
	}
	if err == nil && (t.Status == beckon.Done || t.Status == beckon.Archived) {
		err = problem.New(problem.TaskOver, fmt.Errorf("%s is in Done or archived, so no repository is opened for it: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	if err == nil && t.Branch == "" {
		err = problem.New(problem.NoBranch, fmt.Errorf("%s has no branch: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	if err != nil {
		return t, err
	}
	r, ok := named(project, name)
	if !ok {
		return t, unknown(project, name)
	}
	part, err := p.Task(ctx, reviewing.PartID(taskID, r.Name))
	if err != nil {
		return t, err
	}
	in, err := p.Project(ctx, part.ProjectID)
	if err != nil {
		return t, err
	}
	if why := Gone(in.Dir); why != nil {
		return t, why.Err(beckon.ErrConflict)
	}
	return p.make(ctx, t, Piece{part, in, in.Name})
}

// alone has one at a time work on a task's repositories, or on one part, until release.
func (p *Parts) alone(id string) (release func()) {
	lock, _ := p.making.LoadOrStore(id, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	return lock.(*sync.Mutex).Unlock
}

// make makes the worktree of a part, unless it is there.
func (p *Parts) make(ctx context.Context, t beckon.Task, piece Piece) (beckon.Task, error) {
	defer p.alone(piece.Task.ID)()
	err := p.restore(ctx, piece) // what was discarded while its repository was away
	if err == nil {
		piece.Task, err = p.Task(ctx, piece.Task.ID)
	}
	if err != nil {
		return piece.Task, err
	}
	g := p.Repo(piece.Project)
	if piece.Task.Branch != "" {
		return piece.Task, g.RestoreWorktree(ctx, workdir.WorktreeOf(piece.Task))
	}
	if at, err := os.Lstat(p.Beside(t)); err == nil && !at.IsDir() { // an agent may have put it there
		return piece.Task, fmt.Errorf("%s is no folder, so no worktree is made there: remove it, and try again: %w", p.Beside(t), beckon.ErrConflict)
	}
	made := piece.Task
	err = p.Adding(ctx, piece.Task.ID, func() error {
		add, branch := g.AddWorktree, t.Branch
		if t.Start.Branch != "" && !t.Start.Kind.Adopts() {
			add = g.AddNamedWorktree // a name that the user typed takes no number
		}
		w, err := add(ctx, filepath.Join(p.Beside(t), piece.Name), branch, piece.Project.Base)
		if err != nil {
			return err
		}
		g.Complete(ctx, w)
		made.Worktree, made.Branch, made.Base, made.BaseCommit = w.Dir, w.Branch, w.Base, w.BaseCommit
		row := parts.Row{
			TaskID: t.ID, Name: piece.Name, Dir: piece.Project.Dir,
			Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit, Landed: made.Landed,
		}
		_, err = p.Rows.Update(ctx, piece.Task.ID, func(r *parts.Row) error {
			row.BeforeRef, row.BeforeUntil = r.BeforeRef, r.BeforeUntil
			*r = row
			return nil
		})
		if errors.Is(err, beckon.ErrNotFound) {
			err = p.Rows.Add(ctx, row)
		}
		return err
	})
	return made, err
}

// Unmade takes the worktree away that was made for a part whose row names no branch: that of
// one that was discarded names the folder still.
func (p *Parts) Unmade(ctx context.Context, part beckon.Task, repository beckon.Project) error {
	if part.Branch != "" {
		return nil
	}
	taskID, name := reviewing.SplitPart(part.ID)
	t, err := p.Cards.Task(ctx, taskID)
	if err != nil {
		return err
	}
	return p.Repo(repository).TakeBackWorktrees(ctx, filepath.Join(p.Beside(t), name), "")
}

// Gone says that the folder of a repository is not there, if so.
func Gone(dir string) *reason.Reason {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	return reason.Of(reason.RepositoryGone, "dir", dir)
}

// Follow follows the branch of a part that its agent renamed, and connects a worktree again
// that git forgot.
func (p *Parts) Follow(ctx context.Context, piece Piece) (Piece, error) {
	if piece.Task.Branch == "" || Gone(piece.Project.Dir) != nil {
		return piece, nil
	}
	g, w := p.Repo(piece.Project), workdir.WorktreeOf(piece.Task)
	if err := g.Reconnect(ctx, w); err != nil {
		return piece, err
	}
	on, err := g.Renamed(ctx, w)
	if err != nil || on == "" || on == piece.Task.Base || !command.ValidBranch(on) {
		return piece, err
	}
	was := piece.Task.Branch
	now, err := p.Update(ctx, piece.Task.ID, func(t *beckon.Task) error {
		if t.Branch == was { // else another look was quicker, or it was discarded
			t.Branch = on
		}
		return nil
	})
	if err == nil {
		piece.Task = now
	}
	return piece, err
}

// Strays returns which of the folders that an agent wrote in are in no worktree of a part.
func (p *Parts) Strays(ctx context.Context, t beckon.Task, project beckon.Project, dirs []string) []string {
	pieces, err := p.Further(ctx, t, project)
	if err != nil {
		slog.Error("find the worktrees of further repositories", "err", err, "task", t.ID)
	}
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		return slices.ContainsFunc(pieces, func(one Piece) bool {
			return one.Task.Branch != "" && disk.Inside(one.Task.Worktree, dir)
		})
	})
}

// Commit commits what an agent left in the worktrees of a task's parts, each to its own branch.
func (p *Parts) Commit(ctx context.Context, t beckon.Task, project beckon.Project, subject string) error {
	pieces, err := p.Further(ctx, t, project)
	for _, piece := range pieces {
		err = errors.Join(err, p.CommitOne(ctx, piece, subject))
	}
	return err
}

// CommitOne commits what is left in the worktree of a part, if that is there.
func (p *Parts) CommitOne(ctx context.Context, piece Piece, subject string) error {
	t := piece.Task
	if t.Branch == "" || Gone(t.Worktree) != nil || Gone(piece.Project.Dir) != nil {
		return nil // the branch has all that there is
	}
	if _, _, err := p.Repo(piece.Project).CommitAll(ctx, workdir.WorktreeOf(t), subject, nil); err != nil {
		return fmt.Errorf("%s: %w", piece.Name, err)
	}
	return nil
}
