package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// This file makes a change of the database once, however often it is asked for.

// ErrDone says that what was to be done once was done before; it is a
// beckon.ErrConflict.
var ErrDone = fmt.Errorf("this was done before: %w", beckon.ErrConflict)

// remembered is how long it is known what was done. Nobody asks again after that:
// Telegram keeps updates for a day.
const remembered = 7 * 24 * time.Hour

type onceKey struct{}

// Once returns a context whose first change is made once by that name, over the death
// of Beckon as well: the name is kept in the same transaction. Asked for again, the
// change is ErrDone.
func Once(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, onceKey{}, &once{name: name})
}

// once is a name, and whether a change with it was made.
type once struct {
	name string
	used atomic.Bool
}

// changeOnce runs do in a transaction, once where the context says so.
func changeOnce(ctx context.Context, change table.Transaction, do func(context.Context, *sql.Tx) error) error {
	o, _ := ctx.Value(onceKey{}).(*once)
	if o == nil || o.used.Load() {
		return change(ctx, do)
	}
	err := change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := o.keep(ctx, tx); err != nil {
			return err
		}
		return do(ctx, tx)
	})
	o.used.Store(err == nil)
	return err
}

// keep notes that it is done, and forgets what nobody asks for any more.
func (o *once) keep(ctx context.Context, tx *sql.Tx) error {
	now := beckon.Now()
	if _, err := tx.ExecContext(ctx, "DELETE FROM done_once WHERE at < ?", now-remembered.Milliseconds()); err != nil {
		return err
	}
	kept, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO done_once (name, at) VALUES (?, ?)", o.name, now)
	if err != nil {
		return err
	}
	if n, err := kept.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, error(ErrDone))
	}
	return nil
}
