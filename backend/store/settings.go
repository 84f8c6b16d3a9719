package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"beckon/backend/beckon"
)

// Settings returns the user's settings: what was saved, and for fields that
// never were, as after an upgrade, beckon.DefaultSettings.
func (s *Store) Settings(ctx context.Context) (beckon.Settings, error) {
	settings := beckon.DefaultSettings()
	var saved string
	err := s.read.QueryRowContext(ctx, "SELECT json_group_object(key, json(value)) FROM setting WHERE key <> ?", missionKey).Scan(&saved)
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

// missionKey is the row of how Mission Control is laid out, which is saved far
// more often than the settings.
const missionKey = "mission"

// Mission returns how Mission Control is laid out.
func (s *Store) Mission(ctx context.Context) (beckon.Mission, error) {
	mission := beckon.DefaultMission()
	var saved string
	err := s.read.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", missionKey).Scan(&saved)
	if errors.Is(err, sql.ErrNoRows) {
		return mission, nil
	}
	if err != nil {
		return mission, err
	}
	return mission, json.Unmarshal([]byte(saved), &mission)
}

// SaveMission keeps how Mission Control is laid out.
func (s *Store) SaveMission(ctx context.Context, mission beckon.Mission) error {
	text, err := json.Marshal(mission)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO setting (key, value) VALUES (?, ?)
			ON CONFLICT (key) DO UPDATE SET value = excluded.value`, missionKey, string(text))
		return err
	})
}
