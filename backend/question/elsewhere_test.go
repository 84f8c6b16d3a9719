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
	if row.Answer.By != beckon.ByTerminal || row.Answer.Items[0].Labels[0] != "Executor" || row.Delivered == 0 || !strings.Contains(row.Reason.String(), "Planner") {
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

// TestAStandingAnswerHoldsElsewhereOnlyWhereThePersonSaidSo: off at first, and never
// in another project.
func TestAStandingAnswerHoldsElsewhereOnlyWhereThePersonSaidSo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	own := r.ask(t.Context(), r.which("Which part?"))
	q := r.event(t)
	stands := say("Planner")
	stands.Standing = true
	must(t, r.Answer(t.Context(), q.ID, stands))
	wait(t, own)
	r.event(t)
	rules, err := r.Rules(t.Context())
	must(t, err)
	if len(rules) != 1 || rules[0].Elsewhere {
		t.Fatalf("the rules are %+v", rules)
	}
	outside := r.which("Which part?")
	outside.TaskID, outside.Origin = "", "fix upload"
	done := r.ask(t.Context(), outside)
	q = r.event(t)
	must(t, r.StandElsewhere(t.Context(), q.ID, rules[0].ProjectID))
	if row := r.row(t, q.ID); row.Settlement != beckon.Open {
		t.Fatalf("without the user's word it is %s", row.Settlement)
	}
	rules[0].Elsewhere = true
	_, err = r.EditRule(t.Context(), rules[0])
	must(t, err)
	must(t, r.StandElsewhere(t.Context(), q.ID, "another project"))
	must(t, r.StandElsewhere(t.Context(), q.ID, rules[0].ProjectID))
	if s := wait(t, done); s.err != nil || s.q.Answer.By != beckon.ByRule || s.q.Answer.Items[0].Labels[0] != "Planner" {
		t.Errorf("the one who asked hears %+v, %v", s.q.Answer, s.err)
	}
	must(t, r.StandElsewhere(t.Context(), q.ID, rules[0].ProjectID)) // it is settled
	if rules, err := r.Rules(t.Context()); err != nil || rules[0].Used != 1 {
		t.Errorf("the rules are %+v, %v", rules, err)
	}
}

// TestWhoAnsweredIsKept: a person may answer from several places, and passes for
// no rule and no terminal.
func TestWhoAnsweredIsKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", 200)
	for _, c := range []struct {
		by   beckon.By
		name string
		want string
	}{
		{beckon.ByPhone, "Pixel 9", "phone Pixel 9"},
		{beckon.ByTelegram, "@mira\n" + long, "telegram @mira " + long[:beckon.MaxDeviceName-len("@mira …")] + "…"},
		{beckon.ByTray, "", "tray "},
		{"", "", "user "},
		{beckon.ByRule, "a rule", "user "},
		{beckon.ByTerminal, "a terminal", "user "},
		{"nobody", "known", "user "},
	} {
		r := newRoom(t)
		q := r.which("Which part?")
		q.ID = beckon.NewID()
		done := r.ask(t.Context(), q)
		r.event(t)
		a := say("Planner")
		a.By, a.ByName = c.by, c.name
		if err := r.Answer(t.Context(), q.ID, a); err != nil {
			t.Fatal(err)
		}
		wait(t, done)
		kept := r.row(t, q.ID).Answer
		if got := string(kept.By) + " " + kept.ByName; got != c.want {
			t.Errorf("by %q %q: kept as %q, want %q", c.by, c.name, got, c.want)
		}
	}
}
