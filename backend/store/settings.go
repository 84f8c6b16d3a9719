package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/table"
)

// This file keeps what the user set, in one table of names and values.

// Settings is the table in an open database.
type Settings struct {
	read   *sql.DB
	change table.Transaction
}

// newSettings returns the table of a database, by its readers and what writes to it.
func newSettings(read *sql.DB, change table.Transaction) Settings { return Settings{read, change} }

// Load returns the user's settings: what was saved, and for fields that
// never were, as after an upgrade, beckon.DefaultSettings.
func (t Settings) Load(ctx context.Context) (beckon.Settings, error) {
	settings := beckon.DefaultSettings()
	var saved string
	err := t.read.QueryRowContext(ctx,
		"SELECT json_group_object(key, json(value)) FROM setting WHERE key NOT IN (?, ?, ?, ?, ?)", missionKey, channelsKey,
		phonePortKey, pushKey, releaseKey).Scan(&saved)
	if err != nil {
		return settings, err
	}
	return settings, json.Unmarshal([]byte(saved), &settings)
}

// Save replaces the user's settings.
func (t Settings) Save(ctx context.Context, settings beckon.Settings) error {
	text, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO setting (key, value) SELECT key, ?1 -> fullkey FROM json_each(?1) WHERE true
			ON CONFLICT (key) DO UPDATE SET value = excluded.value`, string(text))
		return err
	})
}

// Rows that are saved apart from the settings, since they change on their own.
const (
	missionKey   = "mission"
	channelsKey  = "channels"
	phonePortKey = "phonePort"
	pushKey      = "pushKey"
	releaseKey   = "release"
)

// Mission returns how Mission Control is laid out.
func (t Settings) Mission(ctx context.Context) (beckon.Mission, error) {
	return apart(ctx, t, missionKey, beckon.DefaultMission())
}

// SaveMission keeps how Mission Control is laid out.
func (t Settings) SaveMission(ctx context.Context, mission beckon.Mission) error {
	return t.saveApart(ctx, missionKey, mission)
}

// Channels returns how the channels are set up, none where that never was.
func (t Settings) Channels(ctx context.Context) (map[remote.Channel]remote.Setup, error) {
	return apart(ctx, t, channelsKey, map[remote.Channel]remote.Setup{})
}

// SaveChannels keeps how the channels are set up.
func (t Settings) SaveChannels(ctx context.Context, setups map[remote.Channel]remote.Setup) error {
	return t.saveApart(ctx, channelsKey, setups)
}

// PhonePort returns the port that phones reach Beckon on, 0 before it was chosen.
func (t Settings) PhonePort(ctx context.Context) (int, error) { return apart(ctx, t, phonePortKey, 0) }

// SavePhonePort keeps it.
func (t Settings) SavePhonePort(ctx context.Context, port int) error {
	return t.saveApart(ctx, phonePortKey, port)
}

// PushKey returns the public key with which phones subscribe, empty before it was
// made.
func (t Settings) PushKey(ctx context.Context) (string, error) { return apart(ctx, t, pushKey, "") }

// SavePushKey keeps it.
func (t Settings) SavePushKey(ctx context.Context, key string) error {
	return t.saveApart(ctx, pushKey, key)
}

// Release returns what is known of newer versions.
func (t Settings) Release(ctx context.Context) (beckon.ReleaseState, error) {
	return apart(ctx, t, releaseKey, beckon.ReleaseState{})
}

// SaveRelease keeps it.
func (t Settings) SaveRelease(ctx context.Context, s beckon.ReleaseState) error {
	return t.saveApart(ctx, releaseKey, s)
}

func apart[T any](ctx context.Context, t Settings, key string, v T) (T, error) {
	var saved string
	err := t.read.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&saved)
	if errors.Is(err, sql.ErrNoRows) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal([]byte(saved), &v)
}

func (t Settings) saveApart(ctx context.Context, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO setting (key, value) VALUES (?, ?)
			ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(text))
		return err
	})
}
