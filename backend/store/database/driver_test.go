package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestAStatementThatIsReadIsNotUsedAgainMeanwhile, and what was prepared before the table was
// changed has its new column.
func TestAStatementThatIsReadIsNotUsedAgainMeanwhile(t *testing.T) {
	t.Parallel()
	w := book(t)
	err := w.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		if err := add("a", "b", "c")(ctx, tx); err != nil {
			return err
		}
		const all = "SELECT word FROM word WHERE word >= ? ORDER BY word"
		var pairs []string
		outer, err := tx.QueryContext(ctx, all, "a")
		if err != nil {
			return err
		}
		defer outer.Close()
		for outer.Next() {
			var first, second string
			if err := outer.Scan(&first); err != nil {
				return err
			}
			if err := tx.QueryRowContext(ctx, all, first).Scan(&second); err != nil {
				return err
			}
			pairs = append(pairs, first+second)
		}
		if !slices.Equal(pairs, []string{"aa", "bb", "cc"}) {
			t.Errorf("read %q", pairs)
		}
		return outer.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	for want := 1; want <= 2; want++ {
		if columns := w.columns(t); len(columns) != want {
			t.Errorf("columns %q; want %d", columns, want)
		}
		if _, err := w.DB.ExecContext(t.Context(), fmt.Sprintf("ALTER TABLE word ADD COLUMN more%d TEXT", want)); err != nil {
			t.Fatal(err)
		}
	}
}

// columns returns those that a statement finds whose words never change.
func (w *Writer) columns(t *testing.T) []string {
	t.Helper()
	rows, err := w.DB.QueryContext(t.Context(), "SELECT * FROM word")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err := errors.Join(err, rows.Err()); err != nil {
		t.Fatal(err)
	}
	return columns
}

// TestOnlySoManyStatementsAreKept, and each still does what it says.
func TestOnlySoManyStatementsAreKept(t *testing.T) {
	t.Parallel()
	w := book(t)
	for range 2 {
		for i := range 3 * mostKept {
			var got int
			if err := w.DB.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d + ?", i), 1).Scan(&got); err != nil || got != i+1 {
				t.Fatalf("%d: %d, %v", i, got, err)
			}
		}
	}
	one, err := w.DB.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	if err := one.Raw(func(c any) error {
		if n := len(c.(*conn).kept); n != mostKept {
			t.Errorf("%d are kept", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
