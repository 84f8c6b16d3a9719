// Package parts keeps the work of tasks in further repositories of their projects: one row for
// each task and repository, from when the task got a worktree there. It knows no git.
package parts

import (
	"context"
	"database/sql"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

// Row is the work of a task in a repository.
type Row struct {
	ID         string // reviewing.PartID of the two below
	TaskID     string
	Name       string
	Dir        string // of the repository when the worktree was made
	Worktree   string
	Branch     string // empty: the work was discarded, or the branch is still to be made
	Base       string
	BaseCommit string
	Changes    beckon.Changes // as they were counted last
	Landed     reviewing.Landed
	KeptRef    string // keeps what was discarded, until KeptUntil
	KeptUntil  int64
	Leaving    Leaving
	// BeforeRef keeps what the task did here before it was started over, until BeforeUntil.
	BeforeRef   string
	BeforeUntil int64
}

// Leaving is a discard that is under way, or was cut off.
type Leaving struct {
	Token string `json:"token"` // of the loss that is taken away
	At    int64  `json:"at"`    // when it began, Unix milliseconds; 0: there is none
	// Had are the refs that kept the work of earlier discards of the branch by then.
	Had []string `json:"had,omitempty"`
}

// Rows are those in an open database.
type Rows struct {
	read   *sql.DB
	change table.Transaction
}

// New returns those of a database, by its readers and what writes to it.
func New(read *sql.DB, change table.Transaction) Rows { return Rows{read, change} }

var rows = table.Of[Row]{
	Name: "part",
	Columns: []string{
		"id", "task_id", "name", "dir", "worktree", "branch", "base", "base_commit", "changes", "landed", "kept_ref", "kept_until",
		"leaving", "before_ref", "before_until",
	},
	Fields: func(r *Row) []any {
		return []any{
			&r.ID, &r.TaskID, &r.Name, &r.Dir, &r.Worktree, &r.Branch, &r.Base, &r.BaseCommit,
			table.JSON(&r.Changes), table.JSON(&r.Landed), &r.KeptRef, &r.KeptUntil,
			table.JSON(&r.Leaving), &r.BeforeRef, &r.BeforeUntil,
		}
	},
	Tidy: func(r *Row) {
		r.ID, r.Changes.Paths = reviewing.PartID(r.TaskID, r.Name), table.NonNil(r.Changes.Paths)
	},
}

// Of returns those of a task, by their names.
func (r Rows) Of(ctx context.Context, taskID string) ([]Row, error) {
	return rows.List(ctx, r.read, "WHERE task_id = ? ORDER BY name", taskID)
}

// One returns the row with the id, or beckon.ErrNotFound.
func (r Rows) One(ctx context.Context, id string) (Row, error) { return rows.One(ctx, r.read, id) }

// Add keeps a new row. An unknown task is beckon.ErrNotFound.
func (r Rows) Add(ctx context.Context, row Row) error {
	rows.Tidy(&row)
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := table.MustKnow(ctx, tx, "task", row.TaskID); err != nil {
			return err
		}
		return rows.Insert(ctx, tx, &row)
	})
}

// Update has edit change the row with the id and returns what it became. edit must not call
// the store.
func (r Rows) Update(ctx context.Context, id string, edit func(*Row) error) (Row, error) {
	return rows.Update(ctx, r.change, id, func(_ context.Context, _ *sql.Tx, row *Row) error { return edit(row) })
}

// UpdateAll edits the rows of a task, all of them or with an error none.
func (r Rows) UpdateAll(ctx context.Context, taskID string, edit func(*Row) error) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		list, err := rows.List(ctx, tx, "WHERE task_id = ?", taskID)
		for _, row := range list {
			_, err2 := rows.UpdateIn(ctx, tx, row.ID, func(_ context.Context, _ *sql.Tx, row *Row) error { return edit(row) })
			err = errors.Join(err, err2)
		}
		return err
	})
}
