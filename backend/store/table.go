package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// table says how a T is kept.
type table[T any] struct {
	name string
	// columns that are written and read; the first is the id.
	columns []string
	// computed are expressions that are only read, after the columns.
	computed []string
	// fields returns pointers to what the columns hold, and then the computed.
	fields func(*T) []any
	// tidy completes what was read: lists that are not nil, computed fields.
	tidy func(*T)
}

// querier is what statements run on: the readers' pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// list returns the rows that the rest of the query, from WHERE on, leaves.
func (t table[T]) list(ctx context.Context, db querier, rest string, args ...any) ([]T, error) {
	return t.collect(ctx, db, "SELECT "+t.reads()+" FROM "+t.name+" "+rest, args...)
}

// one returns the row with the id, or beckon.ErrNotFound.
func (t table[T]) one(ctx context.Context, db querier, id string) (T, error) {
	found, err := t.list(ctx, db, "WHERE id = ?", id)
	if err == nil && len(found) == 0 {
		err = t.notFound(id)
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

func (t table[T]) insert(ctx context.Context, tx *sql.Tx, v *T) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(t.columns, ", ")+") VALUES "+t.marks(), t.values(v)...)
	return err
}

// edit is what update does to a row between reading and writing it.
type edit[T any] func(context.Context, *sql.Tx, *T) error

// update reads the row with the id, has it edited, and writes it back, all in
// one transaction.
func (t table[T]) update(ctx context.Context, s *Store, id string, change edit[T]) (T, error) {
	var v T
	err := s.change(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		v, err = t.updateIn(ctx, tx, id, change)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// updateIn does it in a transaction of the caller's.
func (t table[T]) updateIn(ctx context.Context, tx *sql.Tx, id string, change edit[T]) (T, error) {
	v, err := t.one(ctx, tx, id)
	if err != nil {
		return v, err
	}
	if err := change(ctx, tx, &v); err != nil {
		return v, err
	}
	t.tidy(&v)
	_, err = tx.ExecContext(ctx, "UPDATE "+t.name+" SET ("+strings.Join(t.columns, ", ")+") = "+t.marks()+" WHERE id = ?",
		append(t.values(&v), id)...)
	return v, err
}

// remove deletes the row with the id and all that belongs to it.
func (t table[T]) remove(ctx context.Context, tx *sql.Tx, id string) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM "+t.name+" WHERE id = ?", id)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return t.notFound(id)
}

func (t table[T]) collect(ctx context.Context, db querier, query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []T{}
	for rows.Next() {
		var v T
		if err := rows.Scan(t.fields(&v)...); err != nil {
			return nil, err
		}
		t.tidy(&v)
		found = append(found, v)
	}
	return found, rows.Err()
}

func (t table[T]) reads() string {
	return strings.Join(append(t.columns[:len(t.columns):len(t.columns)], t.computed...), ", ")
}

func (t table[T]) marks() string {
	return "(?" + strings.Repeat(", ?", len(t.columns)-1) + ")"
}

func (t table[T]) values(v *T) []any { return t.fields(v)[:len(t.columns)] }

func (t table[T]) notFound(id string) error {
	return fmt.Errorf("%s %s: %w", t.name, id, beckon.ErrNotFound)
}

// asJSON is a column that holds what v points to as JSON; a nil pointer in
// there is NULL.
type asJSON struct{ v any }

// Value implements driver.Valuer.
func (c asJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(c.v)
	if err != nil || string(text) == "null" {
		return nil, err
	}
	return string(text), nil
}

// Scan implements sql.Scanner.
func (c asJSON) Scan(column any) error {
	switch text := column.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.v)
	default:
		return fmt.Errorf("JSON kept as %T", column)
	}
}

// nullString is a column that refers to another row, NULL where *id is empty.
type nullString struct{ id *string }

// Value implements driver.Valuer.
func (c nullString) Value() (driver.Value, error) {
	if *c.id == "" {
		return nil, nil
	}
	return *c.id, nil
}

// Scan implements sql.Scanner.
func (c nullString) Scan(column any) error {
	var text sql.NullString
	err := text.Scan(column)
	*c.id = text.String
	return err
}

// nonNil returns the list, an empty one for nil.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// exists tells whether the query finds anything.
func exists(ctx context.Context, tx *sql.Tx, query string, args ...any) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, query, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
