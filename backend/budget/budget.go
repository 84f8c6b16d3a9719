// Package budget holds what agents spend to what the user allows: for a task, for a project,
// and for a day. It warns where four fifths are used up; where all is, no run and no turn
// begins, and it asks, once, whether to raise it.
//
// It promises that an answer raises a budget once, whatever is killed meanwhile, and that
// a budget is never taken for a price: what an agent does not say it does not count. Whose run
// ends for it, and what goes on, is the runner's to do; see runner.Config.
package budget

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/question"
	"beckon/backend/store"
	"beckon/backend/store/money"
)

// Config is what a Keeper works with.
type Config struct {
	Store *store.Store
	Desk  *question.Desk
	// Publish tells the clients.
	Publish func(beckon.Event)
	// Resume has a task go on that its budget stopped, unless a run began since the one it is
	// given, and GoOn all that waits for the budget of more than one task. Resume may wait until a
	// run has ended.
	Resume func(taskID, runID string)
	GoOn   func()
	// Language is the one in which it asks.
	Language func() string
	// Now replaces the clock in tests.
	Now func() time.Time
}

// Keeper keeps the budgets. Its methods may be called from any goroutine.
type Keeper struct {
	Config
	kept    money.Rows
	changed chan struct{} // 1-buffered: something was spent, or allowed
	end     func()
	raised  []beckon.Question // by Recover

	// asking is held while it is decided whether to ask: one question a budget.
	asking sync.Mutex
	work   sync.WaitGroup // of answers that are carried out
}

// New returns one that does nothing by itself before Start.
func New(c Config) *Keeper {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Keeper{Config: c, kept: c.Store.Money, changed: make(chan struct{}, 1), end: func() {}}
}

// Afford returns why no run and no turn of a task may begin, nil where one may. Where that is
// news, it asks the user. Budgets that cannot be read let it begin.
func (k *Keeper) Afford(ctx context.Context, taskID string) *reason.Reason {
	ctx = context.WithoutCancel(ctx)
	rows, err := k.kept.Of(ctx, taskID)
	if err != nil {
		slog.Error("read the budgets of a task", "err", err, "task", taskID)
		return nil
	}
	k.wake()
	for _, row := range rows {
		b, err := k.measure(ctx, row)
		if err != nil {
			slog.Error("add up what was spent", "err", err, "task", taskID)
			return nil
		}
		if b.Level != spending.Reached {
			continue
		}
		if err := k.ask(ctx, taskID, row, b); err != nil {
			slog.Error("ask whether to raise a budget", "err", err, "task", taskID)
		}
		return why(b)
	}
	return nil
}

// reached are the reasons for which nothing begins.
var reached = map[spending.Scope]reason.Code{
	spending.Task: reason.BudgetOfTask, spending.Project: reason.LimitOfProject, spending.Day: reason.LimitOfDay,
}

func why(b spending.Budget) *reason.Reason {
	return reason.Of(reached[b.Scope], "spent", b.Limit.Of(b.Spent, "en"), "limit", b.Limit.In("en"))
}

// measure adds up what was spent of a budget by now.
func (k *Keeper) measure(ctx context.Context, row money.Row) (spending.Budget, error) {
	b := spending.Budget{Scope: row.Scope, Subject: row.Subject, Limit: row.Limit, Each: row.Limit, Since: row.Since}
	if row.Scope == spending.Day {
		today := midnight(k.Now())
		b.Since, b.Until = today.UnixMilli(), today.AddDate(0, 0, 1).UnixMilli()
		if row.RaisedOn == b.Since {
			b.Limit.USD += row.Raised.USD
			b.Limit.Tokens += row.Raised.Tokens
		}
	}
	var err error
	b.Spent, err = k.kept.Spent(ctx, row.Scope, row.Subject, b.Since)
	b.Level = spending.LevelOf(b.Part())
	return b, err
}

// midnight is the beginning of a day, by this computer's clock.
func midnight(now time.Time) time.Time {
	y, m, d := now.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.Local)
}

// Set sets a budget; one that allows any amount is none. today changes the limit of this day
// alone, to at least the one of every day, in what that is in; less is beckon.ErrInvalid. What
// waits for it goes on. A task or project that there is not is beckon.ErrNotFound.
func (k *Keeper) Set(ctx context.Context, scope spending.Scope, subject string, limit spending.Limit, today bool) error {
	if err := check(scope, subject, limit); err != nil {
		return err
	}
	var each spending.Limit // of every day, where that of today is less
	err := k.kept.Edit(ctx, scope, subject, func(row *money.Row) {
		if today && scope == spending.Day && !row.Limit.None() {
			if !raises(row.Limit, limit) {
				each = row.Limit
				return
			}
			raise(row, limit, k.Now())
			return
		}
		if row.Limit.None() && scope == spending.Project {
			row.Since = midnight(k.Now()).UnixMilli()
		}
		row.Limit, row.Raised, row.RaisedOn, row.LeftUntil = limit, spending.Limit{}, 0, 0
	})
	switch {
	case err != nil:
		return err
	case !each.None():
		in := each.In(k.Language())
		return problem.New(problem.DayLimit, beckon.Invalid("the limit of today is at least that of every day, %s; change that one to allow less", in), "limit", in)
	}
	k.wake()
	return k.release(ctx, scope, subject, reason.Of(reason.BudgetSet))
}

// raises reports whether a limit of today is at least that of every day, in what that is in.
func raises(each, to spending.Limit) bool {
	return !to.None() &&
		(to.USD == 0 || each.USD > 0 && to.USD >= each.USD) && (to.Tokens == 0 || each.Tokens > 0 && to.Tokens >= each.Tokens)
}

func check(scope spending.Scope, subject string, l spending.Limit) error {
	switch {
	case (scope == spending.Day) != (subject == "") || reached[scope] == "":
		return beckon.Invalid("there is no budget of %q for %q", scope, subject)
	case !(l.USD >= 0 && l.USD <= spending.MostUSD) || l.Tokens < 0 || l.Tokens > spending.MostTokens:
		return beckon.Invalid("a budget has 0 to %d dollars or %d tokens", int64(spending.MostUSD), int64(spending.MostTokens))
	}
	return nil
}

// raise puts a limit in force: of a day for that one only.
func raise(row *money.Row, to spending.Limit, now time.Time) {
	row.LeftUntil = 0
	if row.Scope != spending.Day {
		row.Limit = to
		return
	}
	row.RaisedOn = midnight(now).UnixMilli()
	row.Raised = spending.Limit{USD: max(0, to.USD-row.Limit.USD), Tokens: max(0, to.Tokens-row.Limit.Tokens)}
}

// release closes the questions about a budget that is not used up any more, and has go on what
// it stopped and what waits for it.
func (k *Keeper) release(ctx context.Context, scope spending.Scope, subject string, why *reason.Reason) error {
	still, err := k.used(ctx, scope, subject)
	if err != nil || still {
		return err
	}
	ids, err := k.kept.Waiting(ctx, scope, subject)
	asked := map[string]string{}
	for _, id := range ids {
		q, err := k.Store.Question(ctx, id)
		if err == nil {
			err = k.Desk.Retract(ctx, id, why)
		}
		if err == nil {
			asked[q.TaskID] = q.RunID
		}
	}
	return errors.Join(err, k.goOn(ctx, scope, subject, asked))
}

// goOn has go on the tasks that were asked about, each with its run, all else that the limit of
// a project or a day stopped, and what waits for it.
func (k *Keeper) goOn(ctx context.Context, scope spending.Scope, subject string, asked map[string]string) error {
	var err error
	all := maps.Clone(asked)
	if scope != spending.Task {
		var stopped map[string]string
		stopped, err = k.kept.Stopped(ctx, reached[scope], subject)
		maps.Copy(all, stopped)
	}
	for task, run := range all {
		k.work.Go(func() { k.Resume(task, run) })
	}
	k.GoOn()
	return err
}

// used reports whether a budget is used up.
func (k *Keeper) used(ctx context.Context, scope spending.Scope, subject string) (bool, error) {
	rows, err := k.kept.All(ctx)
	for _, row := range rows {
		if row.Scope == scope && row.Subject == subject {
			b, err := k.measure(ctx, row)
			return b.Level == spending.Reached, err
		}
	}
	return false, err
}
