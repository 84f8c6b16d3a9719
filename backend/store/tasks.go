package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/table"
	"beckon/backend/store/undolog"
)

var tasks = table.Of[beckon.Task]{
	Name: "task",
	Columns: []string{
		"id", "project_id", "number", "title", "brief", "status", "rank", "labels", "priority",
		"model", "mode", "policy", "wait_ms", "agent", "executor", "after_id", "starts_at", "start", "template_id",
		"worktree", "branch", "base", "base_commit", "session",
		"files", "added", "removed", "commits", "paths",
		"tokens", "cost_usd", "worked_ms",
		"trouble", "resume", "resolution", "landed", "archived_from", "kept_ref", "kept_until", "created", "updated",
	},
	// Computed, so that it follows when the project gets another key.
	Computed: []string{"(SELECT key FROM project WHERE project.id = task.project_id) || '-' || task.number", checkpoints.AttemptOf},
	Fields: func(t *beckon.Task) []any {
		return []any{
			&t.ID, &t.ProjectID, &t.Number, &t.Title, &t.Brief, &t.Status, &t.Rank,
			table.JSON(&t.Labels),
			&t.Priority,
			&t.Model, &t.Mode, &t.Policy, &t.WaitMs, &t.Agent, &t.Executor, &t.After, &t.StartsAt, table.JSON(&t.Start), &t.TemplateID,
			&t.Worktree, &t.Branch, &t.Base, &t.BaseCommit, &t.Session,
			&t.Changes.Files, &t.Changes.Added, &t.Changes.Removed, &t.Changes.Commits, table.JSON(&t.Changes.Paths),
			&t.Spent.Tokens, &t.Spent.CostUSD, &t.Spent.WorkedMs,
			table.Optional(&t.Trouble), table.JSON(&t.Resume),
			&t.Resolution, table.JSON(&t.Landed), &t.ArchivedFrom, &t.KeptRef, &t.KeptUntil, &t.Created, &t.Updated,
			&t.Key, table.Optional(&t.Attempt),
		}
	},
	Tidy: func(t *beckon.Task) {
		t.Labels, t.RestoresTo, t.Changes.Paths = table.NonNil(t.Labels), t.Home(), table.NonNil(t.Changes.Paths)
	},
}

// Tasks returns the tasks of all projects by their rank, lowest first.
func (s *Store) Tasks(ctx context.Context) ([]beckon.Task, error) {
	return tasks.List(ctx, s.read, "ORDER BY rank, created, rowid")
}

// TasksIn returns the tasks of a column by their rank, lowest first.
func (s *Store) TasksIn(ctx context.Context, status beckon.Status) ([]beckon.Task, error) {
	return tasks.List(ctx, s.read, "WHERE status = ? ORDER BY rank, created, rowid", status)
}

// TasksAfter returns so many tasks as come after an id, in the order of the ids.
func (s *Store) TasksAfter(ctx context.Context, id string, most int) ([]beckon.Task, error) {
	return tasks.List(ctx, s.read, "WHERE id > ? ORDER BY id LIMIT ?", id, most)
}

// TasksOf returns the tasks of a project by their rank, lowest first.
func (s *Store) TasksOf(ctx context.Context, projectID string) ([]beckon.Task, error) {
	return tasks.List(ctx, s.read, "WHERE project_id = ? ORDER BY rank, created, rowid", projectID)
}

// TasksByID returns those tasks of the ids that there are, in no order.
func (s *Store) TasksByID(ctx context.Context, ids []string) ([]beckon.Task, error) {
	return tasks.List(ctx, s.read, "WHERE id IN (SELECT value FROM json_each(?))", table.JSON(table.NonNil(ids)))
}

// Task returns the task with the id, or beckon.ErrNotFound.
func (s *Store) Task(ctx context.Context, id string) (beckon.Task, error) {
	return tasks.One(ctx, s.read, id)
}

// NextQueued returns the task that queue.Next does.
func (s *Store) NextQueued(
	ctx context.Context, full []string, passed ...string,
) (t beckon.Task, found bool, err error) {
	id, found, err := nextQueued(ctx, s.read, full, passed)
	if found {
		t, err = s.Task(ctx, id)
	}
	return t, found && err == nil, err
}

// Resumes is queue.Resumes.
func (s *Store) Resumes(ctx context.Context) (next, limitedUntil int64, err error) {
	return nextResume(ctx, s.read)
}

// CreateTask adds t and fills in its Number, which no task of the project ever
// had, its Key, Created and Updated; its ID where that is empty; and a Rank of
// 0 with the end of the column. An unknown project is beckon.ErrNotFound.
func (s *Store) CreateTask(ctx context.Context, t *beckon.Task) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return create(ctx, tx, t) })
}

// CreateTasks does what CreateTask does for many, of which it adds all or, with an error, none.
func (s *Store) CreateTasks(ctx context.Context, list []beckon.Task) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i := range list {
			if err := create(ctx, tx, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func create(ctx context.Context, tx *sql.Tx, t *beckon.Task) error {
	if t.ID == "" {
		t.ID = beckon.NewID()
	}
	t.Created = beckon.Now()
	t.Updated = t.Created
	tasks.Tidy(t)
	if err := number(ctx, tx, t); err != nil {
		return err
	}
	if t.Rank == 0 {
		err := tx.QueryRowContext(ctx,
			"SELECT coalesce(max(rank), 0) + 1 FROM task WHERE status = ?", t.Status).Scan(&t.Rank)
		if err != nil {
			return err
		}
	}
	if err := mayFollow(ctx, tx, *t); err != nil {
		return err
	}
	if err := tasks.Insert(ctx, tx, t); err != nil {
		return err
	}
	return undolog.Note(ctx, tx, nil, t)
}

// number gives t the project's next number, and the key that follows from it.
func number(ctx context.Context, tx *sql.Tx, t *beckon.Task) error {
	err := tx.QueryRowContext(ctx,
		"UPDATE project SET numbered = numbered + 1 WHERE id = ? RETURNING numbered, key || '-' || numbered", t.ProjectID).
		Scan(&t.Number, &t.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return projects.NotFound(t.ProjectID)
	}
	return err
}

// UpdateTask has edit change the task with the id and returns what it became. Its
// ID and Created stay, and so does what names it (ProjectID, Number, Key), unless
// edit gives it to another project, where nothing was worked on yet: there it gets
// the next number. Updated becomes the present. An error of edit is returned as it is, and
// nothing changes. edit replaces lists, and must not call the store.
func (s *Store) UpdateTask(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error) {
	return tasks.Update(ctx, s.change, id, named(edit))
}

// named has edit change a task, but for what names it.
func named(edit func(*beckon.Task) error) func(context.Context, *sql.Tx, *beckon.Task) error {
	return func(ctx context.Context, tx *sql.Tx, t *beckon.Task) error {
		was := *t
		if err := edit(t); err != nil {
			return err
		}
		t.ID, t.Created, t.Updated = was.ID, was.Created, beckon.Now()
		if t.ProjectID == was.ProjectID {
			t.Number, t.Key = was.Number, was.Key
		} else if err := transfer(ctx, tx, was, t); err != nil {
			return err
		}
		if t.After != was.After {
			if err := mayFollow(ctx, tx, *t); err != nil {
				return err
			}
		}
		return undolog.Note(ctx, tx, &was, t)
	}
}

// transfer names a task that goes to another project: by the next number there, or
// by the one that it had, where that is taken back.
func transfer(ctx context.Context, tx *sql.Tx, was beckon.Task, t *beckon.Task) error {
	worked, err := table.Exists(ctx, tx, "SELECT 1 FROM run WHERE task_id = ?", t.ID)
	if err != nil {
		return err
	}
	if worked || was.Branch != "" || was.Worktree != "" {
		return problem.New(problem.WorkedOn,
			fmt.Errorf("%s was worked on in its project and stays there: %w", was.Key, beckon.ErrConflict), "key", was.Key)
	}
	if undolog.Repeats(ctx) {
		err = tx.QueryRowContext(ctx, "SELECT key || '-' || ? FROM project WHERE id = ?", t.Number, t.ProjectID).Scan(&t.Key)
		if errors.Is(err, sql.ErrNoRows) {
			return projects.NotFound(t.ProjectID)
		}
		return err
	}
	return number(ctx, tx, t)
}

// DeleteTask removes the task with the id, its runs and their questions. Its
// worktree and branch it does not know. While a run of it lives that is
// beckon.ErrConflict.
func (s *Store) DeleteTask(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		alive, err := table.Exists(ctx, tx, "SELECT 1 FROM run WHERE ended = 0 AND task_id = ?", id)
		if err != nil {
			return err
		}
		if alive {
			return problem.New(problem.AgentFirst,
				fmt.Errorf("an agent is working on this task, stop it first: %w", beckon.ErrConflict))
		}
		t, err := tasks.One(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := undolog.Note(ctx, tx, &t, nil); err != nil {
			return err
		}
		return tasks.Remove(ctx, tx, id)
	})
}
