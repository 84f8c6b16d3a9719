package worktrees

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// Ports are the first ports of the rows of ports that tasks have, in an open database. Those
// of a task that is archived or deleted are nobody's.
type Ports struct {
	read   *sql.DB
	change table.Transaction
}

// NewPorts returns those of a database, by its readers and what writes to it.
func NewPorts(read *sql.DB, change table.Transaction) Ports { return Ports{read, change} }

// All returns the first port of each task that has some, by the task's id.
func (p Ports) All(ctx context.Context) (map[string]int, error) {
	rows, err := p.read.QueryContext(ctx, "SELECT task_id, first FROM task_ports")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var id string
		var first int
		if err := rows.Scan(&id, &first); err != nil {
			return nil, err
		}
		all[id] = first
	}
	return all, rows.Err()
}

// Save gives a task the ports from first on, in place of those that it had. An unknown task is
// beckon.ErrNotFound; ports that another task has are an error.
func (p Ports) Save(ctx context.Context, taskID string, first int) error {
	return p.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO task_ports (task_id, first) SELECT id, ? FROM task WHERE id = ?
			ON CONFLICT (task_id) DO UPDATE SET first = excluded.first`, first, taskID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return beckon.ErrNotFound
	})
}
