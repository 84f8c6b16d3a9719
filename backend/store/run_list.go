package store

import (
	"context"
	"database/sql"
	"errors"

	"beckon/backend/beckon"
)

// This file says which runs there are, and whose their sessions: for who reads the
// transcripts of all, or removes what belongs to none. The runs themselves it does not
// know.

// RunIDs returns the ids of all runs there are, those of cards that can be brought
// back included.
func (s *Store) RunIDs(ctx context.Context) (map[string]bool, error) {
	rows, err := s.read.QueryContext(ctx,
		"SELECT id FROM run UNION SELECT value FROM undo_card, json_each(undo_card.runs)")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, rows.Err()
}

// IsOwnSession reports whether a session of Claude Code's is of a run that Beckon began.
func (s *Store) IsOwnSession(ctx context.Context, session string) (own bool, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM run WHERE session = ? AND kind <> ?)", session,
		beckon.ExternalRun).Scan(&own)
	return own, err
}

// SessionOwner returns the key of the task whose run had the session first, ""
// where none did.
func (s *Store) SessionOwner(ctx context.Context, session string) (key string, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT project.key || '-' || task.number FROM run JOIN task ON task.id = run.task_id
		JOIN project ON project.id = task.project_id WHERE run.session = ? AND run.kind <> ?
		ORDER BY run.started, run.rowid LIMIT 1`, session, beckon.ExternalRun).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// TaskRun says which task and project a run belongs to.
type TaskRun struct{ ID, TaskID, ProjectID string }

// TaskRuns returns the runs of all tasks, the oldest first.
func (s *Store) TaskRuns(ctx context.Context) ([]TaskRun, error) {
	rows, err := s.read.QueryContext(ctx,
		"SELECT run.id, task.id, task.project_id FROM run JOIN task ON task.id = run.task_id ORDER BY run.started, run.rowid")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []TaskRun
	for rows.Next() {
		var r TaskRun
		if err := rows.Scan(&r.ID, &r.TaskID, &r.ProjectID); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}
