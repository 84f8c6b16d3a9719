package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func TestWhatWasViewedStaysWithItsTask(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	p := addProject(t, s, "KES")
	kept, deleted := addTask(t, s, p.ID), addTask(t, s, p.ID)
	err := errors.Join(
		s.Viewed.Mark(ctx, kept.ID, "a.go", "1-2"), s.Viewed.Mark(ctx, kept.ID, "a.go", "1-3"),
		s.Viewed.Mark(ctx, kept.ID, "b.go", "1-2"),
		s.Viewed.Mark(ctx, kept.ID, "b.go", ""), s.Viewed.Mark(ctx, deleted.ID, "a.go", "1-2"),
		s.DeleteTask(ctx, deleted.ID), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	files, err := s.Viewed.Of(ctx, kept.ID)
	same(t, files, map[string]string{"a.go": "1-3"}, err)
	files, err = s.Viewed.Of(ctx, deleted.ID)
	same(t, files, map[string]string{}, err)
	if err := s.Viewed.Mark(ctx, deleted.ID, "a.go", "1-2"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a file of a task that is gone: %v", err)
	}
}
