package question

import (
	"errors"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

// delivery is what the desk gave to be brought to an agent.
type delivery struct {
	q      beckon.Question
	resume bool
}

// answered asks a question that is answered with Planner.
func (r *room) answered(t *testing.T, q beckon.Question) beckon.Question {
	t.Helper()
	done := r.ask(t.Context(), q)
	must(t, r.Answer(t.Context(), r.event(t).ID, say("Planner")))
	r.event(t)
	return wait(t, done).q
}

func TestAChangedAnswerIsBroughtToItsAgentOnce(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var brought []delivery
	r.Serve(Owner{DeliverAnswer: func(q beckon.Question, resume bool) { brought = append(brought, delivery{q, resume}) }})
	q := r.answered(t, r.which("Which?"))
	if len(brought) != 0 {
		t.Errorf("an answer that was waited for was brought as a message: %+v", brought)
	}
	a := say("Executor")
	a.By, a.ByName = beckon.ByPhone, "Pixel"
	must(t, r.Change(t.Context(), q.ID, 0, a))
	changed := r.event(t)
	if changed.Settlement != beckon.Answered || changed.Settled != q.Settled || changed.Answer.ByName != "Pixel" || changed.Delivered != 0 {
		t.Errorf("changed it is %+v", changed)
	}
	if len(changed.Earlier) != 1 || changed.Earlier[0].By != beckon.ByUser || changed.Earlier[0].Items[0].Labels[0] != "Planner" {
		t.Errorf("what was said first is %+v", changed.Earlier)
	}
	if len(brought) != 1 || brought[0].q.Answer.Items[0].Labels[0] != "Executor" || !brought[0].resume {
		t.Errorf("brought %+v; want the change, and an agent resumed for it", brought)
	}
	err := r.Change(t.Context(), q.ID, 0, say("Planner"))
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "Executor") || len(brought) != 1 {
		t.Errorf("changed by a window that saw the first answer: %v, brought %d times", err, len(brought))
	}
	must(t, r.Delivered(t.Context(), q.ID))
	if q := r.event(t); q.Delivered != 0 {
		t.Errorf("what the agent was handed first passes for the change: %+v", q)
	}
	must(t, r.Change(t.Context(), q.ID, 1, say("Planner")))
	if q := r.event(t); len(q.Earlier) != 2 || q.Answer.Items[0].Labels[0] != "Planner" {
		t.Errorf("changed back it is %+v", q)
	}
}

func TestAnAnswerIsNotChangedWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.Serve(Owner{DeliverAnswer: func(beckon.Question, bool) {}})
	q := r.answered(t, r.which("Which?"))
	for i := range mostChanges {
		must(t, r.Change(t.Context(), q.ID, i, say("Executor")))
		r.event(t)
	}
	err := r.Change(t.Context(), q.ID, mostChanges, say("Planner"))
	if !errors.Is(err, beckon.ErrInvalid) || beckon.FailureOf(err).Problem != problem.ChangedOften {
		t.Errorf("changed once more: %v", err)
	}
	now, err := r.store.Question(t.Context(), q.ID)
	if err != nil || len(now.Earlier) != mostChanges || now.Answer.Items[0].Labels[0] != "Executor" {
		t.Errorf("it is %+v, %v", now, err)
	}
}

func TestALateAnswerCanBeChangedToo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	q := r.expired(t, "Which?")
	if err := r.Change(t.Context(), q.ID, 0, say("Planner")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("an answer was changed that nobody gave: %v", err)
	}
	must(t, r.Answer(t.Context(), q.ID, say("Planner")))
	r.event(t)
	must(t, r.Change(t.Context(), q.ID, 0, say("Executor")))
	if q := r.event(t); q.Settlement != beckon.Expired || len(q.Earlier) != 1 || q.Answer.Items[0].Labels[0] != "Executor" {
		t.Errorf("changed it is %+v", q)
	}
}

// TestWhatWasAllowedIsNotChanged: it has run. Nor does an answer change that does not
// fit, or what a card that is over was told.
func TestWhatWasAllowedIsNotChanged(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	permission := r.which("")
	permission.Kind, permission.Items, permission.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	done := r.ask(ctx, permission)
	must(t, r.Answer(ctx, r.event(t).ID, beckon.Answer{Verdict: beckon.AllowOnce}))
	r.event(t)
	err := r.Change(ctx, wait(t, done).q.ID, 0, beckon.Answer{Verdict: beckon.Deny})
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "tell the agent instead") {
		t.Errorf("a permission was changed: %v", err)
	}
	q := r.answered(t, r.which("Which?"))
	if err := r.Change(ctx, q.ID, 0, say("Nothing of it")); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("changed to what was not offered: %v", err)
	}
	_, err = r.store.UpdateTask(ctx, q.TaskID, func(task *beckon.Task) error { task.Status = beckon.Done; return nil })
	must(t, err)
	if err := r.Change(ctx, q.ID, 0, say("Executor")); !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "over") {
		t.Errorf("changed on a card that is over: %v", err)
	}
}
