package real

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/spending"
	"beckon/tests/client"
	"beckon/tests/fixture"
)

// spendingNow returns what clients show of budgets and quota.
func spendingNow(s *fixture.Fixture) spending.State {
	for _, e := range client.Must[beckon.Frame](s.Program, "Attach", "budgettests").Events {
		if e.Spending != nil {
			return *e.Spending
		}
	}
	return spending.State{}
}

// TestABudgetStopsTheCLIBetweenTwoTurns: the cost is what the CLI says. Beckon is killed while
// it asks; of two answers one raises the budget, and the queue goes on in the same session.
func TestABudgetStopsTheCLIBetweenTwoTurns(t *testing.T) {
	t.Parallel()
	s := fixture.New(t,
		fixture.Turn{"text": "One.", "wait_ms": 4000, "usage": map[string]any{"input_tokens": 200_000, "output_tokens": 2000}},
		fixture.Turn{"text": "Two.", "usage": map[string]any{"input_tokens": 1000, "output_tokens": 10}})
	task := s.Create(beckon.NewTask{Title: "Spend", Mode: beckon.ModeAcceptEdits})
	client.Must[any](s.Program, "SetBudget", spending.Task, task.ID, spending.Limit{USD: 0.05}, false)
	s.Until("the first turn", patience, func() bool { return s.Turns() == 1 }) // or it begins with the message
	post(s, task.ID, "Then the second thing.", beckon.Queue)
	s.InReview(task.ID)
	first := s.Run(task.ID)
	if first.Outcome != beckon.Parked || first.Turns != 1 || first.Spent.CostUSD <= 0.05 || s.Turns() != 1 {
		t.Fatalf("the run ended %+v after %d requests", first, s.Turns())
	}
	if b := spendingNow(s).Budgets; len(b) != 1 || b[0].Level != spending.Reached || b[0].Spent.CostUSD != first.Spent.CostUSD {
		t.Errorf("the budgets are %+v; the CLI says %f", b, first.Spent.CostUSD)
	}
	s.Slay()
	asked := client.Must[[]beckon.Question](s.Program, "Questions", task.ID)
	if len(asked) != 1 || asked[0].Budget == nil || asked[0].Settlement != beckon.Orphaned {
		t.Fatalf("it asks %+v", asked)
	}
	if got := s.Task(task.ID); got.Status != beckon.Review || s.Turns() != 1 {
		t.Errorf("after the kill the card is in %s, with %d requests", got.Status, s.Turns())
	}
	answer := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{asked[0].Items[0].Options[0].Label}}}}
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := client.Call[any](s.Program, "AnswerQuestion", asked[0].ID, answer)
			errs <- err
		}()
	}
	if a, b := <-errs, <-errs; (a == nil) == (b == nil) {
		t.Errorf("of two answers one counts: %v, %v", a, b)
	}
	s.Until("the second turn", patience, func() bool { return s.Turns() == 2 })
	s.InReview(task.ID)
	runs := client.Must[[]beckon.Run](s.Program, "Runs", task.ID)
	if len(runs) != 2 || runs[1].Session != first.Session || runs[1].Outcome != beckon.Succeeded {
		t.Errorf("the runs are %+v", runs)
	}
	s.Heard("Then the second thing.")
	budgets := spendingNow(s).Budgets
	if len(budgets) != 1 || budgets[0].Limit != asked[0].Budget.Raised {
		t.Errorf("raised twice: %+v, asked was %+v", budgets, asked[0].Budget)
	}
	total := client.Must[[]spending.Total](s.Program, "Totals", spending.ByTask, 1)
	if len(total) != 1 || total[0].Runs != 2 || total[0].CostUSD < first.Spent.CostUSD+runs[1].Spent.CostUSD-1e-9 || total[0].CostUSD > first.Spent.CostUSD+runs[1].Spent.CostUSD+1e-9 {
		t.Errorf("the totals are %+v; the runs took %+v and %+v", total, first.Spent, runs[1].Spent)
	}
}

// TestThePlansWindowsAreThoseOfTheAPIsHeaders, with what the API says of them and no more.
func TestThePlansWindowsAreThoseOfTheAPIsHeaders(t *testing.T) {
	t.Parallel()
	resets := time.Now().Add(2 * time.Hour).Unix()
	s := fixture.NewWithAccount(t, fixture.Turn{"text": "Done.", "headers": map[string]string{
		"anthropic-ratelimit-unified-status":                 "allowed_warning",
		"anthropic-ratelimit-unified-reset":                  fmt.Sprint(resets),
		"anthropic-ratelimit-unified-representative-claim":   "five_hour",
		"anthropic-ratelimit-unified-5h-utilization":         "0.91",
		"anthropic-ratelimit-unified-5h-reset":               fmt.Sprint(resets),
		"anthropic-ratelimit-unified-5h-surpassed-threshold": "0.9",
	}})
	task := s.InReview(s.Create(beckon.NewTask{Title: "Warned", Mode: beckon.ModeAcceptEdits}).ID)
	if run := s.Run(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("a warning ended the run: %s", run.Outcome)
	}
	var windows []spending.Window
	s.Until("the window is known", patience, func() bool {
		windows = spendingNow(s).Windows
		return len(windows) > 0
	})
	i := slices.IndexFunc(windows, func(w spending.Window) bool { return w.Kind == "five_hour" })
	if i < 0 || windows[i].Percent != 91 || windows[i].Resets != resets*1000 || windows[i].Refused {
		t.Errorf("the windows are %+v", windows)
	}
}
