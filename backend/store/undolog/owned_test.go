package undolog_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/store"
	"beckon/backend/store/undolog"
)

// TestNothingOfADeletedCardIsForgotten: rows that go with a card are kept with the
// step that deletes it, and come back after what they refer to.
func TestNothingOfADeletedCardIsForgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	db, err := sql.Open("sqlite", filepath.Join(dir, "beckon.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	found, err := db.QueryContext(t.Context(),
		`SELECT s.name, f."table" FROM sqlite_schema s, pragma_foreign_key_list(s.name) f WHERE s.type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	owned, seen := undolog.Owned(), 0
	for found.Next() {
		var table, to string
		if err := found.Scan(&table, &to); err != nil {
			t.Fatal(err)
		}
		after := slices.Index(owned, to)
		if after < 0 {
			continue
		}
		seen++
		if at := slices.Index(owned, table); at < after {
			t.Errorf("rows of %q refer to those of %q: where a card is deleted and brought back, they are lost, or come too early", table, to)
		}
	}
	if err := found.Err(); err != nil || seen < 5 {
		t.Fatalf("%d tables refer to a card, %v", seen, err)
	}
}
