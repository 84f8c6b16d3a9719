package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"beckon/backend/beckon"
)

// Settings returns the user's settings: what was saved, and for fields that
// never were, as after an upgrade, beckon.DefaultSettings.
func (s *Store) Settings(ctx context.Context) (beckon.Settings, error) {
	settings := beckon.DefaultSettings()
	var saved string
	err := s.read.QueryRowContext(ctx, "SELECT json_group_object(key, json(value)) FROM setting").Scan(&saved)
	if err != nil {
		return settings, err
	}
	return settings, json.Unmarshal([]byte(saved), &settings)
}

// SaveSettings replaces the user's settings.
func (s *Store) SaveSettings(ctx context.Context, settings beckon.Settings) error {
	text, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO setting (key, value) SELECT key, ?1 -> fullkey FROM json_each(?1) WHERE true
			ON CONFLICT (key) DO UPDATE SET value = excluded.value`, string(text))
		return err
	})
}
