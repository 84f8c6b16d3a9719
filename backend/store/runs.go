package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

var runs = table.Of[beckon.Run]{
	Name: "run",
	Columns: []string{
		"id", "task_id", "number", "kind", "outcome", "reason", "detail",
		"session", "model", "mode", "effort", "context", "activity", "turns",
		"tokens", "cost_usd", "worked_ms", "started", "ended",
		"copy_of", "dir", "config_dir", "executor", "agent",
	},
	Fields: func(r *beckon.Run) []any {
		return []any{
			&r.ID,
			table.NullString(&r.TaskID),
			&r.Number, &r.Kind, &r.Outcome, table.Optional(&r.Reason), &r.Detail,
			&r.Session, &r.Model, &r.Mode, &r.Effort,
			table.JSON(&r.Context),
			table.JSON(&r.Activity),
			&r.Turns,
			&r.Spent.Tokens, &r.Spent.CostUSD, &r.Spent.WorkedMs, &r.Started, &r.Ended,
			&r.CopyOf, &r.Dir, &r.ConfigDir, &r.Executor, &r.Agent,
		}
	},
	// Of a process that lives its row knows no more than that it does.
	Tidy: func(r *beckon.Run) { r.Phase = beckon.PhaseOf(beckon.Facts{Exited: r.Ended != 0}) },
}

// AddRun adds r and fills in its Number, its Phase, and its ID and Started
// where they are zero. An unknown task is beckon.ErrNotFound.
func (s *Store) AddRun(ctx context.Context, r *beckon.Run) error {
	complete(r)
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return insertRun(ctx, tx, r) })
}

// StartRun adds r as AddRun does and has edit change its task as UpdateTask
// does, both or neither, and returns the task. edit must not call the store.
func (s *Store) StartRun(ctx context.Context, r *beckon.Run, edit func(*beckon.Task) error) (t beckon.Task, err error) {
	complete(r)
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if t, err = tasks.UpdateIn(ctx, tx, r.TaskID, named(edit)); err != nil {
			return err
		}
		return insertRun(ctx, tx, r)
	})
	return t, err
}

// complete fills in what a run may leave to the store.
func complete(r *beckon.Run) {
	if r.ID == "" {
		r.ID = beckon.NewID()
	}
	if r.Started == 0 {
		r.Started = beckon.Now()
	}
	runs.Tidy(r)
}

// insertRun adds r under the next number of its task.
func insertRun(ctx context.Context, tx *sql.Tx, r *beckon.Run) error {
	err := tx.QueryRowContext(ctx, "SELECT coalesce(max(number), 0) + 1 FROM run WHERE task_id IS ?",
		table.NullString(&r.TaskID)).
		Scan(&r.Number)
	if err != nil {
		return err
	}
	return runs.Insert(ctx, tx, r)
}

// UpdateRun has edit change the run with the id and returns what it became.
// What names it stays (ID, TaskID, Number). Ended and Outcome are set together
// or the error is beckon.ErrInvalid. An error of edit is returned as it is, and
// nothing changes. edit must not call the store.
func (s *Store) UpdateRun(ctx context.Context, id string, edit func(*beckon.Run) error) (beckon.Run, error) {
	return runs.Update(ctx, s.change, id, func(_ context.Context, _ *sql.Tx, r *beckon.Run) error {
		was := *r
		if err := edit(r); err != nil {
			return err
		}
		r.ID, r.TaskID, r.Number = was.ID, was.TaskID, was.Number
		return nil
	})
}

// Run returns the run with the id, or beckon.ErrNotFound. Here and in the
// lists, the Phase of a run that has not ended reads Starting: the runner, who
// has its process, knows better.
func (s *Store) Run(ctx context.Context, id string) (beckon.Run, error) {
	return runs.One(ctx, s.read, id)
}

// Runs returns the runs of a task, the first one first.
func (s *Store) Runs(ctx context.Context, taskID string) ([]beckon.Run, error) {
	return runs.List(ctx, s.read, "WHERE task_id = ? ORDER BY number", taskID)
}

// RunsOfProject returns the runs of all tasks of a project.
func (s *Store) RunsOfProject(ctx context.Context, projectID string) ([]beckon.Run, error) {
	return runs.List(ctx, s.read,
		"WHERE task_id IN (SELECT id FROM task WHERE project_id = ?) ORDER BY started, rowid", projectID)
}

// TakeOver adds past, the run of a task's that stands for what was said in a
// session before Beckon went on with it. With questions, those that were settled in
// that session are the task's from then on.
func (s *Store) TakeOver(ctx context.Context, past *beckon.Run, questions bool) error {
	complete(past)
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := insertRun(ctx, tx, past); err != nil || !questions {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE question SET task_id = ?, run_id = ? WHERE settled <> 0
			AND run_id IN (SELECT id FROM run WHERE session = ? AND kind = ? AND task_id IS NULL)`,
			past.TaskID, past.ID, past.Session, beckon.ExternalRun)
		return err
	})
}

// LatestRuns returns the newest run of each of those tasks that had one.
func (s *Store) LatestRuns(ctx context.Context, taskIDs []string) ([]beckon.Run, error) {
	return runs.List(ctx, s.read, `WHERE (task_id, number) IN (
		SELECT task_id, max(number) FROM run WHERE task_id IN (SELECT value FROM json_each(?)) GROUP BY task_id)
		ORDER BY started, rowid`, table.JSON(table.NonNil(taskIDs)))
}

// LiveRuns returns the runs that have not ended, the oldest first. Right after
// Open these are the ones that died with the Beckon before.
func (s *Store) LiveRuns(ctx context.Context) ([]beckon.Run, error) {
	return runs.List(ctx, s.read, "WHERE ended = 0 ORDER BY started, rowid")
}
