package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

func TestAViewThatCannotBeReadHidesNoOtherAndStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Views.Add(t.Context(), beckon.View{ID: "good", Name: "Good", Created: 2}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(dir, "beckon.db")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `INSERT INTO saved_view VALUES ('bad', 'Bad', '{"label":7}', '"none"', 1)`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	if s, err = store.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if all, err := s.Views.All(t.Context()); err != nil || len(all) != 1 || all[0].ID != "good" {
		t.Errorf("%+v, %v", all, err)
	}
	if n, err := s.Views.Count(t.Context()); err != nil || n != 2 {
		t.Errorf("%d are kept, %v", n, err)
	}
}
