package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
)

// abilities is a project's row, of which only that is read.
var abilities = table[beckon.Abilities]{
	name: "project", columns: []string{"abilities"},
	fields: func(b *beckon.Abilities) []any { return []any{asJSON{b}} },
	tidy:   func(b *beckon.Abilities) { b.Models, b.Commands = nonNil(b.Models), nonNil(b.Commands) },
}

// Abilities returns what a project's newest agent said that it can do, nothing
// where there was none. An unknown project is beckon.ErrNotFound.
func (s *Store) Abilities(ctx context.Context, projectID string) (beckon.Abilities, error) {
	return abilities.one(ctx, s.read, projectID)
}

// SaveAbilities keeps what a project's newest agent said that it can do.
func (s *Store) SaveAbilities(ctx context.Context, projectID string, b beckon.Abilities) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE project SET abilities = ? WHERE id = ?", asJSON{&b}, projectID)
		return err
	})
}
