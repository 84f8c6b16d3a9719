package store

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/reviewed"
	"beckon/backend/store/undolog"
)

func TestEveryFieldOfATurnIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	ctx := t.Context()
	task := addTask(t, s, addProject(t, s, "KES").ID)
	first := filledIn(reviewed.Turn{TaskID: task.ID})
	second := reviewed.Turn{TaskID: task.ID, RunID: "r2", Nth: 1, Began: 5}
	ref := filledIn(reviewed.Ref{})
	err := errors.Join(s.Turns.Begin(ctx, &first), s.Turns.Begin(ctx, &second), s.Turns.KeepRef(ctx, ref),
		s.Turns.Reviewed(ctx, task.ID, "t1", 7), s.Turns.Reviewed(ctx, task.ID, "t2", 8),
		s.Turns.Reviewed(ctx, task.ID, "t1", 9))
	if err != nil || first.Number != 1 || second.Number != 2 {
		t.Fatalf("turns %d and %d, %v", first.Number, second.Number, err)
	}
	second.Ended, second.Before, second.After, second.Mixed = 6, "before", "after", true
	if err := errors.Join(s.Turns.Save(ctx, second), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	got, err := s.Turns.Of(ctx, task.ID)
	same(t, got, []reviewed.Turn{first, second}, err)
	refs, err := s.Turns.IdleRefs(ctx, 0)
	same(t, refs, []reviewed.Ref{ref}, err)
	for but, want := range map[string]reviewed.Review{"": {Tree: "t1", At: 9}, "t1": {Tree: "t2", At: 8}} {
		review, ok, err := s.Turns.LastReview(ctx, task.ID, but)
		if same(t, review, want, err); !ok {
			t.Errorf("nothing but %q was reviewed", but)
		}
	}
	if err := s.Turns.Remove(ctx, task.ID, second.Number); err != nil {
		t.Fatal(err)
	}
	got, err = s.Turns.Of(ctx, task.ID)
	same(t, got, []reviewed.Turn{first}, err)
}

// TestTurnsGoWithTheirCardAndComeBackWithIt: their trees stay as long as it can come back.
func TestTurnsGoWithTheirCardAndComeBackWithIt(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	task := addTask(t, s, addProject(t, s, "KES").ID)
	turn, ref := reviewed.Turn{TaskID: task.ID, RunID: "r1", Nth: 1, Began: 5, Before: "t0"},
		reviewed.Ref{TaskID: task.ID, Dir: "/repo"}
	if err := errors.Join(s.Turns.Begin(ctx, &turn), s.Turns.Reviewed(ctx, task.ID, "t1", 7),
		s.Turns.KeepRef(ctx, ref)); err != nil {
		t.Fatal(err)
	}
	is := func(when string, there bool, idle int) {
		t.Helper()
		turns, err := s.Turns.Of(ctx, task.ID)
		_, reviewed, err2 := s.Turns.LastReview(ctx, task.ID, "")
		refs, err3 := s.Turns.IdleRefs(ctx, beckon.Now())
		if err := errors.Join(err, err2, err3); err != nil || len(turns) == 1 != there ||
			reviewed != there || len(refs) != idle {
			t.Errorf("%s: %d turns, reviewed: %t, %d refs nobody needs, %v", when, len(turns), reviewed, len(refs), err)
		}
	}
	is("at first", true, 0)
	if err := s.DeleteTask(undolog.Into(ctx, beckon.ChangeDelete), task.ID); err != nil {
		t.Fatal(err)
	}
	is("deleted", false, 0)
	for what, err := range map[string]error{"a turn": s.Turns.Begin(ctx,
		&reviewed.Turn{TaskID: task.ID, RunID: "r1", Nth: 2}), "a review": s.Turns.Reviewed(ctx, task.ID, "t1", 8)} {
		if !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%s of a card that is gone: %v", what, err)
		}
	}
	step, err := s.Undo.Newest(ctx, task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Undo.Revive(ctx, step.ID, step.Cards[0]); err != nil {
		t.Fatal(err)
	}
	is("brought back", true, 0)
	if _, err := s.UpdateTask(ctx, task.ID, func(t *beckon.Task) error {
		t.Status, t.Resolution, t.KeptUntil = beckon.Archived, beckon.Discarded, beckon.Now()+60_000
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	is("discarded", true, 0)
	refs, err := s.Turns.IdleRefs(ctx, beckon.Now()+120_000)
	same(t, refs, []reviewed.Ref{ref}, err)
	if err := s.DeleteTask(ctx, task.ID); err != nil {
		t.Fatal(err)
	}
	is("deleted for good", false, 1)
	if err := s.Turns.DropRefs(ctx, []reviewed.Ref{ref}); err != nil {
		t.Fatal(err)
	}
	is("let go of", false, 0)
}

// TestTheTreesOfWhatIsOverStayWhileTheyAreOfUse: while an agent works on the task again, or
// a step of it can be taken back.
func TestTheTreesOfWhatIsOverStayWhileTheyAreOfUse(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	ctx := t.Context()
	p := addProject(t, s, "KES")
	task, other := addTask(t, s, p.ID), addTask(t, s, p.ID)
	archive := func(t *beckon.Task) error { t.Status, t.Worktree = beckon.Archived, "/w"; return nil }
	_, err := s.UpdateTask(ctx, task.ID, archive)
	_, err2 := s.UpdateTask(undolog.Into(ctx, beckon.ChangeArchive), other.ID, archive)
	ref := reviewed.Ref{TaskID: task.ID, Dir: "/repo"}
	if err := errors.Join(err, err2, s.Turns.KeepRef(ctx, ref),
		s.Turns.KeepRef(ctx, reviewed.Ref{TaskID: other.ID, Dir: "/repo"})); err != nil {
		t.Fatal(err)
	}
	later := beckon.Now() + 1000
	run := addRun(t, s, task.ID)
	refs, err := s.Turns.OverRefs(ctx, later, "")
	same(t, refs, []reviewed.OverRef{}, err)
	end(t, s, run.ID)
	refs, err = s.Turns.OverRefs(ctx, later, "")
	same(t, refs, []reviewed.OverRef{{Ref: ref, Worktree: "/w"}}, err)
	refs, err = s.Turns.OverRefs(ctx, beckon.Now()-1000, "")
	same(t, refs, []reviewed.OverRef{}, err)
}
