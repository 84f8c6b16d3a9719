package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// abilities is a project's row, of which only that is read.
var abilities = table.Of[beckon.Abilities]{
	Name: "project", Columns: []string{"abilities"},
	Fields: func(b *beckon.Abilities) []any { return []any{table.JSON(b)} },
	Tidy:   func(b *beckon.Abilities) { b.Models, b.Commands = table.NonNil(b.Models), table.NonNil(b.Commands) },
}

// Abilities returns what a project's newest agent said that it can do, nothing
// where there was none. An unknown project is beckon.ErrNotFound.
func (s *Store) Abilities(ctx context.Context, projectID string) (beckon.Abilities, error) {
	return abilities.One(ctx, s.read, projectID)
}

// SaveAbilities keeps what a project's newest agent said that it can do.
func (s *Store) SaveAbilities(ctx context.Context, projectID string, b beckon.Abilities) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE project SET abilities = ? WHERE id = ?", table.JSON(&b), projectID)
		return err
	})
}
