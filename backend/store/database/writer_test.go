package database

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"beckon/backend/beckon"
)

// book is a database of one table of words, with a writer.
func book(t *testing.T) *Writer {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "words.db"), "", "journal_mode(wal)", "synchronous(full)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE word (word TEXT NOT NULL UNIQUE) STRICT"); err != nil {
		t.Fatal(err)
	}
	return &Writer{DB: db}
}

func (w *Writer) words(t *testing.T) (all []string) {
	t.Helper()
	rows, err := w.DB.QueryContext(t.Context(), "SELECT word FROM word ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			t.Fatal(err)
		}
		all = append(all, word)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// add adds words, the last of which may fail.
func add(words ...string) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		for _, word := range words {
			if _, err := tx.ExecContext(ctx, "INSERT INTO word (word) VALUES (?)", word); err != nil {
				return err
			}
		}
		return nil
	}
}

// waiting are changes that wait while the writer is busy with another.
type waiting struct {
	t    *testing.T
	w    *Writer
	all  sync.WaitGroup
	busy chan struct{}
}

func whileBusy(t *testing.T, w *Writer) *waiting {
	q := &waiting{t: t, w: w, busy: make(chan struct{})}
	q.make(nil, func(do func(context.Context, *sql.Tx) error) error { return w.Change(t.Context(), do) },
		func(context.Context, *sql.Tx) error { <-q.busy; return nil })
	return q
}

// make has a change wait, which is to end with an error such as want.
func (q *waiting) make(want error, how func(func(context.Context, *sql.Tx) error) error, do func(context.Context, *sql.Tx) error) {
	q.all.Go(func() {
		if err := how(do); !errors.Is(err, want) {
			q.t.Errorf("%v, want %v", err, want)
		}
	})
	synctest.Wait()
}

func (q *waiting) goOn() { close(q.busy); q.all.Wait() }

// TestWhatIsWaitedForIsWrittenFirst: a question does not stand in line behind
// writes that nobody waits for.
func TestWhatIsWaitedForIsWrittenFirst(t *testing.T) {
	t.Parallel()
	w := book(t)
	synctest.Test(t, func(t *testing.T) {
		q := whileBusy(t, w)
		plain := func(do func(context.Context, *sql.Tx) error) error { return w.Change(t.Context(), do) }
		first := func(do func(context.Context, *sql.Tx) error) error { return w.ChangeFirst(t.Context(), do) }
		along := func(do func(context.Context, *sql.Tx) error) error { return w.ChangeAlong(t.Context(), do) }
		q.make(nil, plain, add("card 1"))
		q.make(nil, along, add("delivered"))
		q.make(nil, plain, add("card 2"))
		q.make(nil, first, add("question 1"))
		q.make(beckon.ErrConflict, first, add("half", "question 1"))
		q.make(nil, first, add("question 2"))
		q.goOn()
	})
	if got := w.words(t); !slices.Equal(got, []string{"question 1", "question 2", "delivered", "card 1", "card 2"}) {
		t.Errorf("written in the order %q", got)
	}
}

// TestWhatGoesFirstIsCommittedTogether: one fsync for all who wait. Nobody else sees the first
// while the last is made.
func TestWhatGoesFirstIsCommittedTogether(t *testing.T) {
	t.Parallel()
	w := book(t)
	var file string
	if err := w.DB.QueryRowContext(t.Context(), "SELECT file FROM pragma_database_list").Scan(&file); err != nil {
		t.Fatal(err)
	}
	reader, err := Open(file, "ro")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	seen := -1
	look := func(ctx context.Context, tx *sql.Tx) error {
		var own int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM word").Scan(&own)
		if err == nil && own != 2 {
			err = errors.New("what was made before it in the transaction is not there")
		}
		return errors.Join(err, reader.QueryRowContext(ctx, "SELECT count(*) FROM word").Scan(&seen))
	}
	synctest.Test(t, func(t *testing.T) {
		q := whileBusy(t, w)
		first := func(do func(context.Context, *sql.Tx) error) error { return w.ChangeFirst(t.Context(), do) }
		q.make(nil, first, add("a"))
		q.make(nil, first, add("b"))
		q.make(nil, first, look)
		q.goOn()
	})
	if seen != 0 {
		t.Errorf("%d were committed before the last was made", seen)
	}
}

// TestAChangeThatBreaksTheTransactionIsAnErrorForAll who were to be committed with it, and for
// nobody after it. A panic is its caller's alone.
func TestAChangeThatBreaksTheTransactionIsAnErrorForAll(t *testing.T) {
	t.Parallel()
	w := book(t)
	synctest.Test(t, func(t *testing.T) {
		q := whileBusy(t, w)
		first := func(do func(context.Context, *sql.Tx) error) error { return w.ChangeFirst(t.Context(), do) }
		broken := errors.New("no room")
		q.all.Go(func() {
			if first(add("lost")) == nil {
				t.Error("what was not committed has no error")
			}
		})
		synctest.Wait()
		q.all.Go(func() {
			if err := first(add("lost")); errors.Is(err, beckon.ErrConflict) {
				t.Errorf("the word that it found was not committed: %v", err)
			}
		})
		synctest.Wait()
		q.make(broken, first, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "ROLLBACK") // as SQLite does where the disk is full
			return errors.Join(broken, err)
		})
		q.make(nil, first, add("kept"))
		q.all.Go(func() {
			defer func() {
				if recover() != "stop" {
					t.Error("the panic did not reach its caller")
				}
			}()
			_ = first(func(ctx context.Context, tx *sql.Tx) error {
				_ = add("half")(ctx, tx)
				panic("stop")
			})
		})
		synctest.Wait()
		q.make(nil, first, add("after"))
		q.goOn()
	})
	if got := w.words(t); !slices.Equal(got, []string{"kept", "after"}) {
		t.Errorf("there is %q", got)
	}
}

// TestAWriterThatGivesUpHoldsNobodyUp although its turn may come as it does.
func TestAWriterThatGivesUpHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w := book(t)
	synctest.Test(t, func(t *testing.T) {
		for range 50 {
			q := whileBusy(t, w)
			ctx, cancel := context.WithCancel(t.Context())
			made := false
			q.all.Go(func() {
				err := w.ChangeFirst(ctx, func(context.Context, *sql.Tx) error { made = true; return nil })
				if made != (err == nil) || err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("made: %t, %v", made, err)
				}
			})
			synctest.Wait()
			go cancel()
			q.goOn()
			if err := w.Change(t.Context(), add()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
