package budget

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/store/money"
)

// The ids of the options of a question about a budget.
const (
	optionRaise = "raise"
	optionLeave = "leave"
)

// words are those of a question, by its scope.
var words = map[spending.Scope]struct{ raise, leave reason.Code }{
	spending.Task:    {reason.BudgetRaise, reason.BudgetLeave},
	spending.Project: {reason.BudgetRaise, reason.BudgetLeave},
	spending.Day:     {reason.LimitRaiseToday, reason.LimitLeaveToday},
}

// ask asks whether to raise a budget, unless the user was asked already or does not want to be.
// The question is one of the task's newest run; a task without one is not asked about.
func (k *Keeper) ask(ctx context.Context, taskID string, row money.Row, b spending.Budget) error {
	k.asking.Lock()
	defer k.asking.Unlock()
	if row.LeftUntil > k.Now().UnixMilli() {
		return nil
	}
	waiting, err := k.kept.Waiting(ctx, b.Scope, b.Subject)
	if err != nil || len(waiting) > 0 {
		return err
	}
	runs, err := k.Store.Runs(ctx, taskID)
	if err != nil || len(runs) == 0 {
		return err
	}
	in, to := k.Language(), b.Raised()
	step := spending.Limit{USD: to.USD - b.Limit.USD, Tokens: to.Tokens - b.Limit.Tokens}
	said := reason.Of(reached[b.Scope], "spent", b.Limit.Of(b.Spent, in), "limit", b.Limit.In(in))
	return k.Desk.Leave(ctx, beckon.Question{
		TaskID: taskID, RunID: runs[len(runs)-1].ID, Kind: beckon.Ask, Policy: beckon.Wait, Reason: why(b),
		Items: []beckon.QuestionItem{{
			Header: reason.Of(reason.BudgetHead).In(in), Text: said.In(in),
			Options: []beckon.Option{
				{ID: optionRaise, Label: reason.Of(words[b.Scope].raise, "step", step.In(in)).In(in)},
				{ID: optionLeave, Label: reason.Of(words[b.Scope].leave).In(in)},
			},
		}},
		Budget: &spending.Asked{Scope: b.Scope, Subject: b.Subject, Limit: b.Limit, Raised: to, Spent: b.Spent},
	})
}

// Answered carries out the answer to a question about a budget, and reports whether it is
// one. It does not block.
func (k *Keeper) Answered(q beckon.Question) bool {
	if q.Budget == nil {
		return false
	}
	k.work.Go(func() {
		ctx := context.Background()
		if !k.carryOut(ctx, q) {
			return
		}
		if err := k.goOn(ctx, q.Budget.Scope, q.Budget.Subject, map[string]string{q.TaskID: q.RunID}); err != nil {
			slog.Error("go on with what a limit stopped", "err", err, "question", q.ID)
		}
	})
	return true
}

// carryOut does what an answer says, and reports whether that lets work go on. Done twice it
// does nothing the second time.
func (k *Keeper) carryOut(ctx context.Context, q beckon.Question) bool {
	to, raised := chosen(q)
	err := k.kept.Answer(ctx, q.ID, q.Budget.Scope, q.Budget.Subject, func(row *money.Row) {
		switch {
		case row.Limit.None(): // it was taken away meanwhile
		case raised:
			raise(row, to, k.Now())
		default:
			row.LeftUntil = leftUntil(q.Budget.Scope, k.Now())
		}
	})
	if err != nil {
		slog.Error("carry out the answer about a budget", "err", err, "question", q.ID)
		return false
	}
	if err := k.Desk.Delivered(ctx, q.ID); err != nil { // so that clients hear of it
		slog.Error("tell that an answer about a budget was heard", "err", err, "question", q.ID)
	}
	k.wake()
	return raised
}

// chosen returns the limit that an answer raises a budget to, if it does.
func chosen(q beckon.Question) (to spending.Limit, raised bool) {
	if q.Answer == nil || len(q.Answer.Items) != 1 || len(q.Items) != 1 {
		return to, false
	}
	given := q.Answer.Items[0]
	if given.Other != "" {
		return spending.ParseLimit(given.Other, q.Budget.Limit)
	}
	for _, o := range q.Items[0].Options {
		if len(given.Labels) == 1 && given.Labels[0] == o.Label {
			return q.Budget.Raised, o.ID == optionRaise
		}
	}
	return to, false
}

// leftUntil is until when the user who leaves a budget as it is is not asked again.
func leftUntil(scope spending.Scope, now time.Time) int64 {
	if scope == spending.Day {
		return midnight(now).AddDate(0, 0, 1).UnixMilli()
	}
	return math.MaxInt64
}

// OnQuestion takes a question that was published: one that the user dismissed is left as it
// is. It does not block.
func (k *Keeper) OnQuestion(q beckon.Question) {
	if q.Budget == nil || q.Settlement != beckon.Withdrawn || !q.Reason.Is(reason.YouDismissed) {
		return
	}
	k.work.Go(func() {
		err := k.kept.Edit(context.Background(), q.Budget.Scope, q.Budget.Subject, func(row *money.Row) {
			row.LeftUntil = leftUntil(row.Scope, k.Now())
		})
		if err != nil && !errors.Is(err, beckon.ErrNotFound) {
			slog.Error("leave a budget as it is", "err", err)
		}
	})
}
