package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/undolog"
)

// TestAChangeAndItsWayBackAreOne: where the change is not made, nothing can be
// taken back, and where taking back fails, it can be tried again.
func TestAChangeAndItsWayBackAreOne(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	card := addTask(t, s, addProject(t, s, "KES").ID)
	broken := errors.New("broken")
	if _, err := s.write.ExecContext(ctx,
		"CREATE TRIGGER late BEFORE UPDATE ON task WHEN new.title = 'no' BEGIN SELECT raise(abort, 'broken'); END"); err != nil {
		t.Fatal(err)
	}
	retitle := func(to string) func(*beckon.Task) error {
		return func(t *beckon.Task) error { t.Title = to; return nil }
	}
	if _, err := s.UpdateTask(undolog.Into(ctx, beckon.ChangeEdit), card.ID, retitle("no")); err == nil {
		t.Fatal("it was written")
	}
	if _, err := s.Undo.Newest(ctx, ""); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a change that was not made can be taken back: %v", err)
	}
	if _, err := s.UpdateTask(undolog.Into(ctx, beckon.ChangeEdit), card.ID, retitle("yes")); err != nil {
		t.Fatal(err)
	}
	step, err := s.Undo.Newest(ctx, card.ID)
	if err != nil || len(step.Cards) != 1 {
		t.Fatalf("%+v, %v", step, err)
	}
	back := undolog.Taking(ctx, step.ID)
	for _, fail := range []func(*beckon.Task) error{retitle("no"), func(*beckon.Task) error { return broken }} {
		if _, err := s.UpdateTask(back, card.ID, fail); err == nil {
			t.Fatal("it was taken back")
		}
		if _, err := s.Undo.Newest(ctx, ""); err != nil {
			t.Errorf("it was not taken back, and cannot be any more: %v", err)
		}
	}
	if now, err := s.UpdateTask(back, card.ID, step.Cards[0].Restore); err != nil || now.Title != card.Title {
		t.Errorf("taken back it is %q, %v", now.Title, err)
	}
	if _, err := s.Undo.Newest(ctx, ""); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("it can be taken back twice: %v", err)
	}
	if _, err := s.UpdateTask(back, card.ID, step.Cards[0].Restore); !errors.Is(err, undolog.ErrChanged) {
		t.Errorf("a second time: %v", err)
	}
}

func TestWhatChangesNothingIsNoStep(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	card := addTask(t, s, addProject(t, s, "KES").ID)
	if _, err := s.UpdateTask(undolog.Into(t.Context(), beckon.ChangeEdit), card.ID,
		func(*beckon.Task) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo.Newest(t.Context(), ""); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("taken back would be nothing: %v", err)
	}
}

func TestNothingOfARemovedProjectIsBroughtBack(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p, other := addProject(t, s, "KES"), addProject(t, s, "LUM")
	gone, edited, kept := addTask(t, s, p.ID), addTask(t, s, p.ID), addTask(t, s, other.ID)
	retitle := func(t *beckon.Task) error { t.Title = "another"; return nil }
	if _, err := s.UpdateTask(undolog.Into(ctx, beckon.ChangeEdit), kept.ID, retitle); err != nil {
		t.Fatal(err)
	}
	if _, err := s.UpdateTask(undolog.Into(ctx, beckon.ChangeEdit), edited.ID, retitle); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.DeleteTask(undolog.Into(ctx, beckon.ChangeDelete), gone.ID),
		s.RemoveProject(ctx, p.ID)); err != nil {
		t.Fatal(err)
	}
	if step, err := s.Undo.Newest(ctx, ""); err != nil || len(step.Cards) != 1 || step.Cards[0].TaskID != kept.ID {
		t.Errorf("the newest is %+v, %v; want that of the other project", step, err)
	}
}
