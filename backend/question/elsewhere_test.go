package question

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
)

func TestAnAnswerThatWasGivenElsewhereIsTheAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	done := r.ask(t.Context(), r.which("Which part?"))
	shown := r.event(t)
	must(t, r.AnswerElsewhere(t.Context(), shown.ID, say("The terminal's own words"), beckon.ByTerminal))
	if s := wait(t, done); s.err != nil || s.q.Settlement != beckon.Answered || s.q.Answer.By != beckon.ByTerminal {
		t.Errorf("the one who asked hears %+v, %v", s.q, s.err)
	}
	if row := r.row(t, shown.ID); row.Delivered == 0 || row.Answer.Items[0].Labels[0] != "The terminal's own words" {
		t.Errorf("kept as %+v", row)
	}
	err := r.Answer(t.Context(), shown.ID, say("Planner"))
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "answered in the terminal already: The terminal's own words") {
		t.Errorf("the second to answer reads %v", err)
	}
	if err := r.AnswerElsewhere(t.Context(), shown.ID, say("Executor"), beckon.ByTerminal); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("answered twice: %v", err)
	}
}
