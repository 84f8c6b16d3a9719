package board

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/starting"
	"beckon/backend/board/check"
	"beckon/backend/store/undolog"
)

// This file knows what a task may start from: the branches of its project, and which of
// them another task has.

// mostBranches is how many branches a search returns.
const mostBranches = 8

// FindBranches finds branches of a project by a part of their names.
func (b *Board) FindBranches(ctx context.Context, projectID, text string) (starting.BranchSearch, error) {
	none := starting.BranchSearch{Branches: []starting.FoundBranch{}}
	p, err := b.Store.Project(ctx, projectID)
	if err != nil || !p.Git {
		return none, err
	}
	found, err := b.repo(p).FindBranches(ctx, text, p.Base, mostBranches)
	if err != nil {
		return none, err
	}
	tasks, err := b.Store.TasksOf(ctx, projectID)
	for i, one := range found.Branches {
		if at := slices.IndexFunc(tasks, func(t beckon.Task) bool { return t.WorksOn(one.Name) }); at >= 0 && one.Remote == "" {
			found.Branches[i].TaskID = tasks[at].ID
		}
	}
	return found, err
}

// checkStart refuses what a task of a project cannot start from.
func (b *Board) checkStart(ctx context.Context, t beckon.Task) error {
	if !t.Start.Kind.Adopts() {
		return check.Start(t, nil)
	}
	tasks, err := b.Store.TasksOf(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	return check.Start(t, tasks)
}

// startEdit returns what a task starts from by an edit, and its base then. A task that has
// its branch keeps both.
func (b *Board) startEdit(ctx context.Context, id string, s starting.Start) (starting.Start, string, error) {
	t, err := b.Store.Task(ctx, id)
	if err != nil || t.Branch != "" {
		return t.Start, t.Base, err
	}
	p, err := b.Store.Project(ctx, t.ProjectID)
	if err == nil && s != t.Start {
		t.Start, t.Start.Found = s, ""
		err = b.checkStart(ctx, t)
	}
	return t.Start, cmp.Or(s.Base, p.Base), err
}

// moveOn has the tasks that build on a task's branch go on with its base, which has that
// branch by now.
func (b *Board) moveOn(ctx context.Context, merged beckon.Task) {
	tasks, err := b.Store.TasksOf(ctx, merged.ProjectID)
	if err != nil {
		slog.Error("find what builds on a merged branch", "err", err, "task", merged.ID)
		return
	}
	for _, t := range tasks {
		if t.Base != merged.Branch || t.Start.TaskID != merged.ID {
			continue
		}
		_, err := b.Update(undolog.Apart(ctx), t.ID, func(t *beckon.Task) error {
			t.Base = cmp.Or(merged.Base, t.Base)
			return nil
		})
		if err != nil {
			slog.Error("have a task go on with another base", "err", err, "task", t.ID)
		}
	}
}
