package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// mostTogether is how many changes are committed together, so that the first of them does not wait
// for ever.
const mostTogether = 64

// Writer makes the changes of a database over its only connection that writes. What somebody
// waits for goes first, and what waits while a commit is written to the disk is committed
// together: one transaction and one fsync, in which each change is made whole or not at all.
// Changes that nobody waits for are committed one by one, in the order in which they came: who
// makes them says to others what he changed, and the next must not overtake him. The zero value
// with a DB is ready.
type Writer struct {
	DB *sql.DB

	mu     sync.Mutex
	busy   bool // a goroutine makes changes
	first  []*change
	riders []*change
	others []*change
}

// change is one that waits for its turn.
type change struct {
	ctx      context.Context // that of its caller, which does not end
	do       func(context.Context, *sql.Tx) error
	together bool          // others may be committed with it
	made     chan struct{} // closed when it was committed, or was not made
	err      error
	panicked any
}

// Change makes do in a transaction of its own, or returns the error of ctx, if that ends before
// its turn comes. The context that do gets does not end. Another goroutine calls do, which must
// not end that (runtime.Goexit, as t.Fatal does).
func (w *Writer) Change(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return w.wait(ctx, &w.others, do)
}

// ChangeFirst is Change for what an agent or a person waits for: it goes before all other changes,
// and is committed with those of its kind that wait. What do makes must not depend on that no
// other change is committed with it.
func (w *Writer) ChangeFirst(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return w.wait(ctx, &w.first, do)
}

// ChangeAlong is ChangeFirst for what nobody waits for: it rides with the next change that goes
// first, or is made when there is none.
func (w *Writer) ChangeAlong(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return w.wait(ctx, &w.riders, do)
}

func (w *Writer) wait(ctx context.Context, queue *[]*change, do func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &change{ctx: context.WithoutCancel(ctx), do: do, together: queue != &w.others, made: make(chan struct{})}
	w.mu.Lock()
	*queue = append(*queue, c)
	if !w.busy {
		w.busy = true
		go w.work()
	}
	w.mu.Unlock()
	select {
	case <-c.made:
	case <-ctx.Done():
		if w.leave(queue, c) {
			return ctx.Err()
		}
		<-c.made
	}
	if c.panicked != nil {
		panic(c.panicked)
	}
	return c.err
}

// leave takes a change out of its queue, and reports whether it was still there.
func (w *Writer) leave(queue *[]*change, c *change) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(*queue, c)
	if i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
	}
	return i >= 0
}

// work makes changes until none waits. Who has his change back finds the writer idle, where no
// other waited.
func (w *Writer) work() {
	for c := w.next(); c != nil; {
		made := w.commit(c)
		c = w.next()
		for _, one := range made {
			close(one.made)
		}
	}
}

// next takes the next change; where none waits, the work is over.
func (w *Writer) next() *change {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.take(&w.first, &w.riders, &w.others)
	w.busy = c != nil
	return c
}

// nextWith takes the next change that may be committed with one.
func (w *Writer) nextWith(c *change) *change {
	if !c.together {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.take(&w.first, &w.riders)
}

// take takes the first change out of the first queue that has one; mu is held.
func (w *Writer) take(queues ...*[]*change) *change {
	for _, queue := range queues {
		if len(*queue) > 0 {
			c := (*queue)[0]
			*queue = slices.Delete(*queue, 0, 1)
			return c
		}
	}
	return nil
}

// commit makes a change, and what may be committed with it, in one transaction, and returns them.
func (w *Writer) commit(c *change) (all []*change) {
	err := transact(context.Background(), w.DB, func(tx *sql.Tx) error {
		for next := c; next != nil; {
			all = append(all, next)
			if err := next.make(tx); err != nil || len(all) == mostTogether {
				return err
			}
			next = w.nextWith(c)
		}
		return nil
	})
	if len(all) == 0 {
		all = []*change{c} // there was no transaction
	}
	for _, one := range all {
		if err != nil { // what it found may have been of a change that is undone now
			one.err = err
		}
	}
	return all
}

// make makes a change whole or not at all. Its error is that of the transaction, which is over by
// then; that of the change itself is for its caller.
func (c *change) make(tx *sql.Tx) error {
	if _, err := tx.ExecContext(c.ctx, "SAVEPOINT one"); err != nil {
		return err
	}
	if c.err = c.run(tx); c.err != nil {
		c.err = explainConstraint(c.err)
		if _, err := tx.ExecContext(c.ctx, "ROLLBACK TO one"); err != nil {
			return errors.Join(c.err, err)
		}
	}
	_, err := tx.ExecContext(c.ctx, "RELEASE one")
	return err
}

// run calls do, and keeps its panic for the caller.
func (c *change) run(tx *sql.Tx) (err error) {
	defer func() {
		if c.panicked = recover(); c.panicked != nil {
			err = fmt.Errorf("a change panicked: %v", c.panicked)
		}
	}()
	return c.do(c.ctx, tx)
}
