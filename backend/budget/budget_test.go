package budget

import (
	"context"
	"errors"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
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
		Resume: func(string, string) {}, GoOn: func() {}, Language: func() string { return "de" }, Now: func() time.Time { return *now },
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

// TestALimitOfTodayThatAllowsLessIsRefused, as is one in another unit: either would change
// nothing.
func TestALimitOfTodayThatAllowsLessIsRefused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k, _, _ := keeper(t, 1)
	set := func(limit spending.Limit, today bool) error { return k.Set(ctx, spending.Day, "", limit, today) }
	if err := errors.Join(set(spending.Limit{USD: 2}, false), set(spending.Limit{USD: 3}, true)); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []spending.Limit{{USD: 1}, {Tokens: 500}, {USD: 3, Tokens: 1}, {}} {
		err := set(limit, true)
		if kind, values := problem.From(err); kind != problem.DayLimit || values["limit"] != "2,00 $" || !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", limit, err)
		}
	}
	state, err := k.state(ctx)
	if err != nil || state.Budgets[0].Limit.USD != 3 {
		t.Errorf("the limits are %+v, %v", state.Budgets, err)
	}
	if err := set(spending.Limit{USD: 2}, true); err != nil { // takes the raise back
		t.Error(err)
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

// TestWhatADayStoppedGoesOnOnTheNext, be it that Beckon was closed at midnight, that the user
// left the limit as it is until then, or that another task was asked about.
func TestWhatADayStoppedGoesOnOnTheNext(t *testing.T) {
	t.Parallel()
	for name, answered := range map[string]bool{"asked": false, "left": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			k, task, now := keeper(t, 1)
			resumed := make(chan string, 9)
			k.Resume = func(taskID, runID string) { resumed <- taskID + " " + runID }
			if err := k.Set(ctx, spending.Day, "", spending.Limit{USD: 1}, false); err != nil {
				t.Fatal(err)
			}
			why := k.Afford(ctx, task.ID)
			runs, err := k.Store.Runs(ctx, task.ID)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.Store.UpdateRun(ctx, runs[0].ID, func(r *beckon.Run) error {
				r.Phase, r.Outcome, r.Reason, r.Ended = beckon.Ended, beckon.Parked, why, beckon.Now()
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if answered {
				asked, err := k.Store.Questions(ctx, task.ID)
				if err != nil || len(asked) != 1 {
					t.Fatalf("asked is %+v, %v", asked, err)
				}
				answer := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{asked[0].Items[0].Options[1].Label}}}, By: beckon.ByUser, At: beckon.Now()}
				q, err := k.Store.Settle(ctx, asked[0].ID, beckon.Answered, &answer, nil)
				if err != nil {
					t.Fatal(err)
				}
				k.carryOut(ctx, q)
			}
			if err := k.release(ctx, spending.Day, "", reason.Of(reason.NewDay)); err != nil {
				t.Fatal(err)
			}
			k.Close()
			if len(resumed) != 0 {
				t.Fatalf("on the same day goes on %s", <-resumed)
			}
			*now = midnight(*now).AddDate(0, 0, 1).Add(time.Hour)
			next := New(k.Config)
			looked := make(chan bool, 9)
			next.GoOn = func() { looked <- true }
			next.Start()
			<-looked
			next.Close()
			if n, got := len(resumed), <-resumed; n != 1 || got != task.ID+" "+runs[0].ID {
				t.Errorf("%d go on, %s", n, got)
			}
		})
	}
}
