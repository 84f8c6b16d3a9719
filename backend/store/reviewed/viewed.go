package reviewed

import (
	"context"
	"database/sql"

	"beckon/backend/store/table"
)

// This file keeps which files of a task's changes the user has viewed, by their
// content at that time.

// Viewed are the viewed ones in an open database.
type Viewed struct {
	read   *sql.DB
	change table.Transaction
}

// NewViewed returns those of a database, by its readers and what writes to it.
func NewViewed(read *sql.DB, change table.Transaction) Viewed { return Viewed{read, change} }

// mostViewed is how many files of a task are remembered.
const mostViewed = 5000

// Mark keeps that a file was viewed with that content; an empty one forgets
// it. An unknown task is beckon.ErrNotFound.
func (f Viewed) Mark(ctx context.Context, taskID, path, content string) error {
	return f.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if content == "" {
			_, err := tx.ExecContext(ctx, "DELETE FROM viewed WHERE task_id = ? AND path = ?", taskID, path)
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO viewed (task_id, path, content) "+
			"SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM viewed WHERE task_id = ?1) < ?4 OR EXISTS (SELECT 1 FROM viewed WHERE task_id = ?1 AND path = ?2) "+
			"ON CONFLICT (task_id, path) DO UPDATE SET content = excluded.content", taskID, path, content, mostViewed)
		return err
	})
}

// Of returns the contents by the paths of a task's files that were viewed.
func (f Viewed) Of(ctx context.Context, taskID string) (map[string]string, error) {
	found, err := f.read.QueryContext(ctx, "SELECT path, content FROM viewed WHERE task_id = ?", taskID)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := map[string]string{}
	for found.Next() {
		var path, content string
		if err := found.Scan(&path, &content); err != nil {
			return nil, err
		}
		all[path] = content
	}
	return all, found.Err()
}
