// Package away keeps what is for people away from the desk: the chats, people and phones
// that may answer, and what they read there.
//
// Told keeps what the channels told whom away from the desk, and what they
// are to tell: the outbox and the record of what lies in chats, in one table. A row
// is a message that shows how its subject stands; what it says is made when it is
// sent. So what was settled while the network was away is never sent, and of several
// changes the last one is.
package away

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/table"
)

// State is how far a message is.
type State string

// The states.
const (
	Due     State = "due"     // to be sent, or changed
	Sending State = "sending" // the service may have it
	Said    State = "said"    // it shows how its subject stands
	Over    State = "over"    // its subject is over, and nothing will change it
)

// Row is a message of a channel to a target. Times are Unix milliseconds.
type Row struct {
	// ID is short enough for the data of a chat's button.
	ID      string
	Channel remote.Channel
	Target  string
	Subject string
	State   State
	Version int64
	Due     int64
	Tries   int
	// Message is what the service calls it; empty until it said so.
	Message string
	// Taken is when the service last took it; 0 for never.
	Taken int64
	// Notes are the channel's own.
	Notes string
}

var rows = table.Of[Row]{
	Name: "told",
	Columns: []string{
		"id", "channel", "target", "subject", "state", "version", "due", "tries",
		"message", "taken", "notes",
	},
	Fields: func(r *Row) []any {
		return []any{
			&r.ID, &r.Channel, &r.Target, &r.Subject, &r.State, &r.Version, &r.Due, &r.Tries,
			&r.Message, &r.Taken, &r.Notes,
		}
	},
	Tidy: func(*Row) {},
}

// Told is the table in an open database.
type Told struct {
	read   *sql.DB
	change table.Transaction
}

// NewTold returns the book of a database, by its readers and what writes to it.
func NewTold(read *sql.DB, change table.Transaction) Told { return Told{read, change} }

// Want has a target told of a subject. Where it was already, nothing happens.
func (b Told) Want(ctx context.Context, channel remote.Channel, target, subject string) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		found, err := rows.List(ctx, tx, "WHERE channel = ? AND target = ? AND subject = ?", channel, target, subject)
		if err != nil || len(found) > 0 {
			return err
		}
		return rows.Insert(ctx, tx, &Row{
			ID: newID(), Channel: channel, Target: target, Subject: subject, State: Due, Version: 1, Due: beckon.Now(),
		})
	})
}

// newID has 40 random bits: the table is small, and a second row of the same id is
// refused.
func newID() string {
	raw := make([]byte, 5)
	_, _ = rand.Read(raw) // it never fails
	return base32.StdEncoding.EncodeToString(raw)
}

// Changed has all that were told of a subject told again how it stands.
func (b Told) Changed(ctx context.Context, subject string) error {
	return b.exec(ctx, "UPDATE told SET version = version + 1, state = CASE state WHEN 'said' THEN 'due' ELSE state END WHERE subject = ? AND state <> 'over'", subject)
}

// Again has what a channel told of a subject that was over say how it stands now.
func (b Told) Again(ctx context.Context, channel remote.Channel, subject string) error {
	return b.exec(ctx, "UPDATE told SET version = version + 1, state = 'due', tries = 0, due = ? WHERE channel = ? AND subject = ? AND state = 'over' AND message <> ''",
		beckon.Now(), channel, subject)
}

// Next returns the first message for each target of a channel, the one that waits
// longest first: those behind it wait, so that nothing overtakes.
func (b Told) Next(ctx context.Context, channel remote.Channel) ([]Row, error) {
	return rows.List(ctx, b.read, `WHERE rowid IN (
		SELECT min(rowid) FROM told WHERE channel = ? AND state IN ('due', 'sending') GROUP BY target) ORDER BY rowid`, channel)
}

// NextDue returns a message for each target of a channel: of those that are due the one that
// waits longest, else the one that is due first. One that is to be tried again later holds up
// none of the others.
func (b Told) NextDue(ctx context.Context, channel remote.Channel) ([]Row, error) {
	return rows.List(ctx, b.read, `WHERE rowid IN (
		SELECT rowid FROM (
			SELECT rowid, row_number() OVER (PARTITION BY target ORDER BY max(due, ?2), rowid) AS place
			FROM told WHERE channel = ?1 AND state IN ('due', 'sending'))
		WHERE place = 1) ORDER BY rowid`, channel, beckon.Now())
}

// Begin marks a message as on its way and returns it as it then is. One that is not
// to be sent any more is beckon.ErrConflict.
func (b Told) Begin(ctx context.Context, id string) (Row, error) {
	return rows.Update(ctx, b.change, id, func(_ context.Context, _ *sql.Tx, r *Row) error {
		if r.State != Due && r.State != Sending {
			return fmt.Errorf("message %s is %s: %w", id, r.State, beckon.ErrConflict)
		}
		r.State = Sending
		return nil
	})
}

// Took notes that the service has the message as its subject stood at the version
// of sent, and whether that was the last. What changed meanwhile stays due.
func (b Told) Took(ctx context.Context, sent Row, message string, over bool) error {
	return b.edit(ctx, sent.ID, func(r *Row) {
		r.Message, r.Tries, r.Taken, r.State = message, 0, beckon.Now(), Said
		switch {
		case over:
			r.State = Over
		case r.Version != sent.Version:
			r.State = Due
		}
	})
}

// Same notes that a change of the subject changes nothing of what was told.
func (b Told) Same(ctx context.Context, looked Row) error {
	return b.edit(ctx, looked.ID, func(r *Row) {
		if r.State = Said; r.Version != looked.Version {
			r.State = Due
		}
	})
}

// Later has a message tried again at a time.
func (b Told) Later(ctx context.Context, id string, due int64) error {
	return b.edit(ctx, id, func(r *Row) { r.State, r.Due, r.Tries = Due, due, r.Tries+1 })
}

// End gives a message up.
func (b Told) End(ctx context.Context, id string) error {
	return b.edit(ctx, id, func(r *Row) { r.State = Over })
}

// Waiting counts the messages that a channel is to send.
func (b Told) Waiting(ctx context.Context, channel remote.Channel) (n int, err error) {
	return n, b.read.QueryRowContext(ctx,
		"SELECT count(*) FROM told WHERE channel = ? AND state IN ('due', 'sending')", channel).Scan(&n)
}

// Last is when the service of a channel last took anything; 0 for never.
func (b Told) Last(ctx context.Context, channel remote.Channel) (at int64, err error) {
	return at, b.read.QueryRowContext(ctx, "SELECT coalesce(max(taken), 0) FROM told WHERE channel = ?", channel).Scan(&at)
}

// Open returns the messages of a channel that are not over, the oldest first.
func (b Told) Open(ctx context.Context, channel remote.Channel) ([]Row, error) {
	return rows.List(ctx, b.read, "WHERE channel = ? AND state <> 'over' ORDER BY rowid", channel)
}

// Forget removes all that a channel told, as when it is switched off.
func (b Told) Forget(ctx context.Context, channel remote.Channel) error {
	return b.exec(ctx, "DELETE FROM told WHERE channel = ?", channel)
}

// Trim removes what has long been over, but for the newest of a channel.
func (b Told) Trim(ctx context.Context, channel remote.Channel, keep int) error {
	return b.exec(ctx, `DELETE FROM told WHERE channel = ?1 AND state = 'over' AND rowid NOT IN (
		SELECT rowid FROM told WHERE channel = ?1 AND state = 'over' ORDER BY rowid DESC LIMIT ?2)`, channel, keep)
}

// edit changes a row, if it is still there.
func (b Told) edit(ctx context.Context, id string, change func(*Row)) error {
	_, err := rows.Update(ctx, b.change, id, func(_ context.Context, _ *sql.Tx, r *Row) error {
		change(r)
		return nil
	})
	if errors.Is(err, beckon.ErrNotFound) {
		return nil // it was forgotten meanwhile
	}
	return err
}

func (b Told) exec(ctx context.Context, statement string, args ...any) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}
