package budget

import (
	"context"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/question"
	"beckon/backend/store"
)

// keeper returns one over a fresh store with a task whose only run cost that much, and its clock.
func keeper(t *testing.T, costUSD float64) (k *Keeper, task beckon.Task, now *time.Time) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	p := beckon.Project{Key: "KES", Name: "kestrel", Dir: t.TempDir(), Color: 1, Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: 60_000}
	if err := s.AddProject(ctx, &p); err != nil {
		t.Fatal(err)
	}
	task = beckon.Task{ProjectID: p.ID, Title: "Paint", Status: beckon.Review, Mode: beckon.ModeAuto, Policy: beckon.Proceed, WaitMs: 60_000}
	if err := s.CreateTask(ctx, &task); err != nil {
		t.Fatal(err)
	}
	run := beckon.Run{TaskID: task.ID, Kind: beckon.TaskRun, Mode: beckon.ModeAuto, Model: "opus"}
	if err := s.AddRun(ctx, &run); err != nil {
		t.Fatal(err)
	}
	for _, part := range []float64{0.5, 1, 1} { // as turns tell it, the last one twice
		if _, err := s.UpdateRun(ctx, run.ID, func(r *beckon.Run) error {
			r.Spent = beckon.Spent{CostUSD: costUSD * part, Tokens: int64(1000 * part)}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	now = new(time.Time)
	*now = time.Now()
	k = New(Config{
		Store: s, Desk: question.New(s, func(beckon.Event) {}), Publish: func(beckon.Event) {},
		Resume: func(beckon.Question) {}, GoOn: func() {}, Language: func() string { return "de" }, Now: func() time.Time { return *now },
	})
	return k, task, now
}

// TestADayBeginsAtMidnight: what was spent on the day before holds nothing any more, nor does
// a raise of that day.
func TestADayBeginsAtMidnight(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k, task, now := keeper(t, 1)
	set := func(usd float64, today bool) {
		t.Helper()
		if err := k.Set(ctx, spending.Day, "", spending.Limit{USD: usd}, today); err != nil {
			t.Fatal(err)
		}
	}
	day := func() spending.Budget {
		t.Helper()
		state, err := k.state(ctx)
		if err != nil || len(state.Budgets) != 1 {
			t.Fatalf("the state is %+v, %v", state, err)
		}
		return state.Budgets[0]
	}
	set(1, false)
	if why := k.Afford(ctx, task.ID); !why.Is(reason.LimitOfDay) {
		t.Errorf("at the limit a run may begin: %s", why)
	}
	set(3, true)
	if why := k.Afford(ctx, task.ID); why != nil {
		t.Errorf("after a raise for today: %s", why)
	}
	if b := day(); b.Limit.USD != 3 || b.Each.USD != 1 || b.Spent.CostUSD != 1 || b.Spent.Tokens != 1000 {
		t.Errorf("the day is %+v", b)
	}
	*now = time.UnixMilli(day().Until).Add(time.Minute)
	if b := day(); b.Limit.USD != 1 || b.Spent.CostUSD != 0 || b.Level != spending.Fine {
		t.Errorf("the next day is %+v", b)
	}
}

// TestOneQuestionIsAskedOfABudget, in the user's language, by however many ask whether they may
// begin.
func TestOneQuestionIsAskedOfABudget(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k, task, _ := keeper(t, 2.5)
	if err := k.Set(ctx, spending.Task, task.ID, spending.Limit{USD: 2}, false); err != nil {
		t.Fatal(err)
	}
	done := make(chan *reason.Reason)
	for range 8 {
		go func() { done <- k.Afford(context.WithoutCancel(ctx), task.ID) }()
	}
	for range 8 {
		if why := <-done; !why.Is(reason.BudgetOfTask) {
			t.Errorf("one may begin: %s", why)
		}
	}
	asked, err := k.Store.Questions(ctx, task.ID)
	if err != nil || len(asked) != 1 || asked[0].Items[0].Text != "Das Budget dieser Aufgabe ist aufgebraucht: 2,50 $ von 2,00 $." ||
		asked[0].Items[0].Options[0].Label != "Um 1,00 $ erhöhen und weitermachen" {
		t.Errorf("asked is %+v, %v", asked, err)
	}
}
