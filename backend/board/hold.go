package board

import (
	"context"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
)

// hold keeps a task to its caller until release: meanwhile no agent starts on
// it, nobody moves its card, and no other holds it.
func (b *Board) hold(taskID string) (release func(), err error) {
	b.moving.Lock() // a move that began before is written by then; read the card after this
	defer b.moving.Unlock()
	return b.agents.Hold(taskID)
}

// holdAll holds several tasks, or none.
func (b *Board) holdAll(tasks []beckon.Task) (release func(), err error) {
	releases := make([]func(), 0, len(tasks))
	release = func() {
		for _, one := range releases {
			one()
		}
	}
	for _, t := range tasks {
		one, err := b.hold(t.ID)
		if err != nil {
			release()
			return nil, fmt.Errorf("%s: %w", t.Key, err)
		}
		releases = append(releases, one)
	}
	return release, nil
}

// holdTask holds a task and returns it as it then is, with its project. Where its
// last run is just ending, it waits for that.
func (b *Board) holdTask(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error) {
	if reviewing.IsPart(id) {
		return t, p, nil, fmt.Errorf("%q is no card but a part of one: %w", id, beckon.ErrNotFound)
	}
	return b.holdWork(ctx, id)
}

// HoldTask holds a task for git's work on it, and returns it as it then is, with its project.
func (b *Board) HoldTask(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error) {
	return b.holdTask(ctx, id)
}

// holdWork is holdTask for a task or a part: of that it holds the task.
func (b *Board) holdWork(ctx context.Context, id string) (t beckon.Task, p beckon.Project, release func(), err error) {
	if t, err = b.Parts.Task(ctx, id); err != nil {
		return t, p, nil, err
	}
	if err := b.agents.AwaitEnd(ctx, reviewing.CardOf(id)); err != nil {
		return t, p, nil, err
	}
	if release, err = b.hold(reviewing.CardOf(id)); err != nil {
		return t, p, nil, fmt.Errorf("%s: %w", t.Key, err)
	}
	if t, p, err = b.read(ctx, id); err != nil {
		release()
		return t, p, nil, err
	}
	return t, p, release, nil
}

// takeTo takes a task whose card is to go to a column once git is done, if it
// may go there.
func (b *Board) takeTo(ctx context.Context, id string, to beckon.Status) (t beckon.Task, p beckon.Project, release func(), err error) {
	if t, p, release, err = b.holdTask(ctx, id); err != nil {
		return t, p, nil, err
	}
	if err := new(t).Move(to); err != nil {
		release()
		return t, p, nil, err
	}
	return t, p, release, nil
}

// moveCard changes where a card is, unless the task is held. The agent of one
// that leaves Running is ended for that reason.
func (b *Board) moveCard(ctx context.Context, id string, why *reason.Reason, change func(*beckon.Task) error) (beckon.Task, error) {
	b.moving.Lock()
	defer b.moving.Unlock()
	if err := b.agents.Held(id); err != nil {
		return beckon.Task{}, err
	}
	var was beckon.Status
	t, err := b.Update(ctx, id, func(t *beckon.Task) error {
		was = t.Status
		return change(t)
	})
	if err == nil && was == beckon.Running && t.Status != beckon.Running {
		b.agents.EndTaskRun(id, why)
	}
	return t, err
}

// Place records a run and puts its card into Running as put does, both or
// neither.
func (b *Board) Place(ctx context.Context, run *beckon.Run, put func(*beckon.Task) error) (beckon.Task, error) {
	t, err := b.Store.Task(ctx, run.TaskID)
	if err == nil {
		err = b.queueable(ctx, t)
	}
	if err != nil {
		return t, err
	}
	b.moving.Lock()
	defer b.moving.Unlock()
	t, err = b.Store.StartRun(ctx, run, put)
	if err == nil {
		b.publishTask(ctx, t)
	}
	return t, err
}

// PutBack takes a task that cannot start out of the queue, and says why on its
// card. One that the user has moved meanwhile stays where it is.
func (b *Board) PutBack(ctx context.Context, id string, why error) error {
	_, err := b.moveCard(ctx, id, nil, func(t *beckon.Task) error {
		if t.Status != beckon.Queued {
			return beckon.ErrConflict
		}
		t.Trouble, t.Rank = beckon.ReasonOf(why), last()
		return t.Move(beckon.Backlog)
	})
	if errors.Is(err, beckon.ErrConflict) || errors.Is(err, beckon.ErrNotFound) {
		return nil
	}
	return err
}
