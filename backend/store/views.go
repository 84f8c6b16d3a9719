package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// This file keeps the views that a person saved. What one of them says is
// not its business: a row that cannot be read stays as it is and is left out.

// Views are the views in an open database.
type Views struct {
	read   *sql.DB
	change table.Transaction
}

// newViews returns the views of a database, by its readers and what writes to it.
func newViews(read *sql.DB, change table.Transaction) Views { return Views{read, change} }

// All returns the views that can be read, in the order in which they were made.
func (v Views) All(ctx context.Context) ([]beckon.View, error) {
	rows, err := v.read.QueryContext(ctx,
		"SELECT id, name, clauses, display, created FROM saved_view ORDER BY created, id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	views := []beckon.View{}
	for rows.Next() {
		var view beckon.View
		var clauses, display string
		if err := rows.Scan(&view.ID, &view.Name, &clauses, &display, &view.Created); err != nil {
			return nil, err
		}
		if err := errors.Join(json.Unmarshal([]byte(clauses), &view.Clauses),
			json.Unmarshal([]byte(display), &view.Display)); err != nil {
			slog.WarnContext(ctx, "a saved view cannot be read", "id", view.ID, "error", err)
			continue
		}
		views = append(views, view)
	}
	return views, rows.Err()
}

// Count returns how many views are kept, with those that cannot be read.
func (v Views) Count(ctx context.Context) (n int, err error) {
	err = v.read.QueryRowContext(ctx, "SELECT count(*) FROM saved_view").Scan(&n)
	return n, err
}

// Add keeps a new view.
func (v Views) Add(ctx context.Context, view beckon.View) error {
	clauses, display, err := viewTexts(view)
	if err != nil {
		return err
	}
	return v.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO saved_view (id, name, clauses, display, created) VALUES (?, ?, ?, ?, ?)",
			view.ID, view.Name, clauses, display, view.Created)
		return err
	})
}

// Replace changes a view that is there; of another it is beckon.ErrNotFound.
func (v Views) Replace(ctx context.Context, view beckon.View) error {
	clauses, display, err := viewTexts(view)
	if err != nil {
		return err
	}
	return v.one(ctx, "UPDATE saved_view SET name = ?, clauses = ?, display = ? WHERE id = ?", view.Name,
		clauses, display, view.ID)
}

// Delete removes a view; an unknown one is beckon.ErrNotFound.
func (v Views) Delete(ctx context.Context, id string) error {
	return v.one(ctx, "DELETE FROM saved_view WHERE id = ?", id)
}

func (v Views) one(ctx context.Context, query string, args ...any) error {
	return v.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, query, args...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return beckon.ErrNotFound
	})
}

func viewTexts(view beckon.View) (clauses, display string, err error) {
	c, err1 := json.Marshal(view.Clauses)
	d, err2 := json.Marshal(view.Display)
	return string(c), string(d), errors.Join(err1, err2)
}
