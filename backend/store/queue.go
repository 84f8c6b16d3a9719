package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/table"
)

// This file knows which queued task starts next: the first that is not held until
// later, and does not wait for another task. It refuses circles of tasks that would wait for
// each other for good.

// nextQueued returns the id of the task that is first in the queue, and whether there is one:
// but for those passed over, and those whose executor ("" is here) is full.
func nextQueued(ctx context.Context, db *sql.DB, full, passed []string) (id string, found bool, err error) {
	err = db.QueryRowContext(ctx, `
		SELECT id FROM task WHERE status = ?1 AND id NOT IN (SELECT value FROM json_each(?2)) AND max(coalesce(resume ->> 'at', 0), starts_at) <= ?3
		AND CASE executor WHEN '' THEN (SELECT executor FROM project WHERE project.id = task.project_id) WHEN ?4 THEN '' ELSE executor END NOT IN (SELECT value FROM json_each(?5))
		AND NOT EXISTS (SELECT 1 FROM task AS first WHERE first.id = task.after_id AND ?6 NOT IN (first.status, iif(first.status = ?7, first.archived_from, '')))
		ORDER BY rank, created, rowid LIMIT 1`,
		beckon.Queued, table.JSON(table.NonNil(passed)), beckon.Now(), executing.Here, table.JSON(table.NonNil(full)),
		beckon.Done, beckon.Archived).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, err == nil, err
}

// nextResume returns when the next queued task starts or resumes on its own, and until
// when one waits for a limit that no other task would get past; 0 for neither.
func nextResume(ctx context.Context, db *sql.DB) (next, limitedUntil int64, err error) {
	err = db.QueryRowContext(ctx, `
		WITH held(at, why) AS (SELECT resume ->> 'at', resume ->> 'why' FROM task WHERE status = ?1 UNION ALL SELECT starts_at, '' FROM task WHERE status = ?1)
		SELECT coalesce(min(at), 0), coalesce(max(iif(why = ?2, at, 0)), 0) FROM held WHERE at > ?3`, beckon.Queued, beckon.PlanLimit, beckon.Now()).Scan(&next, &limitedUntil)
	return next, limitedUntil, err
}

// mayFollow refuses a task that is to wait for one that there is not, or that itself
// waits for it.
func mayFollow(ctx context.Context, tx *sql.Tx, t beckon.Task) error {
	if t.After == "" {
		return nil
	}
	var first, circle sql.NullString
	err := tx.QueryRowContext(ctx, `
		WITH RECURSIVE chain(id) AS (VALUES (?1) UNION SELECT after_id FROM task JOIN chain USING (id))
		SELECT (SELECT key FROM project WHERE project.id = task.project_id) || '-' || task.number, (SELECT id FROM chain WHERE id = ?2)
		FROM task WHERE id = ?1`, t.After, t.ID).Scan(&first, &circle)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("the task that %s is to wait for does not exist: %w", t.Key, beckon.ErrNotFound)
	case err == nil && circle.Valid:
		err = fmt.Errorf("%s cannot wait for %s, which waits for it: %w", t.Key, first.String, beckon.ErrInvalid)
		return problem.New(problem.Circle, err, "key", t.Key, "first", first.String)
	default:
		return err
	}
}
