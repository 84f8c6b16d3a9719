package program

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/tests/runnertest"
)

// aTurnCosts is what a turn of the scripted agent costs at the least, in dollars.
const aTurnCosts = 0.00625

// allow sets a budget.
func (d *desktopOf) allow(scope spending.Scope, subject string, usd float64) {
	d.T.Helper()
	if err := d.SetBudget(scope, subject, spending.Limit{USD: usd}, false); err != nil {
		d.T.Fatal(err)
	}
}

// budgetQuestion waits for the question about a budget.
func (d *desktopOf) budgetQuestion(scope spending.Scope) (q beckon.Question) {
	d.T.Helper()
	d.Until("a question about a budget", func() bool {
		i := slices.IndexFunc(d.Seen.Asked, func(one beckon.Question) bool {
			return one.Budget != nil && one.Budget.Scope == scope && one.Settlement == beckon.Orphaned
		})
		if i >= 0 {
			q = d.Seen.Asked[i]
		}
		return i >= 0
	})
	return q
}

func choose(q beckon.Question, option int) beckon.Answer {
	return beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{q.Items[0].Options[option].Label}}}}
}

// aTurn is each turn of an agent, those of a session that is resumed included.
const aTurn = `
write got.txt ${message}
ask Go on? | Yes | No
text Done.
`

// goOn answers the open question of a task's agent.
func (d *desktopOf) goOn(taskID string) {
	d.T.Helper()
	var q beckon.Question
	d.Until("a question of the agent", func() bool {
		i := slices.IndexFunc(d.Seen.Asked, func(one beckon.Question) bool {
			return one.TaskID == taskID && one.Settlement == beckon.Open
		})
		if i >= 0 {
			q = d.Seen.Asked[i]
		}
		return i >= 0
	})
	if err := d.AnswerQuestion(q.ID, choose(q, 0)); err != nil {
		d.T.Fatal(err)
	}
}

// stopped has a task stop at its budget behind its first turn, with a message in its queue.
func stopped(t *testing.T, scope spending.Scope, subject func(*desktopOf, beckon.Task) string) (*desktopOf, beckon.Task, beckon.Question) {
	t.Helper()
	d := start(t, aTurn)
	task := d.run(beckon.NewTask{Title: "Paint"})
	d.Question("Go on?")
	d.allow(scope, subject(d, task), aTurnCosts/2)
	if _, err := d.SendMessage(task.ID, beckon.NewMessage{Text: "Then this.", Manner: beckon.Queue}); err != nil {
		t.Fatal(err)
	}
	d.goOn(task.ID)
	q := d.budgetQuestion(scope)
	_, run := d.Ended(task.ID)
	if run.Outcome != beckon.Parked || run.Turns != 1 || run.Reason == nil {
		t.Errorf("the run ended %s after %d turns: %s", run.Outcome, run.Turns, run.Reason)
	}
	d.reached(task.ID, beckon.Review)
	return d, task, q
}

func ofTask(_ *desktopOf, task beckon.Task) string { return task.ID }

// TestABudgetStopsATaskBetweenTwoTurns, and one answer raises it: the queue goes on in the
// same session. A second answer is refused and raises nothing.
func TestABudgetStopsATaskBetweenTwoTurns(t *testing.T) {
	t.Parallel()
	d, task, q := stopped(t, spending.Task, ofTask)
	if q.TaskID != task.ID || !strings.Contains(q.Items[0].Text, "$") || q.Budget.Raised.USD <= q.Budget.Spent.CostUSD {
		t.Errorf("it asks %+v", q)
	}
	first := d.Seen.Runs[task.ID]
	if err := d.AnswerQuestion(q.ID, choose(q, 0)); err != nil {
		t.Fatal(err)
	}
	if err := d.AnswerQuestion(q.ID, choose(q, 0)); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("a second answer: %v", err)
	}
	d.goOn(task.ID)
	d.Until("the next run of its session", func() bool {
		run := d.Seen.Runs[task.ID]
		return run.ID != first.ID && run.Phase == beckon.Ended
	})
	if run := d.Seen.Runs[task.ID]; run.Session != first.Session || run.Outcome != beckon.Succeeded {
		t.Errorf("it went on in %s as %s: %s", run.Session, run.Outcome, run.Reason)
	}
	d.reached(task.ID, beckon.Review)
	if text := d.said(task.ID, "got.txt"); !strings.Contains(text, "Then this.") {
		t.Errorf("the agent got %q", text)
	}
	row, err := d.p.store.Money.Of(t.Context(), task.ID)
	if err != nil || len(row) != 1 || row[0].Limit != q.Budget.Raised {
		t.Errorf("the budget is %+v, %v", row, err)
	}
}

// TestATaskThatIsReadyAtItsBudgetIsCommitted: nothing waits for another turn, so a raise begins
// none. It asks all the same, since the next one may not begin.
func TestATaskThatIsReadyAtItsBudgetIsCommitted(t *testing.T) {
	t.Parallel()
	d := start(t, "write made.txt hello\ntext Done.\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Paint"})
	if err != nil {
		t.Fatal(err)
	}
	d.allow(spending.Task, task.ID, aTurnCosts/2)
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); err != nil {
		t.Fatal(err)
	}
	if _, run := d.Ended(task.ID); run.Outcome != beckon.Succeeded {
		t.Errorf("it ended %s: %s", run.Outcome, run.Reason)
	}
	d.reached(task.ID, beckon.Review)
	if now := d.Seen.Tasks[task.ID]; now.Changes.Commits != 1 {
		t.Errorf("its work is %+v", now.Changes)
	}
	_, err = d.SendBack(task.ID, "Do it again.")
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "used up") {
		t.Errorf("sent back: %v", err)
	}
	q := d.budgetQuestion(spending.Task)
	standing := choose(q, 0)
	standing.Standing = true
	if err := d.AnswerQuestion(q.ID, standing); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("it becomes a standing answer: %v", err)
	}
	// What is no amount, or less than was spent, raises nothing.
	for _, words := range []string{"a lot", "$0.00", "-3", "1e99"} {
		if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: words}}}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q: %v", words, err)
		}
	}
	if err := d.AnswerQuestion(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Other: "$2"}}}); err != nil {
		t.Fatal(err)
	}
	d.Until("it is raised", func() bool { return d.p.budgets.Afford(t.Context(), task.ID) == nil })
	if _, err := d.SendBack(task.ID, "Do it again."); err != nil {
		t.Fatal(err)
	}
	d.Until("another run", func() bool { return d.Seen.Runs[task.ID].Number == 2 && d.Seen.Runs[task.ID].Phase == beckon.Ended })
}

// TestABudgetThatIsLeftStaysQuiet: the task stays where it is and nobody is asked again.
func TestABudgetThatIsLeftStaysQuiet(t *testing.T) {
	t.Parallel()
	d, task, q := stopped(t, spending.Task, ofTask)
	if err := d.AnswerQuestion(q.ID, choose(q, 1)); err != nil {
		t.Fatal(err)
	}
	d.Until("it is carried out", func() bool {
		rows, err := d.p.store.Money.Of(t.Context(), task.ID)
		return err == nil && len(rows) == 1 && rows[0].LeftUntil > 0
	})
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("it can be started: %v", err)
	}
	if waits := waiting(t, d, task.ID); len(waits) != 0 {
		t.Errorf("%d questions wait", len(waits))
	}
	d.allow(spending.Task, task.ID, 0) // which takes it away
	if _, err := d.MoveTask(task.ID, beckon.Running, 0); err != nil {
		t.Errorf("without a budget: %v", err)
	}
}

// TestTheLimitOfAProjectHoldsItsQueue, whose tasks begin when it is raised in the sheet.
func TestTheLimitOfAProjectHoldsItsQueue(t *testing.T) {
	t.Parallel()
	d, task, q := stopped(t, spending.Project, func(d *desktopOf, _ beckon.Task) string { return d.project.ID })
	other, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Other", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	if why := d.p.budgets.Afford(t.Context(), other.ID); !why.Is(reason.LimitOfProject) {
		t.Errorf("the other task is held because of %s", why)
	}
	if err := d.SetBudget(spending.Project, d.project.ID, spending.Limit{USD: 5}, false); err != nil {
		t.Fatal(err)
	}
	if settled := d.Became(task.ID, beckon.Withdrawn); settled.ID != q.ID {
		t.Errorf("withdrawn is %+v", settled)
	}
	for _, id := range []string{task.ID, other.ID} {
		d.goOn(id)
		d.Until("it is ready", func() bool {
			run := d.Seen.Runs[id]
			return run.Phase == beckon.Ended && run.Outcome == beckon.Succeeded && d.Seen.Tasks[id].Status == beckon.Review
		})
	}
}

// TestTheLimitOfADayOutlivesBeckon, which is killed as it asks; an answer that was given and
// not carried out is, once.
func TestTheLimitOfADayOutlivesBeckon(t *testing.T) {
	t.Parallel()
	d, task, q := stopped(t, spending.Day, func(*desktopOf, beckon.Task) string { return "" })
	answer := choose(q, 0)
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, d.data, runnertest.Agents(t, "text Later.\n"))
	if why := again.p.budgets.Afford(t.Context(), task.ID); !why.Is(reason.LimitOfDay) {
		t.Errorf("after a restart a run may begin: %s", why)
	}
	// Killed between the answer and what follows from it.
	answer.By, answer.At = beckon.ByUser, beckon.Now()
	if _, err := again.p.store.Settle(t.Context(), q.ID, beckon.Answered, &answer, nil); err != nil {
		t.Fatal(err)
	}
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
	third := openAt(t, d.data, runnertest.Agents(t, "text Later.\n"))
	third.Until("it goes on", func() bool {
		run := third.Seen.Runs[task.ID]
		return run.Number == 2 && run.Phase == beckon.Ended && run.Outcome == beckon.Succeeded
	})
	rows, err := third.p.store.Money.All(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Limit.USD != aTurnCosts/2 || rows[0].Raised.USD <= 0 || rows[0].Raised.USD != q.Budget.Raised.USD-rows[0].Limit.USD {
		t.Errorf("the limits are %+v, %v", rows, err)
	}
	if left, err := third.p.store.Money.AnsweredNot(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("not carried out are %q, %v", left, err)
	}
}

// TestAChatEndsAtItsBudget and keeps what was said to it meanwhile.
func TestAChatEndsAtItsBudget(t *testing.T) {
	t.Parallel()
	d := start(t, "text Hello.\n")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Talk"})
	if err != nil {
		t.Fatal(err)
	}
	d.allow(spending.Task, task.ID, aTurnCosts/2)
	if _, err := d.StartInteractive(task.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.SendMessage(task.ID, beckon.NewMessage{Text: "Hi."}); err != nil {
		t.Fatal(err)
	}
	d.Until("the end of the chat", func() bool {
		run := d.Seen.Runs[task.ID]
		return run.Phase == beckon.Ended && run.Outcome == beckon.Parked && run.Turns == 1
	})
	q := d.budgetQuestion(spending.Task)
	if _, err := d.SendMessage(task.ID, beckon.NewMessage{Text: "More."}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.StartInteractive(task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("the chat goes on: %v", err)
	}
	if err := d.AnswerQuestion(q.ID, choose(q, 0)); err != nil {
		t.Fatal(err)
	}
	d.Until("the chat goes on with the message", func() bool {
		run := d.Seen.Runs[task.ID]
		return run.Number == 2 && run.Turns == 1
	})
}

// TestWhatRunsTookOutlivesThem, added up by each kind.
func TestWhatRunsTookOutlivesThem(t *testing.T) {
	t.Parallel()
	d := start(t, "text Done.\n")
	task, run := d.Ended(d.run(beckon.NewTask{Title: "Paint"}).ID)
	d.reached(task.ID, beckon.Review)
	want := spending.Sum{Tokens: run.Spent.Tokens, CostUSD: run.Spent.CostUSD}
	for by, id := range map[spending.By]string{
		spending.ByRun: run.ID, spending.ByTask: task.ID, spending.ByProject: d.project.ID, spending.ByModel: run.Model, spending.ByAgent: "", spending.ByMachine: "",
	} {
		list, err := d.Totals(by, 7)
		if err != nil || len(list) != 1 || list[0].Sum != want || list[0].ID != id || list[0].Runs != 1 {
			t.Errorf("by %s: %+v, %v; want %s with %+v", by, list, err, id, want)
		}
	}
	if err := d.p.store.DeleteTask(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	list, err := d.Totals(spending.ByDay, 1)
	if err != nil || len(list) != 1 || list[0].Sum != want {
		t.Errorf("once its task is deleted: %+v, %v", list, err)
	}
	if _, err := d.Totals(spending.ByDay, 0); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("of no day: %v", err)
	}
}

// TestAPlansWindowsAreWhatItsAgentSaidLast, and words alone say none.
func TestAPlansWindowsAreWhatItsAgentSaidLast(t *testing.T) {
	t.Parallel()
	d := start(t, `say {"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":"+1h","rateLimitType":"five_hour","utilization":0.62}}
say {"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":"+100h","rateLimitType":"seven_day"}}
text Done.
`)
	d.Ended(d.run(beckon.NewTask{Title: "Paint"}).ID)
	events, err := d.p.budgets.State(t.Context())
	if err != nil || len(events) != 1 || len(events[0].Spending.Windows) != 2 {
		t.Fatalf("the state is %+v, %v", events, err)
	}
	five, week := events[0].Spending.Windows[0], events[0].Spending.Windows[1]
	if five.Kind != "five_hour" || five.Percent != 62 || five.Resets <= beckon.Now() || five.Said == 0 || five.Refused {
		t.Errorf("the window of five hours is %+v", five)
	}
	if week.Percent != -1 || week.Resets <= five.Resets {
		t.Errorf("the window of a week is %+v", week)
	}
}
