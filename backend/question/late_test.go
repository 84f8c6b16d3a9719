package question

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

func contextWithCause(t *testing.T) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	return ctx, cancel
}

// expired asks a question that nobody answers.
func (r *room) expired(t *testing.T, text string) beckon.Question {
	t.Helper()
	done := r.ask(t.Context(), r.timed(text, beckon.Proceed, 1))
	r.event(t)
	r.event(t)
	return wait(t, done).q
}

func TestAnExpiredQuestionTakesOneLateAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var delivered []beckon.Question
	r.Serve(Owner{DeliverAnswer: func(q beckon.Question, resume bool) {
		delivered = append(delivered, q)
		if resume {
			t.Error("a late answer resumed the agent on its own")
		}
	}})
	q := r.expired(t, "Which?")
	must(t, r.store.Drafts.Save(t.Context(), q.ID, "typed"))
	must(t, r.Answer(t.Context(), q.ID, say("Planner")))
	late := r.event(t)
	if late.Settlement != beckon.Expired || late.Answer == nil || late.Delivered != 0 || !late.Reason.Equal(q.Reason) {
		t.Errorf("it became %+v; want expired as before, with the answer", late)
	}
	if len(delivered) != 1 || delivered[0].ID != q.ID {
		t.Errorf("delivered %+v; want the late answer", delivered)
	}
	err := r.Answer(t.Context(), q.ID, say("Executor"))
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "Planner") {
		t.Errorf("the second late answer: %v; want a conflict that names the first", err)
	}
	if drafts, err := r.store.Drafts.All(t.Context()); err != nil || len(drafts) != 0 {
		t.Errorf("drafts %v, %v; want none once it was sent", drafts, err)
	}
	owed, err := r.store.Undelivered(t.Context(), r.task.ID, beckon.TaskRun)
	if err != nil || len(owed) != 1 || owed[0].ID != q.ID {
		t.Errorf("owed to the next run: %+v, %v", owed, err)
	}
}

func TestAPermissionThatRanOutIsNeverGivenAfterwards(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	q := r.timed("", beckon.Proceed, 1)
	q.Kind, q.Items, q.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	got := wait(t, r.ask(t.Context(), q))
	err := r.Answer(t.Context(), got.q.ID, beckon.Answer{Verdict: beckon.AllowOnce})
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "expired already") {
		t.Errorf("allowed after it was denied: %v", err)
	}
}

func TestWhatTheAgentAssumedStandsWithItsQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	assume := func(runID, text, assumption string) (beckon.Question, error) {
		return r.Assume(ctx, beckon.Question{
			RunID: runID, Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: text, Options: []beckon.Option{}}}, Assumption: assumption,
		})
	}
	if _, err := assume(r.run.ID, "", "nothing was asked"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("an assumption without a question: %v", err)
	}
	first := r.expired(t, "Keep Span?")
	q, err := assume(r.run.ID, "Something like it", "kept Span")
	if err != nil || q.ID != first.ID || q.Assumption != "kept Span" || r.event(t).Assumption != "kept Span" {
		t.Errorf("recorded %+v, %v; want it with the only question", q, err)
	}
	second := r.expired(t, "Which name?")
	for text, want := range map[string]string{"": second.ID, "keep  span": first.ID, "WHICH NAME": second.ID} {
		if q, err := assume(r.run.ID, text, "x"); err != nil || q.ID != want {
			t.Errorf("%q: recorded with %q, %v", text, q.ID, err)
		}
	}
	if _, err := assume(r.run.ID, "Another one?", "x"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("which of two is meant was guessed: %v", err)
	}
	if _, err := assume(r.addRun(t).ID, "Keep Span?", "x"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("another run's question was written to: %v", err)
	}
}

// TestWhatWasDecidedWithoutAskingIsKept: as a question that nobody answered, which can be
// answered late; said again it is the same one. It takes no other question's place, and is
// bounded as questions are.
func TestWhatWasDecidedWithoutAskingIsKept(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	decided := func(text, assumption string) (beckon.Question, error) {
		q := r.which(text)
		q.Items[0].Options, q.Assumption = []beckon.Option{}, assumption
		return r.Assume(ctx, q)
	}
	q, err := decided("Which database?", "SQLite, it is there")
	must(t, err)
	if shown := r.event(t); shown.ID != q.ID || shown.Settlement != beckon.Expired || shown.Assumption != "SQLite, it is there" ||
		!shown.Reason.Is(reason.NotAsked) || shown.Deadline != 0 || shown.Settled != shown.Asked {
		t.Errorf("shown as %+v", shown)
	}
	again, err := decided("which database", "PostgreSQL after all")
	if r.event(t); err != nil || again.ID != q.ID || again.Assumption != "PostgreSQL after all" {
		t.Errorf("said again it is %+v, %v", again, err)
	}
	other, err := decided("Keep the column?", "kept")
	if r.event(t); err != nil || other.ID == q.ID {
		t.Errorf("another decision is written to the first one, %v", err)
	}
	must(t, r.Answer(ctx, q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "MySQL"}}}))
	if kept, err := r.store.Question(ctx, q.ID); err != nil || kept.Settlement != beckon.Expired || kept.Answer == nil || kept.Answer.Items[0].Other != "MySQL" {
		t.Errorf("answered late it is %+v, %v", kept, err)
	}
	if since, err := decided("Which database?", "SQLite all the same"); err != nil || since.ID == q.ID {
		t.Errorf("written over what the user chose: %+v, %v", since, err)
	}
	r.event(t)
	asked := r.expired(t, "Which name?")
	if q, err := decided("The encoding?", "UTF-8"); err != nil || q.ID == asked.ID {
		t.Errorf("kept with the only question that has no assumption: %s, %v", q.ID, err)
	}
	r.event(t)
	if q, err := decided("", "Span"); err != nil || q.ID != asked.ID {
		t.Errorf("without a text it is of %s, %v; want the newest that was asked", q.ID, err)
	}
	r.event(t)
	for n := range 1000 {
		if _, err = decided(fmt.Sprintf("Number %d?", n), "so"); err != nil {
			break
		}
		r.event(t)
	}
	if !errors.Is(err, ErrFlood) {
		t.Errorf("a thousand decisions: %v", err)
	}
}

func TestAStandingAnswerIsGivenAtOnceAndCanBeTakenBack(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	delivered := make(chan beckon.Question, 1)
	r.Serve(Owner{DeliverAnswer: func(q beckon.Question, _ bool) { delivered <- q }})
	done := r.ask(ctx, r.which("Which  part?"))
	standing := say("Planner")
	standing.Standing = true
	must(t, r.Answer(ctx, r.event(t).ID, standing))
	wait(t, done)
	r.event(t)
	rules, err := r.Rules(ctx)
	if err != nil || len(rules) != 1 || rules[0].ProjectID != r.task.ProjectID || rules[0].Labels[0] != "Planner" {
		t.Fatalf("rules %+v, %v; want one", rules, err)
	}

	ruled := wait(t, r.ask(ctx, r.which("which PART")))
	if ruled.err != nil || ruled.q.Answer == nil || ruled.q.Answer.By != "rule" || ruled.q.RuleID != rules[0].ID || r.row(t, ruled.q.ID).RuleID != rules[0].ID {
		t.Fatalf("the agent heard %+v, %v; want the standing answer", ruled.q, ruled.err)
	}
	r.event(t)
	must(t, r.Answer(ctx, ruled.q.ID, say("Executor")))
	if q := r.event(t); q.Answer.By != "user" || len(q.Earlier) != 1 || q.Earlier[0].By != "rule" || q.RuleID != "" || (<-delivered).ID != q.ID {
		t.Errorf("overruled it is %+v", q)
	}
	if err := r.Answer(ctx, ruled.q.ID, say("Planner")); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("overruled twice: %v", err)
	}

	edited, err := r.EditRule(ctx, beckon.Rule{ID: rules[0].ID, Text: "Which part?", Labels: []string{"Executor"}})
	if err != nil || edited.Used != 1 {
		t.Fatalf("edited %+v, %v; want it used once", edited, err)
	}
	if got := wait(t, r.ask(ctx, r.which("Which part?"))); got.q.Answer.Items[0].Labels[0] != "Executor" {
		t.Errorf("the edited rule says %+v", got.q.Answer)
	}
	r.event(t)
	must(t, r.RevokeRule(ctx, rules[0].ID))
	r.ask(ctx, r.which("Which part?"))
	if q := r.event(t); q.Settlement != beckon.Open {
		t.Errorf("the revoked rule answered: %+v", q)
	}
}

func TestAStandingAnswerIsNeverStretched(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	done := r.ask(ctx, r.which("make"))
	standing := say("Planner")
	standing.Standing = true
	must(t, r.Answer(ctx, r.event(t).ID, standing))
	wait(t, done)
	r.event(t)
	permission := r.which("")
	permission.Kind, permission.Items, permission.Permission = beckon.Permission, nil, &beckon.PermissionRequest{Tool: "Bash", Command: "make"}
	plan := r.which("")
	plan.Kind, plan.Items, plan.Plan = beckon.Plan, nil, "make"
	others := r.which("make")
	others.Items[0].Options = []beckon.Option{{Label: "Yes"}, {Label: "No"}}
	several := r.which("make")
	several.Items = append(several.Items, several.Items[0])
	outside := r.which("make")
	outside.Origin = "Codex"
	for name, q := range map[string]beckon.Question{
		"permission": permission, "plan": plan, "other options": others, "two items": several, "from outside": outside,
	} {
		r.ask(ctx, q)
		if q := r.event(t); q.Settlement != beckon.Open {
			t.Errorf("%s: answered by rule: %+v", name, q)
		}
	}
	for name, a := range map[string]beckon.Answer{
		"own words": {Items: []beckon.ItemAnswer{{Other: "x"}}, Standing: true},
		"skipped":   {Verdict: beckon.Skip, Standing: true},
	} {
		if err := Fits(r.which("make"), a); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("a standing answer of %s: %v", name, err)
		}
	}
}
