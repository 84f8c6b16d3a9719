package away_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store"
	"beckon/backend/store/away"
)

// book is that of a data folder, which can be closed and opened again.
func book(t *testing.T, dir string) away.Told {
	t.Helper()
	s, err := store.Open(context.WithoutCancel(t.Context()), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.Told
}

// next returns the subjects that are to be sent now, one for each target.
func next(t *testing.T, b away.Told) (subjects []string) {
	t.Helper()
	all, err := b.Next(t.Context(), remote.Hook)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		subjects = append(subjects, r.Target+r.Subject)
	}
	return subjects
}

func want(t *testing.T, b away.Told, target string, subjects ...string) {
	t.Helper()
	for _, s := range subjects {
		if err := b.Want(t.Context(), remote.Hook, target, s); err != nil {
			t.Fatal(err)
		}
	}
}

func begin(t *testing.T, b away.Told, subject string) away.Row {
	t.Helper()
	all, err := b.Next(t.Context(), remote.Hook)
	i := slices.IndexFunc(all, func(r away.Row) bool { return r.Subject == subject })
	if err != nil || i < 0 {
		t.Fatalf("%s is not due: %+v, %v", subject, all, err)
	}
	r, err := b.Begin(t.Context(), all[i].ID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEachTargetIsToldInOrder(t *testing.T) {
	t.Parallel()
	b := book(t, t.TempDir())
	want(t, b, "x/", "a", "b")
	want(t, b, "y/", "a")
	want(t, b, "x/", "a") // again changes nothing
	if err := b.Want(t.Context(), remote.Telegram, "x/", "a"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, b); !slices.Equal(got, []string{"x/a", "y/a"}) {
		t.Fatalf("first %q", got)
	}
	r := begin(t, b, "a")
	if got := next(t, b); !slices.Equal(got, []string{"x/a", "y/a"}) {
		t.Errorf("while one is on its way: %q", got)
	}
	if err := b.Took(t.Context(), r, "m1", false); err != nil {
		t.Fatal(err)
	}
	if got := next(t, b); !slices.Equal(got, []string{"x/b", "y/a"}) {
		t.Errorf("then %q", got)
	}
	if n, err := b.Waiting(t.Context(), remote.Hook); n != 2 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if at, err := b.Last(t.Context(), remote.Hook); at == 0 || err != nil {
		t.Errorf("last taken %d, %v", at, err)
	}
}

func TestWhatChangesWhileItIsSentIsSentAgain(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	b := book(t, dir)
	want(t, b, "", "a", "b")
	r := begin(t, b, "a")
	if err := errors.Join(b.Changed(ctx, "a"), b.Changed(ctx, "a"), b.Took(ctx, r, "m1", false)); err != nil {
		t.Fatal(err)
	}
	again := begin(t, b, "a")
	if again.Message != "m1" || again.Version != 3 {
		t.Errorf("again %+v", again)
	}
	if err := b.Same(ctx, again); err != nil {
		t.Fatal(err)
	}
	if got := next(t, b); !slices.Equal(got, []string{"b"}) {
		t.Errorf("after it %q", got)
	}
	if err := b.Changed(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, b); !slices.Equal(got, []string{"a"}) {
		t.Errorf("a change of what was said: %q", got)
	}
}

func TestWhatIsOverStaysOver(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := book(t, t.TempDir())
	want(t, b, "", "a", "b", "c")
	r := begin(t, b, "a")
	if err := errors.Join(b.Took(ctx, r, "m", true), b.Changed(ctx, "a"), b.Want(ctx, remote.Hook, "", "a")); err != nil {
		t.Fatal(err)
	}
	if got := next(t, b); !slices.Equal(got, []string{"b"}) {
		t.Errorf("next %q", got)
	}
	if _, err := b.Begin(ctx, r.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("begun again: %v", err)
	}
	if err := errors.Join(b.End(ctx, begin(t, b, "b").ID), b.Trim(ctx, remote.Hook, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Begin(ctx, r.ID); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("the older of two is kept: %v", err)
	}
	if err := errors.Join(b.Forget(ctx, remote.Hook), b.Took(ctx, r, "m", false)); err != nil {
		t.Errorf("one that was forgotten: %v", err)
	}
	if open, err := b.Open(ctx, remote.Hook); len(open) != 0 || err != nil {
		t.Errorf("%+v, %v", open, err)
	}
}

func TestALaterTryHoldsUpThoseBehindIt(t *testing.T) {
	t.Parallel()
	b := book(t, t.TempDir())
	want(t, b, "", "a", "b")
	if err := b.Later(t.Context(), begin(t, b, "a").ID, 1_900_000_000_000); err != nil {
		t.Fatal(err)
	}
	all, err := b.Next(t.Context(), remote.Hook)
	if err != nil || len(all) != 1 || all[0].Subject != "a" || all[0].Due != 1_900_000_000_000 || all[0].Tries != 1 ||
		all[0].State != away.Due {
		t.Errorf("%+v, %v", all, err)
	}
}
