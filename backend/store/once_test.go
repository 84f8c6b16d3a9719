package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func TestWhatIsDoneOnceStaysDoneOverADeath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	p := addProject(t, s, "KES")
	unknown, first, again, other := someTask("nobody"), someTask(p.ID), someTask(p.ID), someTask(p.ID)
	ctx := Once(t.Context(), "telegram/7")
	if err := s.CreateTask(ctx, &unknown); err == nil || errors.Is(err, ErrDone) {
		t.Fatalf("a card of no project: %v", err)
	}
	if err := s.CreateTask(ctx, &first); err != nil {
		t.Fatalf("what failed can be tried again: %v", err)
	}
	if _, err := s.UpdateTask(ctx, first.ID, func(t *beckon.Task) error { t.Title = "Paint it"; return nil }); err != nil {
		t.Errorf("a later change with the same context: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	if err := s.CreateTask(Once(t.Context(), "telegram/7"), &again); !errors.Is(err, ErrDone) ||
		!errors.Is(err, beckon.ErrConflict) {
		t.Errorf("%v, want ErrDone", err)
	}
	if err := s.CreateTask(Once(t.Context(), "telegram/8"), &other); err != nil {
		t.Error(err)
	}
	if all, err := s.Tasks(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%d cards, %v; want 2", len(all), err)
	}
}
