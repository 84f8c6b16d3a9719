// Package table keeps Go structs as rows of SQLite: one Of says which column
// holds which field, and reads, writes and edits by that. It knows no table of
// Beckon's.
package table

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

// Of says how a T is kept.
type Of[T any] struct {
	Name string
	// Columns that are written and read; the first is the id.
	Columns []string
	// Computed are expressions that are only read, after the columns.
	Computed []string
	// Fields returns pointers to what the columns hold, and then the computed.
	Fields func(*T) []any
	// Tidy completes what was read: lists that are not nil, computed fields.
	Tidy func(*T)
}

// Querier is what statements run on: the readers' pool or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// List returns the rows that the rest of the query, from WHERE on, leaves.
func (t Of[T]) List(ctx context.Context, db Querier, rest string, args ...any) ([]T, error) {
	return t.Collect(ctx, db, "SELECT "+t.Reads()+" FROM "+t.Name+" "+rest, args...)
}

// One returns the row with the id, or beckon.ErrNotFound.
func (t Of[T]) One(ctx context.Context, db Querier, id string) (T, error) {
	found, err := t.List(ctx, db, "WHERE id = ?", id)
	if err == nil && len(found) == 0 {
		err = t.NotFound(id)
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// Insert adds a row.
func (t Of[T]) Insert(ctx context.Context, tx *sql.Tx, v *T) error {
	_, err := tx.ExecContext(ctx,
		"INSERT INTO "+t.Name+" ("+strings.Join(t.Columns, ", ")+") VALUES "+t.Marks(), t.Values(v)...)
	return err
}

// Edit is what Update does to a row between reading and writing it.
type Edit[T any] func(context.Context, *sql.Tx, *T) error

// Transaction runs something in a transaction.
type Transaction func(context.Context, func(context.Context, *sql.Tx) error) error

// Update reads the row with the id, has it edited, and writes it back, all in
// one transaction.
func (t Of[T]) Update(ctx context.Context, transaction Transaction, id string, change Edit[T]) (T, error) {
	var v T
	err := transaction(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		v, err = t.UpdateIn(ctx, tx, id, change)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// UpdateIn does it in a transaction of the caller's.
func (t Of[T]) UpdateIn(ctx context.Context, tx *sql.Tx, id string, change Edit[T]) (T, error) {
	v, err := t.One(ctx, tx, id)
	if err != nil {
		return v, err
	}
	if err := change(ctx, tx, &v); err != nil {
		return v, err
	}
	t.Tidy(&v)
	_, err = tx.ExecContext(ctx, "UPDATE "+t.Name+" SET ("+strings.Join(t.Columns, ", ")+") = "+t.Marks()+" WHERE id = ?",
		append(t.Values(&v), id)...)
	return v, err
}

// Remove deletes the row with the id and all that belongs to it.
func (t Of[T]) Remove(ctx context.Context, tx *sql.Tx, id string) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM "+t.Name+" WHERE id = ?", id)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return t.NotFound(id)
}

// Collect returns the rows that a whole query gives, whose columns are Reads.
func (t Of[T]) Collect(ctx context.Context, db Querier, query string, args ...any) ([]T, error) {
	found, err := Rows(ctx, db, t.Fields, query, args...)
	for i := range found {
		t.Tidy(&found[i])
	}
	return found, err
}

// Rows returns what a query gives, each row read into fields.
func Rows[T any](ctx context.Context, db Querier, fields func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []T{}
	for rows.Next() {
		var v T
		if err := rows.Scan(fields(&v)...); err != nil {
			return nil, err
		}
		found = append(found, v)
	}
	return found, rows.Err()
}

// Texts returns what a query gives that has one column of texts.
func Texts(ctx context.Context, db Querier, query string, args ...any) ([]string, error) {
	return Rows(ctx, db, func(text *string) []any { return []any{text} }, query, args...)
}

// Reads lists what is read of a row, for SELECT and RETURNING.
func (t Of[T]) Reads() string {
	return strings.Join(append(t.Columns[:len(t.Columns):len(t.Columns)], t.Computed...), ", ")
}

// Marks are the placeholders of Values.
func (t Of[T]) Marks() string {
	return "(?" + strings.Repeat(", ?", len(t.Columns)-1) + ")"
}

// Values are what the columns hold, for INSERT and UPDATE.
func (t Of[T]) Values(v *T) []any { return t.Fields(v)[:len(t.Columns)] }

// NotFound is beckon.ErrNotFound for the id.
func (t Of[T]) NotFound(id string) error {
	return fmt.Errorf("%s %s: %w", t.Name, id, beckon.ErrNotFound)
}

// Column is a value or a place for one that is kept in another form than its
// own.
type Column interface {
	driver.Valuer
	sql.Scanner
}

// JSON is a column that holds what v points to as JSON; a nil pointer in there
// is NULL.
func JSON(v any) Column { return asJSON{v} }

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

// Optional is a column that holds as JSON what *v points to, and is empty where that is nil.
func Optional[T any](v **T) Column { return optional[T]{v} }

type optional[T any] struct{ v **T }

// Value implements driver.Valuer.
func (c optional[T]) Value() (driver.Value, error) {
	if *c.v == nil {
		return "", nil
	}
	text, err := json.Marshal(*c.v)
	return string(text), err
}

// Scan implements sql.Scanner.
func (c optional[T]) Scan(column any) error {
	text, ok := column.(string)
	if *c.v = nil; !ok || text == "" {
		return nil
	}
	*c.v = new(T)
	return json.Unmarshal([]byte(text), *c.v)
}

// NullString is a column that refers to another row, NULL where *id is empty.
func NullString(id *string) Column { return nullString{id} }

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

// NonNil returns the list, an empty one for nil.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// MustKnow returns beckon.ErrNotFound unless a table has a row with an id.
func MustKnow(ctx context.Context, tx *sql.Tx, table, id string) error {
	known, err := Exists(ctx, tx, "SELECT 1 FROM "+table+" WHERE id = ?", id)
	if err == nil && !known {
		err = fmt.Errorf("%s %s: %w", table, id, beckon.ErrNotFound)
	}
	return err
}

// Exists reports whether the query finds anything.
func Exists(ctx context.Context, tx *sql.Tx, query string, args ...any) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, query, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
