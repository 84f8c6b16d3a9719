package away

import (
	"context"
	"database/sql"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/table"
)

// This file keeps the phones that are paired with Beckon. One that is removed
// here may do nothing from that moment on. The package knows no network: of the
// secrets that a phone shows it keeps the hashes only.

// Device is a phone that is paired. Times are Unix milliseconds.
type Device struct {
	ID   string
	Name string
	// Secret and Key are the hashes of what it shows.
	Secret   []byte
	Key      []byte
	Rights   remote.Rights
	Language string
	Since    int64
	Last     int64 // when it last answered; 0 for never
	Seen     int64 // when it was last there
	// Confirmed says that somebody at the desk said that it is theirs.
	Confirmed bool
	// Push is the browser's subscription, as JSON; empty for none.
	Push string
}

// Shown is the phone as the desk shows it.
func (d Device) Shown() remote.Device {
	return remote.Device{
		ID: d.ID, Channel: remote.Phone, Name: d.Name, Private: true, Rights: d.Rights, Since: d.Since, Last: d.Last,
		Projects: []string{}, Kinds: []string{},
		Confirmed: d.Confirmed, Push: d.Push != "", Seen: d.Seen,
	}
}

var devices = table.Of[Device]{
	Name:    "device",
	Columns: []string{"id", "name", "secret", "key", "rights", "language", "since", "last", "seen", "confirmed", "push"},
	Fields: func(d *Device) []any {
		return []any{
			&d.ID, &d.Name, &d.Secret, &d.Key, table.JSON(&d.Rights), &d.Language, &d.Since, &d.Last,
			&d.Seen, &d.Confirmed, &d.Push,
		}
	},
	Tidy: func(*Device) {},
}

// Devices is the table in an open database.
type Devices struct {
	read   *sql.DB
	change table.Transaction
}

// NewDevices returns the book of a database, by its readers and what writes to it.
func NewDevices(read *sql.DB, change table.Transaction) Devices { return Devices{read, change} }

// Add keeps a phone that was just paired, by what it is called and shows: with the first
// rights, and not confirmed.
func (b Devices) Add(ctx context.Context, d Device) (Device, error) {
	now := beckon.Now()
	d.Rights, d.Since, d.Last, d.Seen, d.Confirmed, d.Push = firstRights, now, 0, now, false, ""
	return d, b.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return devices.Insert(ctx, tx, &d) })
}

// Device returns a phone, or beckon.ErrNotFound.
func (b Devices) Device(ctx context.Context, id string) (Device, error) {
	return devices.One(ctx, b.read, id)
}

// BySecret returns the phone whose secret has the hash, or beckon.ErrNotFound.
func (b Devices) BySecret(ctx context.Context, secret []byte) (Device, error) {
	found, err := devices.List(ctx, b.read, "WHERE secret = ?", secret)
	if err != nil || len(found) == 0 {
		return Device{}, errors.Join(err, beckon.ErrNotFound)
	}
	return found[0], nil
}

// All returns all phones, the oldest first.
func (b Devices) All(ctx context.Context) ([]Device, error) {
	return devices.List(ctx, b.read, "ORDER BY since, id")
}

// Confirm lets a phone in.
func (b Devices) Confirm(ctx context.Context, id string) error {
	return b.edit(ctx, id, func(d *Device) { d.Confirmed = true })
}

// Allow sets what may be done from a phone.
func (b Devices) Allow(ctx context.Context, id string, r remote.Rights) error {
	return b.edit(ctx, id, func(d *Device) { d.Rights = r })
}

// Answered notes that a phone answered.
func (b Devices) Answered(ctx context.Context, id string) error {
	return b.edit(ctx, id, func(d *Device) { d.Last = beckon.Now() })
}

// Saw notes that a phone was there.
func (b Devices) Saw(ctx context.Context, id string) error {
	return b.edit(ctx, id, func(d *Device) { d.Seen = beckon.Now() })
}

// Subscribe keeps how a phone's browser is sent messages; empty: not at all.
func (b Devices) Subscribe(ctx context.Context, id, push string) error {
	return b.edit(ctx, id, func(d *Device) { d.Push = push })
}

func (b Devices) edit(ctx context.Context, id string, change func(*Device)) error {
	_, err := devices.Update(ctx, b.change, id, func(_ context.Context, _ *sql.Tx, d *Device) error {
		change(d)
		return nil
	})
	return err
}

// Remove unpairs a phone. One that is not there is beckon.ErrNotFound.
func (b Devices) Remove(ctx context.Context, id string) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return devices.Remove(ctx, tx, id) })
}

// Idle returns the phones that were not there since.
func (b Devices) Idle(ctx context.Context, since int64) ([]Device, error) {
	return devices.List(ctx, b.read, "WHERE seen < ? ORDER BY since, id", since)
}

// Unsubscribe forgets how a phone's browser is sent messages where it is still as it
// was, and reports whether it is.
func (b Devices) Unsubscribe(ctx context.Context, id, was string) (is bool, err error) {
	err = b.edit(ctx, id, func(d *Device) {
		if is = d.Push == was; is {
			d.Push = ""
		}
	})
	return is, err
}
