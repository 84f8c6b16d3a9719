// Package pulled keeps the pull requests that were opened for tasks, one for each,
// and what their servers last said of them.
package pulled

import (
	"context"
	"database/sql"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/pull"
	"beckon/backend/store/table"
)

// Requests are the rows in an open database.
type Requests struct {
	read   *sql.DB
	change table.Transaction
}

// In returns those of a database, by its readers and what writes to it.
func In(read *sql.DB, change table.Transaction) Requests { return Requests{read, change} }

var columns = []string{"task_id", "host", "server", "repo", "remote", "branch", "base", "pushed", "number", "url", "state", "checks", "seen", "stale"}

func fields(r *pull.Request) []any {
	return []any{
		&r.TaskID, &r.Host, &r.Server, &r.Repo, &r.Remote, &r.Branch, &r.Base, &r.Commit, &r.Number, &r.URL, &r.State,
		table.JSON(&r.Checks), &r.Seen, &r.Stale,
	}
}

// All returns every one.
func (r Requests) All(ctx context.Context) ([]pull.Request, error) {
	return r.list(ctx, "ORDER BY task_id")
}

// Of returns that of a task; ok is false where there is none.
func (r Requests) Of(ctx context.Context, taskID string) (found pull.Request, ok bool, err error) {
	list, err := r.list(ctx, "WHERE task_id = ?", taskID)
	if len(list) > 0 {
		found = list[0]
	}
	return found, len(list) > 0, err
}

func (r Requests) list(ctx context.Context, rest string, args ...any) ([]pull.Request, error) {
	rows, err := r.read.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM pull_request "+rest, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []pull.Request{}
	for rows.Next() {
		var one pull.Request
		if err := rows.Scan(fields(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Put keeps a request in place of the one before it of its task. An unknown task is
// beckon.ErrNotFound.
func (r Requests) Put(ctx context.Context, one pull.Request) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		known, err := table.Exists(ctx, tx, "SELECT 1 FROM task WHERE id = ?", one.TaskID)
		if err == nil && !known {
			err = beckon.ErrNotFound
		}
		if err != nil {
			return err
		}
		marks := "?" + strings.Repeat(", ?", len(columns)-1)
		_, err = tx.ExecContext(ctx, "REPLACE INTO pull_request ("+strings.Join(columns, ", ")+") VALUES ("+marks+")", fields(&one)...)
		return err
	})
}
