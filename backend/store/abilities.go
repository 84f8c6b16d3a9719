package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// This file keeps what a project's newest agent said that it can do.

// abilities is a project's row, of which only that is read.
var abilities = table.Of[beckon.Abilities]{
	Name: "project", Columns: []string{"abilities"},
	Fields: func(b *beckon.Abilities) []any { return []any{table.JSON(b)} },
	Tidy:   func(b *beckon.Abilities) { b.Models, b.Commands = table.NonNil(b.Models), table.NonNil(b.Commands) },
}

// Abilities is the column in an open database.
type Abilities struct {
	read   *sql.DB
	change table.Transaction
}

// newAbilities returns the book of a database, by its readers and what writes to it.
func newAbilities(read *sql.DB, change table.Transaction) Abilities { return Abilities{read, change} }

// Of returns what a project's newest agent said that it can do, nothing
// where there was none. An unknown project is beckon.ErrNotFound.
func (b Abilities) Of(ctx context.Context, projectID string) (beckon.Abilities, error) {
	return abilities.One(ctx, b.read, projectID)
}

// Save keeps what a project's newest agent said that it can do.
func (b Abilities) Save(ctx context.Context, projectID string, said beckon.Abilities) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE project SET abilities = ? WHERE id = ?", table.JSON(&said), projectID)
		return err
	})
}
