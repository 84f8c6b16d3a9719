package reviewed

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

// This file keeps what a task's worktree amounted to when its turns began and
// ended, and when the user reviewed it: as trees of the project's repository, which it
// knows by their hashes only.

// Turn is one of an agent's, from a message to its result.
type Turn struct {
	TaskID string
	Number int // counts within the task, from 1
	RunID  string
	Nth    int // counts within the run, from 1
	Began  int64
	Ended  int64 // 0: that was not seen
	// Before and After are trees; empty where they were not recorded.
	Before, After string
	// Mixed says that what others changed may be in it, too.
	Mixed bool
}

// Review is a state of the work that the user reviewed.
type Review struct {
	Tree string
	At   int64
}

// Ref says in which folder's repository a ref keeps the trees of a task.
type Ref struct{ TaskID, Dir string }

// Turns are those in an open database.
type Turns struct {
	read   *sql.DB
	change table.Transaction
}

// NewTurns returns those of a database, by its readers and what writes to it.
func NewTurns(read *sql.DB, change table.Transaction) Turns { return Turns{read, change} }

var columns = []string{"task_id", "number", "run_id", "nth", "began", "ended", "before", "after", "mixed"}

func fields(t *Turn) []any {
	return []any{&t.TaskID, &t.Number, &t.RunID, &t.Nth, &t.Began, &t.Ended, &t.Before, &t.After, &t.Mixed}
}

// Of returns a task's turns, the oldest first.
func (t Turns) Of(ctx context.Context, taskID string) ([]Turn, error) {
	rows, err := t.read.QueryContext(ctx,
		"SELECT "+strings.Join(columns, ", ")+" FROM turn WHERE task_id = ? ORDER BY number", taskID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Turn
	for rows.Next() {
		var one Turn
		if err := rows.Scan(fields(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Begin adds a turn and gives it its number. An unknown task is beckon.ErrNotFound.
func (t Turns) Begin(ctx context.Context, one *Turn) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := mustKnow(ctx, tx, one.TaskID); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(number), 0) + 1 FROM turn WHERE task_id = ?",
			one.TaskID).Scan(&one.Number); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO turn ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")", fields(one)...)
		return err
	})
}

// Save writes a turn as it is by now.
func (t Turns) Save(ctx context.Context, one Turn) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			"UPDATE turn SET ended = ?, before = ?, after = ?, mixed = ? WHERE task_id = ? AND number = ?",
			one.Ended, one.Before, one.After, one.Mixed, one.TaskID, one.Number)
		return err
	})
}

// Remove forgets a turn that was none.
func (t Turns) Remove(ctx context.Context, taskID string, number int) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM turn WHERE task_id = ? AND number = ?", taskID, number)
		return err
	})
}

// Reviewed keeps that the user reviewed a state of the work. An unknown task is
// beckon.ErrNotFound.
func (t Turns) Reviewed(ctx context.Context, taskID, tree string, at int64) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := mustKnow(ctx, tx, taskID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "REPLACE INTO reviewed (task_id, tree, at) VALUES (?, ?, ?)", taskID, tree, at)
		return err
	})
}

// LastReview returns the newest state that the user reviewed and that is another than
// a tree; ok is false where there is none.
func (t Turns) LastReview(ctx context.Context, taskID, but string) (r Review, ok bool, err error) {
	err = t.read.QueryRowContext(ctx,
		"SELECT tree, at FROM reviewed WHERE task_id = ? AND tree <> ? ORDER BY at DESC LIMIT 1",
		taskID, but).Scan(&r.Tree, &r.At)
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	return r, err == nil, err
}

// KeepRef notes that a ref keeps trees of a task, before there is one.
func (t Turns) KeepRef(ctx context.Context, r Ref) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO turn_ref (task_id, dir) VALUES (?, ?)", r.TaskID, r.Dir)
		return err
	})
}

// DropRefs forgets refs that were removed.
func (t Turns) DropRefs(ctx context.Context, refs []Ref) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, r := range refs {
			if _, err := tx.ExecContext(ctx, "DELETE FROM turn_ref WHERE task_id = ? AND dir = ?", r.TaskID, r.Dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// IdleRefs returns the refs of tasks that are deleted and cannot be brought back, and of
// those whose work was discarded longer ago than it is kept.
func (t Turns) IdleRefs(ctx context.Context, now int64) ([]Ref, error) {
	rows, err := t.read.QueryContext(ctx, `
		WITH r AS (SELECT task_id, dir, substr(task_id, 1, instr(task_id || '/', '/') - 1) AS card FROM turn_ref)
		SELECT r.task_id, r.dir FROM r LEFT JOIN task ON task.id = r.card
		WHERE task.id IS NULL AND NOT EXISTS (SELECT 1 FROM undo_card c WHERE c.task_id = r.card AND c.deleted IS NOT NULL)
			OR task.resolution = 'discarded' AND task.kept_until < ?`, now)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Ref
	for rows.Next() {
		var one Ref
		if err := rows.Scan(&one.TaskID, &one.Dir); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// OverRef is a ref of a task that is over, and the worktree that its work was in.
type OverRef struct {
	Ref
	Worktree string
}

// OverRefs returns the refs of tasks that were merged or archived and are as they are since
// a time, of all repositories or of a folder's: on which no run works, and of which no step can be taken back. Those of what was
// discarded are IdleRefs alone.
func (t Turns) OverRefs(ctx context.Context, since int64, dir string) ([]OverRef, error) {
	return table.Rows(ctx, t.read, func(r *OverRef) []any { return []any{&r.TaskID, &r.Dir, &r.Worktree} }, `
		WITH r AS (SELECT task_id, dir, substr(task_id, 1, instr(task_id || '/', '/') - 1) AS card FROM turn_ref)
		SELECT r.task_id, r.dir, coalesce(part.worktree, task.worktree)
		FROM r JOIN task ON task.id = r.card LEFT JOIN part ON part.id = r.task_id
		WHERE (task.status = 'archived' AND task.resolution <> 'discarded' OR task.status = 'done' AND task.resolution = 'merged')
			AND task.updated < ? AND ? IN ('', r.dir)
			AND NOT EXISTS (SELECT 1 FROM run WHERE run.task_id = task.id AND ended = 0)
			AND task.id NOT IN (SELECT task_id FROM undo_card)`, since, dir)
}

// mustKnow returns beckon.ErrNotFound unless there is the task of an id, which may be that of a
// part.
func mustKnow(ctx context.Context, tx *sql.Tx, id string) error {
	return table.MustKnow(ctx, tx, "task", reviewing.CardOf(id))
}
