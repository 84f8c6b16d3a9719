package board

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/git"
	"beckon/backend/store/undolog"
)

// TakeBack makes a card what it was before a change, or after it where that is done
// again, with what git has to do for it, unless something changed it since.
func (b *Board) TakeBack(ctx context.Context, c undolog.Card) error {
	if c.Kind == beckon.ChangeCreate {
		return b.unmake(ctx, c)
	}
	if !c.Moves() && c.Kind != beckon.ChangeUpdate && c.Kind != beckon.ChangeMerge { // an agent may be at work meanwhile
		_, err := b.Update(ctx, c.TaskID, c.Restore)
		return err
	}
	t, p, release, err := b.holdTask(ctx, c.TaskID)
	if err != nil {
		return err
	}
	defer release()
	was, now := t, t
	if err := c.Restore(&was); err != nil {
		return err
	}
	if was.Status == beckon.Queued {
		if err := b.queueable(ctx, was); err != nil {
			return err
		}
	}
	switch {
	case c.Kind == beckon.ChangeMerge && c.Redo:
		err = b.together.Again(ctx, t, p, was.Landed)
	case c.Kind == beckon.ChangeMerge:
		err = b.together.TakeBack(ctx, t, p, was.Landed)
	case c.Kind == beckon.ChangeUpdate && c.Redo:
		err = b.repo(p).TakeBackUpdate(ctx, git.WorktreeOf(was), true)
	case c.Kind == beckon.ChangeUpdate:
		err = b.repo(p).TakeBackUpdate(ctx, git.WorktreeOf(t), false)
	case t.Resolution == beckon.Discarded && was.Resolution != beckon.Discarded:
		if now.Branch, err = b.repo(p).Restore(ctx, t.KeptRef, t.Start.Found); err == nil {
			err = b.Parts.Restore(ctx, t, p)
		}
	}
	if err != nil {
		return err
	}
	_, err = b.Update(ctx, c.TaskID, func(t *beckon.Task) error {
		err := c.Restore(t)
		if now.Branch != "" {
			t.Branch = now.Branch // the old name may be taken
		}
		return err
	})
	if err == nil {
		if c.Kind == beckon.ChangeMerge {
			b.begun.Over(ctx, c.TaskID)
		}
		b.forget(ctx, p, now)
		b.agents.Wake()
	}
	return err
}

// unmake removes a card that is still as it was made.
func (b *Board) unmake(ctx context.Context, c undolog.Card) error {
	t, err := b.Store.Task(ctx, c.TaskID)
	if err == nil {
		err = c.Check(&t)
	}
	if err != nil {
		return err
	}
	return b.DeleteTask(ctx, c.TaskID, "")
}

// Revived tells the clients of a card that was brought back, with its runs.
func (b *Board) Revived(ctx context.Context, id string) error {
	t, err := b.Store.Task(ctx, id)
	if err != nil {
		return err
	}
	runs, err := b.Store.Runs(ctx, id)
	b.publishTask(ctx, t)
	for _, run := range runs {
		b.Publish(beckon.Event{Run: &run})
	}
	b.agents.Wake()
	return err
}
