package board

import (
	"cmp"
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// StartOver takes a task's work away, as Discard does, and has an agent begin the
// task again, in a new worktree and a new session. token is the Loss that the user
// saw. Nothing is taken away where no agent can begin.
func (b *Board) StartOver(ctx context.Context, id, token string) (beckon.Task, error) {
	t, err := b.blank(ctx, id, token)
	if err != nil {
		return t, err
	}
	return b.agents.Start(ctx, id, 0)
}

// blank makes a task that was worked on as it was before its first run; where its
// work is kept the card says.
func (b *Board) blank(ctx context.Context, id, token string) (beckon.Task, error) {
	t, p, release, err := b.takeTo(ctx, id, beckon.Running)
	if err != nil {
		return t, err
	}
	defer release()
	if err := cmp.Or(startable(t, p), b.agents.UsableOn(ctx, t.Agent, t.ExecutorOf(p), false)); err != nil {
		return t, err
	}
	over := b.begun
	over.Update = func(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error) {
		t, err := b.Update(ctx, id, edit)
		if err == nil { // once the card says so: before, all that is kept comes back with it
			err = b.Parts.StartOver(ctx, id)
		}
		return t, err
	}
	return over.Discard(ctx, id, func() (func(*beckon.Task) error, error) {
		kept, err := b.discardNoted(ctx, t, p, token)
		if err == nil {
			err = b.Withdraw(ctx, id, reason.Of(reason.StartedOver))
		}
		return func(t *beckon.Task) error {
			withoutWork(t, kept)
			t.Trouble, t.Resume = nil, beckon.Resume{}
			return nil
		}, err
	})
}
