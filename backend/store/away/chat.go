package away

import (
	"context"
	"database/sql"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
)

// Row returns a message, whether it is over or not, or beckon.ErrNotFound.
func (b Told) Row(ctx context.Context, id string) (Row, error) { return rows.One(ctx, b.read, id) }

// At returns the message that the service calls so, or beckon.ErrNotFound.
func (b Told) At(ctx context.Context, channel remote.Channel, target, message string) (Row, error) {
	found, err := rows.List(ctx, b.read, "WHERE channel = ? AND target = ? AND message = ? AND message <> ''",
		channel, target, message)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("message %s: %w", message, beckon.ErrNotFound)
	}
	if err != nil {
		return Row{}, err
	}
	return found[0], nil
}

// OpenAt returns the messages to a target that are not over, the oldest first.
func (b Told) OpenAt(ctx context.Context, channel remote.Channel, target string) ([]Row, error) {
	return rows.List(ctx, b.read, "WHERE channel = ? AND target = ? AND state <> 'over' ORDER BY rowid", channel, target)
}

// Note keeps the channel's notes of a message, and what the service calls it where
// that was not known, and has the message changed by them; one too that was given up
// because nobody knew that the service had it.
func (b Told) Note(ctx context.Context, id, message, notes string) error {
	return b.edit(ctx, id, func(r *Row) {
		lost := r.State == Over && r.Message == "" && message != ""
		if r.Message == "" {
			r.Message = message
		}
		r.Notes = notes
		r.Version++
		if r.State == Said || lost {
			r.State = Due
		}
	})
}

// Move gives what was told to a target to another, which hears of all that is not
// over.
func (b Told) Move(ctx context.Context, channel remote.Channel, from, to string) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE OR IGNORE told SET target = ?3, message = '', version = version + 1,
			state = CASE state WHEN 'over' THEN 'over' ELSE 'due' END WHERE channel = ?1 AND target = ?2`, channel, from, to)
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM told WHERE channel = ? AND target = ?", channel, from)
		}
		return err
	})
}

// ForgetAt removes all that a target was told.
func (b Told) ForgetAt(ctx context.Context, channel remote.Channel, target string) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM told WHERE channel = ? AND target = ?", channel, target)
		return err
	})
}
