// Package worktrees keeps what belongs to the worktrees of tasks: how the commands of their
// projects ran there the last time, and which ports they have. It knows neither commands nor
// whether a port is in use.
package worktrees

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// Runs are how commands ran, in an open database.
type Runs struct {
	read   *sql.DB
	change table.Transaction
}

// NewRuns returns those of a database, by its readers and what writes to it.
func NewRuns(read *sql.DB, change table.Transaction) Runs {
	return Runs{read, change}
}

// All returns every run, the one that began first at first.
func (r Runs) All(ctx context.Context) ([]beckon.ScriptRun, error) {
	return r.list(ctx, "ORDER BY started, task_id, kind")
}

// Of returns how a command of a task ran the last time; found is false where it never
// did.
func (r Runs) Of(
	ctx context.Context, taskID string, kind beckon.ScriptKind,
) (run beckon.ScriptRun, found bool, err error) {
	all, err := r.list(ctx, "WHERE task_id = ? AND kind = ?", taskID, kind)
	if err != nil || len(all) == 0 {
		return beckon.ScriptRun{}, false, err
	}
	return all[0], true, nil
}

// list returns the runs that the rest of the query leaves.
func (r Runs) list(ctx context.Context, rest string, args ...any) ([]beckon.ScriptRun, error) {
	rows, err := r.read.QueryContext(ctx,
		"SELECT task_id, kind, state, command, at, code, reason, started, ended FROM script_run "+rest, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []beckon.ScriptRun{}
	for rows.Next() {
		var x beckon.ScriptRun
		if err := rows.Scan(&x.TaskID, &x.Kind, &x.State, &x.Command, &x.Content, &x.Code, table.Optional(&x.Reason),
			&x.Started, &x.Ended); err != nil {
			return nil, err
		}
		x.ID = beckon.ScriptRunID(x.TaskID, x.Kind)
		all = append(all, x)
	}
	return all, rows.Err()
}

// Save keeps a run in place of the one before it of its task and kind. An unknown
// task is beckon.ErrNotFound.
func (r Runs) Save(ctx context.Context, x beckon.ScriptRun) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var known bool
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM task WHERE id = ?)", x.TaskID).Scan(&known)
		if err == nil && !known {
			err = beckon.ErrNotFound
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			"REPLACE INTO script_run (task_id, kind, state, command, at, code, reason, started, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			x.TaskID, x.Kind, x.State, x.Command, x.Content, x.Code, table.Optional(&x.Reason), x.Started, x.Ended)
		return err
	})
}

// Lose notes of those that run that they do not any more, and returns how many.
func (r Runs) Lose(ctx context.Context, at int64) (n int64, err error) {
	err = r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE script_run SET state = 'lost', ended = ? WHERE state = 'running'", at)
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}
