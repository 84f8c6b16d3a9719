package away_test

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/remote"
	"beckon/backend/store/away"
)

// said has a message of Telegram told to a target, which the service calls so.
func said(t *testing.T, b away.Told, target, subject, message string) away.Row {
	t.Helper()
	if err := b.Want(t.Context(), remote.Telegram, target, subject); err != nil {
		t.Fatal(err)
	}
	all, err := b.OpenAt(t.Context(), remote.Telegram, target)
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	r, err := b.Begin(t.Context(), all[len(all)-1].ID)
	if err == nil {
		err = b.Took(t.Context(), r, message, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnAnswerHalfGivenIsKeptWithItsMessage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := book(t, dir)
	r := said(t, b, "501", "question/1", "7")
	if err := b.Note(t.Context(), r.ID, "8", "half"); err != nil {
		t.Fatal(err)
	}
	got, err := b.At(t.Context(), remote.Telegram, "501", "7")
	if err != nil || got.Notes != "half" || got.State != away.Due || got.Version != r.Version+1 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, at := range [][2]string{{"501", "8"}, {"502", "7"}, {"501", ""}} {
		if _, err := b.At(t.Context(), remote.Telegram, at[0], at[1]); !errors.Is(err, beckon.ErrNotFound) {
			t.Errorf("%v: %v", at, err)
		}
	}
	if err := b.End(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Row(t.Context(), r.ID); err != nil || got.State != away.Over {
		t.Errorf("%+v, %v", got, err)
	}
	if err := b.Note(t.Context(), r.ID, "", "late"); err != nil {
		t.Error(err)
	}
	if open, err := b.OpenAt(t.Context(), remote.Telegram, "501"); err != nil || len(open) != 0 {
		t.Errorf("what is over is sent again: %+v, %v", open, err)
	}
}

// TestAMessageThatWasSentAndNotNotedIsChangedStill: Beckon died between the two, the
// question was answered from it, and its row was given up.
func TestAMessageThatWasSentAndNotNotedIsChangedStill(t *testing.T) {
	t.Parallel()
	b := book(t, t.TempDir())
	r := said(t, b, "501", "question/1", "")
	if err := errors.Join(b.End(t.Context(), r.ID), b.Note(t.Context(), r.ID, "7", "pressed")); err != nil {
		t.Fatal(err)
	}
	got, err := b.Row(t.Context(), r.ID)
	if err != nil || got.State != away.Due || got.Message != "7" {
		t.Errorf("%+v, %v; want it changed", got, err)
	}
}

func TestWhatAChatWasToldMovesWithIt(t *testing.T) {
	t.Parallel()
	b := book(t, t.TempDir())
	r := said(t, b, "-42", "question/1", "7")
	said(t, b, "501", "question/1", "8")
	if err := b.Move(t.Context(), remote.Telegram, "-42", "-10042"); err != nil {
		t.Fatal(err)
	}
	got, err := b.Row(t.Context(), r.ID)
	if err != nil || got.Target != "-10042" || got.Message != "" || got.State != away.Due {
		t.Errorf("%+v, %v", got, err)
	}
	if err := b.ForgetAt(t.Context(), remote.Telegram, "-10042"); err != nil {
		t.Fatal(err)
	}
	if all, err := b.Open(t.Context(), remote.Telegram); err != nil || len(all) != 1 || all[0].Target != "501" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAMessageThatIsOverIsToldAgain where an answer was changed: one that was never
// sent is not.
func TestAMessageThatIsOverIsToldAgain(t *testing.T) {
	t.Parallel()
	b := book(t, t.TempDir())
	r := said(t, b, "501", "question/1", "7")
	if err := errors.Join(b.End(t.Context(), r.ID),
		b.Want(t.Context(), remote.Telegram, "502", "question/1")); err != nil {
		t.Fatal(err)
	}
	never, err := b.OpenAt(t.Context(), remote.Telegram, "502")
	if err != nil || len(never) != 1 {
		t.Fatal(never, err)
	}
	if err := errors.Join(b.End(t.Context(), never[0].ID),
		b.Again(t.Context(), remote.Telegram, "question/1")); err != nil {
		t.Fatal(err)
	}
	if all, err := b.Open(t.Context(), remote.Telegram); err != nil || len(all) != 1 || all[0].Target != "501" ||
		all[0].State != away.Due || all[0].Version <= r.Version {
		t.Errorf("%+v, %v", all, err)
	}
}
