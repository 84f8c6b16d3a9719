package question

import (
	"context"
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestAnAnswerThatWasGivenElsewhereIsTheAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx, end := context.WithCancelCause(t.Context())
	q := r.which("Which part?")
	q.ID = beckon.NewID()
	done := r.ask(ctx, q)
	if shown := r.event(t); shown.ID != q.ID {
		t.Errorf("shown as %s, chosen was %s", shown.ID, q.ID)
	}
	end(&Elsewhere{say("The terminal's own words"), beckon.ByTerminal})
	if s := wait(t, done); s.err != nil || s.q.Settlement != beckon.Answered || s.q.Answer.By != beckon.ByTerminal {
		t.Errorf("the one who asked hears %+v, %v", s.q, s.err)
	}
	if row := r.row(t, q.ID); row.Delivered == 0 || row.Answer.Items[0].Labels[0] != "The terminal's own words" {
		t.Errorf("kept as %+v", row)
	}
	err := r.Answer(t.Context(), q.ID, say("Planner"))
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "answered in the terminal already: The terminal's own words") {
		t.Errorf("the second to answer reads %v", err)
	}
}

func TestAnAnswerThatCameFirstIsNotReplacedFromElsewhere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for range 20 {
		ctx, end := context.WithCancelCause(t.Context())
		q := r.which("Which part?")
		q.ID = beckon.NewID()
		done := r.ask(ctx, q)
		r.event(t)
		go end(&Elsewhere{say("Executor"), beckon.ByTerminal})
		err := r.Answer(t.Context(), q.ID, say("Planner"))
		heard := wait(t, done)
		want, by := "Planner", beckon.ByUser
		if errors.Is(err, beckon.ErrConflict) {
			want, by = "Executor", beckon.ByTerminal
		}
		row := r.row(t, q.ID)
		for _, q := range []beckon.Question{heard.q, row} {
			if heard.err != nil || q.Answer.Items[0].Labels[0] != want || q.Answer.By != by {
				t.Fatalf("answered with %v: %+v, %v", err, q, heard.err)
			}
		}
		for len(r.events) > 0 {
			<-r.events
		}
	}
}

func TestAnAnswerThatCameSecondThereIsReplacedAndKeptInWords(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which part?"))
	q := r.event(t)
	must(t, r.Answer(t.Context(), q.ID, say("Planner")))
	wait(t, done)
	there := Elsewhere{say("Executor"), beckon.ByTerminal}
	must(t, r.Overtake(t.Context(), q.ID, there))
	row := r.row(t, q.ID)
	if row.Answer.By != beckon.ByTerminal || row.Answer.Items[0].Labels[0] != "Executor" || row.Delivered == 0 || !strings.Contains(row.Reason, "Planner") {
		t.Errorf("kept as %+v, %+v", row, row.Answer)
	}
	if err := r.Overtake(t.Context(), q.ID, there); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("replaced once it was heard: %v", err)
	}
}

// TestWhatCanBeAllowedAlwaysMayComeOutLater, while nobody has answered.
func TestWhatCanBeAllowedAlwaysMayComeOutLater(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	q := r.which("")
	q.Kind, q.Items, q.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	done := r.ask(t.Context(), q)
	q = r.event(t)
	always := beckon.Answer{Verdict: beckon.AllowAlways}
	if err := r.Answer(t.Context(), q.ID, always); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("before it can be: %v", err)
	}
	must(t, r.Offer(t.Context(), q.ID, "Yes, and \u202ealways", []string{"Bash(make)"}))
	p := r.event(t).Permission
	if p.Always != `Yes, and \u202ealways` || len(p.Lasting) != 1 || p.Command != "make" {
		t.Errorf("the card shows %+v", p)
	}
	must(t, r.Offer(t.Context(), q.ID, "Yes", nil))
	if p := r.event(t).Permission; p.Always != "Yes" || p.Lasting == nil || len(p.Lasting) != 0 {
		t.Errorf("the card shows %+v", p)
	}
	must(t, r.Answer(t.Context(), q.ID, always))
	wait(t, done)
	if err := r.Offer(t.Context(), q.ID, "more", nil); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("after the answer: %v", err)
	}
	if err := r.Offer(t.Context(), "another", "more", nil); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("of none: %v", err)
	}
}
