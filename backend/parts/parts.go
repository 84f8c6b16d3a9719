// Package parts has tasks work in further repositories of their projects: a part is the work of
// a task in one of them. A part is read as a copy of its task, with the repository as a copy of
// its project, so that whatever looks at the work of a task, or changes it, does so with a part.
// What is written of such a copy goes to the part's own row. The package makes the worktrees of
// parts, takes them away, and says how each stands; it moves no card and runs no agent.
package parts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/starting"
	"beckon/backend/disk"
	"beckon/backend/store/parts"
)

// Parts are those of all tasks. Its methods may be called from any goroutine.
type Parts struct {
	Rows  parts.Rows
	Cards Reader
	Repo  func(beckon.Project) Repo
	// Misplaced reports whether an error says that a worktree does not show its branch, or that
	// one of both is gone.
	Misplaced func(error) bool
	// Dir holds the worktrees of tasks.
	Dir string
	// Adding has a worktree made, and takes it away at the next start where that is cut off.
	Adding func(ctx context.Context, id string, add func() error) error

	making sync.Map // of *sync.Mutex by the id of a task or a part; see alone
}

// Reader reads tasks and projects; *store.Store implements it.
type Reader interface {
	Task(ctx context.Context, id string) (beckon.Task, error)
	Project(ctx context.Context, id string) (beckon.Project, error)
	TasksOf(ctx context.Context, projectID string) ([]beckon.Task, error)
}

// Task returns the task with an id, or the copy of a task that is a part of it.
func (p *Parts) Task(ctx context.Context, id string) (beckon.Task, error) {
	taskID, name := reviewing.SplitPart(id)
	t, err := p.Cards.Task(ctx, taskID)
	if err != nil || name == "" {
		return t, err
	}
	list, err := p.Rows.Of(ctx, taskID)
	if err != nil {
		return t, err
	}
	if i := slices.IndexFunc(list, func(r parts.Row) bool { return strings.EqualFold(r.Name, name) }); i >= 0 {
		return copyOf(t, list[i]), nil
	}
	project, err := p.Cards.Project(ctx, t.ProjectID)
	if err != nil {
		return t, err
	}
	r, ok := named(project, name)
	if !ok {
		return t, unknown(project, name)
	}
	if i := slices.IndexFunc(list, func(row parts.Row) bool { return is(project, r, row) }); i >= 0 {
		return copyOf(t, list[i]), nil // it was called otherwise when its worktree was made
	}
	return copyOf(t, parts.Row{ID: reviewing.PartID(taskID, r.Name), Name: r.Name, Base: r.Base}), nil
}

// copyOf returns a task as it is in another repository. Its project is that repository as this
// task has it: another task may have its worktree of one elsewhere.
func copyOf(t beckon.Task, r parts.Row) beckon.Task {
	t.ID, t.ProjectID = r.ID, reviewing.PartID(reviewing.PartID(t.ProjectID, r.Name), reviewing.CardOf(r.ID))
	t.Worktree, t.Branch, t.Base, t.BaseCommit, t.Start = r.Worktree, r.Branch, r.Base, r.BaseCommit, starting.Start{}
	t.Changes, t.Landed, t.KeptRef, t.KeptUntil = r.Changes, r.Landed, r.KeptRef, r.KeptUntil
	return t
}

// Project returns the project with an id, or the copy of one that is a further repository of
// it, as the task has it whose copy names it; see repository.
func (p *Parts) Project(ctx context.Context, id string) (beckon.Project, error) {
	projectID, name := reviewing.SplitPart(id)
	project, err := p.Cards.Project(ctx, projectID)
	if err != nil || name == "" {
		return project, err
	}
	name, taskID, _ := strings.Cut(name, "/")
	row, err := p.Rows.One(ctx, reviewing.PartID(taskID, name))
	if err == nil {
		return repositoryOf(project, repository(project, row)), nil
	}
	if !errors.Is(err, beckon.ErrNotFound) {
		return project, err
	}
	r, ok := named(project, name)
	if !ok {
		return project, unknown(project, name)
	}
	return repositoryOf(project, r), nil
}

// repository returns where the work of a part is: where its worktree was made, as long as that
// folder is there; a clone that was moved is where the project's settings have it by now.
func repository(project beckon.Project, row parts.Row) reviewing.Repository {
	r, ok := settingsOf(project, row.Name, row.Dir)
	r.Name = row.Name
	if hasWork := row.Branch != "" || row.KeptRef != ""; !ok || hasWork && r.Dir != row.Dir && Gone(row.Dir) == nil {
		r.Dir, r.Base = row.Dir, row.Base
	}
	return r
}

// settingsOf returns the further repository of a project that has a name, else the one in a
// folder: its name may be another by now.
func settingsOf(project beckon.Project, name, dir string) (reviewing.Repository, bool) {
	if r, ok := named(project, name); ok {
		return r, true
	}
	i := slices.IndexFunc(project.Repositories, func(r reviewing.Repository) bool { return r.Dir == dir })
	if i < 0 {
		return reviewing.Repository{}, false
	}
	return project.Repositories[i], true
}

// is reports whether a row is that of a further repository of a project.
func is(project beckon.Project, r reviewing.Repository, row parts.Row) bool {
	of, ok := settingsOf(project, row.Name, row.Dir)
	return ok && of.Name == r.Name
}

// repositoryOf returns a project as if a further repository were its own. Its commands stay
// the project's: none runs there.
func repositoryOf(p beckon.Project, r reviewing.Repository) beckon.Project {
	p.ID, p.Name, p.Dir, p.Base = reviewing.PartID(p.ID, r.Name), r.Name, r.Dir, r.Base
	p.MergeWay, p.Git, p.Scripts, p.Executor = cmp.Or(r.MergeWay, p.MergeWay), true, beckon.ScriptSet{}, ""
	p.Repositories = nil
	return p
}

// Repositories returns a project and its further repositories that are there, each as if it were
// the project's own.
func Repositories(p beckon.Project) []beckon.Project {
	list := []beckon.Project{p}
	for _, r := range p.Repositories {
		if Gone(r.Dir) == nil {
			list = append(list, repositoryOf(p, r))
		}
	}
	return list
}

// named returns the further repository of a project with a name.
func named(p beckon.Project, name string) (reviewing.Repository, bool) {
	for _, r := range p.Repositories {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return reviewing.Repository{}, false
}

func unknown(p beckon.Project, name string) error {
	names := make([]string, 0, len(p.Repositories))
	for _, r := range p.Repositories {
		names = append(names, r.Name)
	}
	all := strings.Join(names, ", ")
	err := fmt.Errorf("%s has no further repository %.40q, but these: %s: %w", p.Name, name, cmp.Or(all, "none"), beckon.ErrNotFound)
	return problem.New(problem.NoRepository, err, "name", p.Name, "repository", fmt.Sprintf("%.40s", name), "all", cmp.Or(all, "–"))
}

// Update changes a part by the copy of its task, and returns what that became. Only where the
// work is, what it amounts to, how it was merged and what keeps it belongs to a part.
func (p *Parts) Update(ctx context.Context, id string, change func(*beckon.Task) error) (beckon.Task, error) {
	card, err := p.Cards.Task(ctx, reviewing.CardOf(id))
	if err != nil {
		return card, err
	}
	var t beckon.Task
	row, err := p.Rows.Update(ctx, id, func(r *parts.Row) error {
		t = copyOf(card, *r)
		if err := change(&t); err != nil {
			return err
		}
		r.Worktree, r.Branch, r.Base, r.BaseCommit = t.Worktree, t.Branch, t.Base, t.BaseCommit
		r.Changes, r.Landed, r.KeptRef, r.KeptUntil = t.Changes, t.Landed, t.KeptRef, t.KeptUntil
		return nil
	})
	return copyOf(card, row), err
}

// Piece is the work of a task in one repository, the project's own included.
type Piece struct {
	Task    beckon.Task // as Parts.Task has it
	Project beckon.Project
	Name    string // of the repository; of the project for its own
}

// Further returns the parts of a task that have a worktree or had one, in the order of the
// project's repositories; those that it names no more come last. A branch that its agent renamed
// is followed.
func (p *Parts) Further(ctx context.Context, t beckon.Task, project beckon.Project) ([]Piece, error) {
	list, err := p.Rows.Of(ctx, t.ID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(row parts.Row) bool {
		_, ok := settingsOf(project, row.Name, row.Dir)
		return !ok && row.Branch == "" && row.KeptRef == "" // nothing is left there
	})
	at := func(row parts.Row) int {
		i := slices.IndexFunc(project.Repositories, func(r reviewing.Repository) bool { return is(project, r, row) })
		if i < 0 {
			return len(project.Repositories)
		}
		return i
	}
	slices.SortStableFunc(list, func(a, b parts.Row) int { return at(a) - at(b) })
	pieces := make([]Piece, 0, len(list))
	for _, row := range list {
		piece, err := p.Follow(ctx, Piece{copyOf(t, row), repositoryOf(project, repository(project, row)), row.Name})
		if err != nil {
			slog.Error("follow a branch that was renamed", "err", err, "task", row.ID)
		}
		pieces = append(pieces, piece)
	}
	return pieces, nil
}

// All returns the parts of a task in the order in which they are merged: those of further
// repositories, with those that have no worktree yet, and then the project's own.
func (p *Parts) All(ctx context.Context, t beckon.Task, project beckon.Project) ([]Piece, error) {
	there, err := p.Further(ctx, t, project)
	if err != nil {
		return nil, err
	}
	var pieces []Piece
	for _, r := range project.Repositories {
		if i := slices.IndexFunc(there, func(one Piece) bool {
			return is(project, r, parts.Row{Name: one.Name, Dir: one.Project.Dir})
		}); i >= 0 {
			pieces = append(pieces, there[i])
			there = slices.Delete(there, i, i+1)
			continue
		}
		row := parts.Row{ID: reviewing.PartID(t.ID, r.Name), Name: r.Name, Base: r.Base}
		pieces = append(pieces, Piece{copyOf(t, row), repositoryOf(project, r), r.Name})
	}
	pieces = append(pieces, there...)
	return append(pieces, Piece{t, project, project.Name}), nil
}

// Beside returns the folder that has the worktrees of a task's parts.
func (p *Parts) Beside(t beckon.Task) string {
	taskID := reviewing.CardOf(t.ID)
	if t.ID == taskID && t.Worktree != "" && disk.Inside(p.Dir, t.Worktree) {
		return t.Worktree + ".with"
	}
	return filepath.Join(p.Dir, strings.ToLower(t.Key)+"-"+taskID[:min(len(taskID), 6)]+".with")
}
