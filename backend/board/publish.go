package board

import (
	"context"
	"errors"
	"log/slog"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/undolog"
)

// Update changes a task and tells the clients. What the agents of a card still
// ask that is over by then is withdrawn.
// The update of a part counts its task again.
func (b *Board) Update(ctx context.Context, id string, change func(*beckon.Task) error) (beckon.Task, error) {
	if card := reviewing.CardOf(id); card != id {
		t, err := b.Parts.Update(ctx, id, change)
		if err == nil {
			if err := b.Recount(undolog.Apart(ctx), card); err != nil { // the next count is right again
				slog.Error("sum up the changes", "err", err, "task", card)
			}
		}
		return t, err
	}
	before := beckon.Status("")
	t, err := b.Store.UpdateTask(ctx, id, func(t *beckon.Task) error {
		before = t.Status
		return change(t)
	})
	if err != nil {
		return t, err
	}
	b.publishTask(ctx, t)
	if t.Status == beckon.Done && before != beckon.Done && t.Resolution == beckon.Merged {
		b.moveOn(ctx, t)
	}
	if why := overReasons[t.Status]; why != "" && t.Status != before {
		if err := b.Withdraw(ctx, id, reason.Of(why)); err != nil {
			slog.Error("withdraw the questions of a card that is over", "err", err, "task", id)
		}
		if b.agents != nil {
			b.agents.Wake() // for what waited for it
		}
	}
	return t, nil
}

// overReasons are why nobody needs to answer what a card that is over left
// behind.
var overReasons = map[beckon.Status]reason.Code{beckon.Done: reason.CardDone, beckon.Archived: reason.CardArchived}

// publishTask tells the clients of a task that was changed. Between a commit
// and its publication another writer may commit and publish: so what is
// published is the row as it then is, and the clients keep the newest.
func (b *Board) publishTask(ctx context.Context, t beckon.Task) {
	b.publishing.Lock()
	defer b.publishing.Unlock()
	if newest(ctx, b.Store.Task, t.ID, &t) {
		b.Publish(beckon.Event{Task: &t})
	}
}

// publishProject is publishTask for a project.
func (b *Board) publishProject(ctx context.Context, p beckon.Project) {
	b.publishing.Lock()
	defer b.publishing.Unlock()
	if newest(ctx, b.Store.Project, p.ID, &p) {
		b.Publish(beckon.Event{Project: &p})
	}
}

// publishGone tells the clients of what was removed, after whatever was still
// said of it.
func (b *Board) publishGone(id string) {
	b.publishing.Lock()
	defer b.publishing.Unlock()
	b.Publish(beckon.Event{Gone: id})
}

// newest brings a row up to date, and reports whether it is still there. A row
// that cannot be read stays as it was committed.
func newest[T any](ctx context.Context, read func(context.Context, string) (T, error), id string, row *T) bool {
	now, err := read(context.WithoutCancel(ctx), id)
	if err == nil {
		*row = now
	}
	return !errors.Is(err, beckon.ErrNotFound)
}
