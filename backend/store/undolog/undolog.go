// Package undolog keeps what the last changes of cards were, so that they can be
// taken back, and done again, over restarts too.
//
// A context says that a change is one: what is changed with it is noted in the
// transaction that changes it. So there is never the one without the other. A
// change of several cards is one step, to which each adds itself as it is changed.
// What was taken back can be done again until the next step is recorded.
package undolog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// deep is how many steps are kept, and keptFor how long: a discarded branch is
// not kept any longer either.
const (
	deep    = 30
	keptFor = 30 * 24 * time.Hour
)

type contextKey struct{}

// doing is what a context says: that a step is recorded, taken back or done again.
type doing struct {
	token string
	kind  beckon.ChangeKind
	takes int64 // the id of the step that is taken back
	again int64 // the id of the step that is done again
}

// Into returns a context whose changes of cards can be taken back, as one step.
func Into(ctx context.Context, kind beckon.ChangeKind) context.Context {
	return context.WithValue(ctx, contextKey{}, doing{token: beckon.NewID(), kind: kind})
}

// Apart returns a context whose changes belong to no step: nothing takes them back.
func Apart(ctx context.Context) context.Context { return context.WithValue(ctx, contextKey{}, nil) }

// Kept reports whether there is a way back from what is changed with the context.
func Kept(ctx context.Context) bool {
	_, ok := ctx.Value(contextKey{}).(doing)
	return ok
}

// Repeats reports whether what is changed with the context takes something back, or
// does it again, so that what it gives was given before.
func Repeats(ctx context.Context) bool {
	d, ok := ctx.Value(contextKey{}).(doing)
	return ok && (d.takes != 0 || d.again != 0)
}

// StepOf returns the id of the step that is taken back, or done again, with the context; 0
// where none is.
func StepOf(ctx context.Context) int64 {
	d, _ := ctx.Value(contextKey{}).(doing)
	return cmp.Or(d.takes, d.again)
}

// Taking returns a context whose changes take cards of a step back.
func Taking(ctx context.Context, step int64) context.Context {
	return context.WithValue(ctx, contextKey{}, doing{takes: step})
}

// Again returns a context whose changes do a step again that was taken back.
func Again(ctx context.Context, step int64) context.Context {
	return context.WithValue(ctx, contextKey{}, doing{again: step})
}

// Note keeps what became of a card in the transaction that changes it, where the
// context says so. was is nil of one that is made, is of one that is deleted,
// whose rows are still there.
func Note(ctx context.Context, tx *sql.Tx, was, is *beckon.Task) error {
	d, ok := ctx.Value(contextKey{}).(doing)
	switch {
	case !ok:
		return nil
	case d.takes != 0:
		return setAside(ctx, tx, d.takes, was, is)
	case final(was, is):
		return nil
	}
	c, err := noted(ctx, tx, was, is)
	if err != nil || len(c.After) == 0 && c.deleted == nil {
		return err
	}
	if d.again != 0 {
		return putCard(ctx, tx, d.again, c)
	}
	if was != nil && is != nil && was.Status == is.Status && beckon.ChangeTo(is.Status) == d.kind {
		d.kind = beckon.ChangeMove // within its column
	}
	return d.write(ctx, tx, c)
}

// final reports whether a change cannot be taken back: an agent was stopped by
// it, or work that was discarded has come back.
func final(was, is *beckon.Task) bool {
	if was == nil || is == nil {
		return false
	}
	ran := was.Status != is.Status && (was.Status == beckon.Running || is.Status == beckon.Running)
	return ran || was.Resolution == beckon.Discarded && is.Resolution != beckon.Discarded
}

func idOf(was, is *beckon.Task) string {
	if is != nil {
		return is.ID
	}
	return was.ID
}

// noted is what is kept of a change.
func noted(ctx context.Context, tx *sql.Tx, was, is *beckon.Task) (c Card, err error) {
	if is == nil {
		c = Card{TaskID: was.ID, Key: was.Key, Before: Fields{}, After: Fields{}}
		c.deleted, c.runs, err = rowsOf(ctx, tx, was.ID)
		return c, err
	}
	if was == nil {
		was = &beckon.Task{}
	}
	c = Card{TaskID: is.ID, Key: is.Key}
	c.Before, c.After, err = differ(was, is)
	return c, err
}

// write adds a card to the step. With its first card nothing can be done again any
// more, and steps that are too many or too old go.
func (d doing) write(ctx context.Context, tx *sql.Tx, c Card) error {
	now := beckon.Now()
	made, err := tx.ExecContext(ctx,
		"INSERT INTO undo_step (token, kind, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", d.token, d.kind, now)
	if err != nil {
		return err
	}
	var step int64
	if err := tx.QueryRowContext(ctx, "SELECT id FROM undo_step WHERE token = ?", d.token).Scan(&step); err != nil {
		return err
	}
	if err := putCard(ctx, tx, step, c); err != nil {
		return err
	}
	if first, err := made.RowsAffected(); err != nil || first == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM undo_card WHERE undone > 0"); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		"DELETE FROM undo_step WHERE at < ? OR id NOT IN (SELECT DISTINCT step FROM undo_card ORDER BY step DESC LIMIT ?)",
		now-keptFor.Milliseconds(), deep)
	return err
}

// putCard adds what became of a card to a step, after what the step did to it before.
func putCard(ctx context.Context, tx *sql.Tx, step int64, c Card) error {
	earlier, err := cards(ctx, tx, "WHERE step = ? AND task_id = ? AND undone = 0", step, c.TaskID)
	if err != nil {
		return err
	}
	for _, one := range earlier {
		c.follow(one)
	}
	_, err = tx.ExecContext(ctx,
		"INSERT OR REPLACE INTO undo_card (step, task_id, key, before, after, deleted, runs) VALUES (?, ?, ?, ?, ?, ?, ?)",
		step, c.TaskID, c.Key, table.JSON(&c.Before), table.JSON(&c.After), table.JSON(&c.deleted), table.JSON(&c.runs))
	return err
}

// setAside keeps a card of a step that is taken back, as that leaves it.
func setAside(ctx context.Context, tx *sql.Tx, step int64, was, is *beckon.Task) error {
	found, err := cards(ctx, tx, "WHERE step = ? AND task_id = ?", step, idOf(was, is))
	for _, c := range found {
		if is == nil {
			c.deleted, c.runs, err = rowsOf(ctx, tx, was.ID)
		} else {
			c.Before, err = c.left(is)
		}
		if err == nil {
			err = c.setAside(ctx, tx, step)
		}
	}
	return err
}

func (c Card) setAside(ctx context.Context, tx *sql.Tx, step int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE undo_card SET before = ?, deleted = ?, runs = ?, undone = (SELECT max(undone) + 1 FROM undo_card)
		WHERE step = ? AND task_id = ?`, table.JSON(&c.Before), table.JSON(&c.deleted), table.JSON(&c.runs), step, c.TaskID)
	return err
}

// drop removes a card from a step, and the step with its last card.
func drop(ctx context.Context, tx *sql.Tx, step int64, taskID string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM undo_card WHERE step = ? AND task_id = ?", step, taskID)
	if err == nil {
		_, err = tx.ExecContext(ctx,
			"DELETE FROM undo_step WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM undo_card WHERE step = ?1)", step)
	}
	return err
}

// Step is a change that can be taken back.
type Step struct {
	ID    int64
	Kind  beckon.ChangeKind
	At    int64
	Cards []Card
}

// Book is the log in an open database.
type Book struct {
	read   *sql.DB
	change table.Transaction
}

// NewBook returns the log of a database, by its readers and what writes to it.
func NewBook(read *sql.DB, change table.Transaction) Book { return Book{read, change} }

// Newest returns the newest step, of those with a card where its id is not empty;
// beckon.ErrNotFound says that there is none.
func (b Book) Newest(ctx context.Context, taskID string) (Step, error) {
	return b.step(ctx, "undone = 0",
		`EXISTS (SELECT 1 FROM undo_card WHERE step = id AND undone = 0 AND (?1 = '' OR task_id = ?1)) ORDER BY id DESC`, taskID)
}

// Undone returns the step that was taken back last, with its cards that were;
// beckon.ErrNotFound says that there is none.
func (b Book) Undone(ctx context.Context) (Step, error) {
	return b.step(ctx, "undone > 0",
		`?1 = '' AND id = (SELECT step FROM undo_card WHERE undone > 0 ORDER BY undone DESC LIMIT 1)`, "")
}

// step returns the first step that there is of some, with some of its cards.
func (b Book) step(ctx context.Context, which, rest, taskID string) (s Step, err error) {
	err = b.read.QueryRowContext(ctx, "SELECT id, kind, at FROM undo_step WHERE at >= ?2 AND "+rest+" LIMIT 1",
		taskID, beckon.Now()-keptFor.Milliseconds()).Scan(&s.ID, &s.Kind, &s.At)
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("a change to take back or do again: %w", beckon.ErrNotFound)
	}
	if err == nil {
		s.Cards, err = cards(ctx, b.read, "WHERE step = ? AND "+which+" ORDER BY undo_card.rowid", s.ID)
	}
	return s, err
}

// Drop gives up a card of a step: it cannot be taken back, or done again, any more.
func (b Book) Drop(ctx context.Context, step int64, taskID string) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return drop(ctx, tx, step, taskID) })
}
