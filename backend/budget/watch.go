package budget

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
)

const (
	// settleIn is how long what is spent may go on to change before clients hear of it.
	settleIn = 300 * time.Millisecond
	// longest is how long the keeper waits without a look at the clock, which stands still while
	// the computer sleeps.
	longest = time.Minute
	// windowKept is how long after it was said a window of a quota is shown.
	windowKept = 8 * 24 * time.Hour
)

// Recover raises what answers raise that an earlier Beckon did not carry out, before any run
// begins. Start is to have their tasks go on.
func (k *Keeper) Recover(ctx context.Context) error {
	ids, err := k.kept.AnsweredNot(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		q, err := k.Store.Question(ctx, id)
		if err != nil {
			return err
		}
		if k.carryOut(ctx, q) {
			k.raised = append(k.raised, q)
		}
	}
	return nil
}

// Start begins to tell what is spent and when a day begins. Runs can begin by then.
func (k *Keeper) Start() {
	for _, q := range k.raised {
		k.work.Go(func() { k.Resume(q.TaskID, q.RunID) })
	}
	ctx, cancel := context.WithCancel(context.Background())
	k.end = cancel
	k.work.Go(func() { k.watch(ctx) })
}

// Close ends that, and waits for it and for answers that are carried out.
func (k *Keeper) Close() {
	k.end()
	k.work.Wait()
}

// OnEvent takes an event that was published: a run that ended may have taken something, and a
// task that changed may be gone. What a turn took Afford hears of. It does not block.
func (k *Keeper) OnEvent(e beckon.Event) {
	if e.Run != nil && e.Run.Phase == beckon.Ended || e.Task != nil || e.Gone != "" {
		k.wake()
	}
}

func (k *Keeper) wake() {
	select {
	case k.changed <- struct{}{}:
	default: // it is about to look anyway
	}
}

// watch tells what is spent whenever that has changed, and lets a new day begin.
func (k *Keeper) watch(ctx context.Context) {
	var told spending.State
	var day time.Time // unknown: one may have begun while Beckon was closed
	for ctx.Err() == nil {
		if state, err := k.state(ctx); err != nil {
			slog.Error("add up what was spent", "err", err)
		} else if !reflect.DeepEqual(state, told) {
			told = state
			k.Publish(beckon.Event{Spending: &state})
		}
		if now := midnight(k.Now()); !now.Equal(day) {
			day = now
			if err := k.release(ctx, spending.Day, "", reason.Of(reason.NewDay)); err != nil {
				slog.Error("begin a day", "err", err)
			}
		}
		k.pause(ctx, day.AddDate(0, 0, 1).Sub(k.Now()))
	}
}

// pause waits until something changed, and for what follows at once; not beyond midnight.
func (k *Keeper) pause(ctx context.Context, left time.Duration) {
	late := time.NewTimer(min(max(left, time.Millisecond), longest))
	defer late.Stop()
	select {
	case <-ctx.Done():
	case <-late.C:
	case <-k.changed:
		select {
		case <-ctx.Done():
		case <-time.After(settleIn):
		}
	}
}

// State returns the present state, as an event.
func (k *Keeper) State(ctx context.Context) ([]beckon.Event, error) {
	state, err := k.state(ctx)
	return []beckon.Event{{Spending: &state}}, err
}

func (k *Keeper) state(ctx context.Context) (s spending.State, err error) {
	s.Budgets, s.Windows = []spending.Budget{}, []spending.Window{}
	rows, err := k.kept.All(ctx)
	if err != nil {
		return s, err
	}
	for _, row := range rows {
		b, err := k.measure(ctx, row)
		if err != nil {
			return s, err
		}
		s.Budgets = append(s.Budgets, b)
	}
	if s.Today, err = k.kept.Spent(ctx, spending.Day, "", midnight(k.Now()).UnixMilli()); err != nil {
		return s, err
	}
	s.Windows, err = k.kept.Windows(ctx, k.Now().Add(-windowKept).UnixMilli())
	return s, err
}

// SetQuota keeps what an agent said of a window of its plan's quota.
func (k *Keeper) SetQuota(ctx context.Context, w spending.Window) {
	w.Said = k.Now().UnixMilli()
	if err := k.kept.SaveWindow(context.WithoutCancel(ctx), w); err != nil {
		slog.Error("keep the quota of a plan", "err", err)
	}
	k.wake()
}

// mostTotals is how many rows a table of totals has at the most, and mostDays how many days
// it looks back.
const (
	mostTotals = 200
	mostDays   = 366
)

// Totals returns what was taken today and on so many days before, in all 1 to 366, by what the
// caller names; the most first, days from the newest on.
func (k *Keeper) Totals(ctx context.Context, by spending.By, days int) ([]spending.Total, error) {
	if days < 1 || days > mostDays {
		return nil, beckon.Invalid("totals are of 1 to %d days, not %d", mostDays, days)
	}
	today := midnight(k.Now())
	if by != spending.ByDay {
		return k.kept.Totals(ctx, by, today.AddDate(0, 0, 1-days).UnixMilli(), today.AddDate(0, 0, 1).UnixMilli(), mostTotals)
	}
	list := []spending.Total{}
	for i := range days {
		day := today.AddDate(0, 0, -i)
		t, err := k.kept.Between(ctx, day.UnixMilli(), day.AddDate(0, 0, 1).UnixMilli())
		if err != nil {
			return nil, err
		}
		if t.Runs > 0 {
			t.ID = day.Format(time.DateOnly)
			list = append(list, t)
		}
	}
	return list, nil
}
