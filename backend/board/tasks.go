package board

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/board/check"
	"beckon/backend/parts"
	"beckon/backend/store/undolog"
)

// CreateTask puts a new card on the board, and starts it where asked to. Where
// no agent could work there is no card either.
func (b *Board) CreateTask(ctx context.Context, n beckon.NewTask) (beckon.Task, error) {
	t, p, err := b.card(ctx, n)
	if err != nil {
		return t, err
	}
	if t.Status = beckon.Backlog; !slices.Contains([]beckon.Status{"", beckon.Backlog, beckon.Queued, beckon.Running}, n.Status) {
		return t, beckon.Invalid("a new task stands in backlog, queued or running, not in %q", n.Status)
	}
	if n.Status == beckon.Queued {
		t.Status, err = beckon.Queued, startable(t, p)
	}
	if n.Status == beckon.Running {
		if err = startable(t, p); err == nil {
			err = b.agents.UsableOn(ctx, t.Agent, t.ExecutorOf(p), false)
		}
	}
	if err != nil {
		return t, err // before there is a card that a second attempt would double
	}
	if err := b.Store.CreateTask(ctx, &t); err != nil {
		return t, err
	}
	b.publishTask(ctx, t)
	if n.Status == beckon.Running {
		return b.MoveTask(ctx, t.ID, beckon.Running, 0)
	}
	b.agents.Wake()
	return t, nil
}

// card returns the card that n asks for, as it may stand on the board, and its project.
func (b *Board) card(ctx context.Context, n beckon.NewTask) (t beckon.Task, p beckon.Project, err error) {
	if p, err = b.Store.Project(ctx, n.ProjectID); err != nil {
		return t, p, err
	}
	s, err := b.Store.Settings.Load(ctx)
	if err != nil {
		return t, p, err
	}
	t = check.Card(p, s, n)
	return t, p, cmp.Or(check.Task(t), b.checkStart(ctx, t))
}

// CreateAll puts new cards into Backlog or Done, all of them or none, and starts nothing. The
// error of the first that cannot be made has its title.
func (b *Board) CreateAll(ctx context.Context, list []beckon.NewTask) ([]beckon.Task, error) {
	made := make([]beckon.Task, len(list))
	for i, n := range list {
		t, _, err := b.card(ctx, n)
		if err == nil && t.Status != beckon.Backlog && t.Status != beckon.Done {
			err = beckon.Invalid("it stands in backlog or done, not in %q", t.Status)
		}
		if err != nil {
			return nil, fmt.Errorf("%.80q: %w", n.Title, err)
		}
		made[i] = t
	}
	if err := b.Store.CreateTasks(ctx, made); err != nil {
		return nil, err
	}
	for _, t := range made {
		b.publishTask(ctx, t)
	}
	return made, nil
}

// EditTask replaces what the user may edit of a task. A live run keeps the
// model and mode that it started with.
func (b *Board) EditTask(ctx context.Context, id string, edit beckon.TaskEdit) (beckon.Task, error) {
	defer b.agents.Wake() // it may wait for nothing any more
	start, base, err := b.startEdit(ctx, id, edit.Start)
	if err != nil {
		return beckon.Task{}, err
	}
	return b.Update(ctx, id, func(t *beckon.Task) error {
		t.Title, t.Brief, t.Labels, t.Priority, t.Executor, t.After, t.StartsAt = check.OneLine(edit.Title), edit.Brief, beckon.NonNil(edit.Labels), edit.Priority, edit.Executor, edit.After, edit.StartsAt
		if kind := beckon.FirstAgent(edit.Agent); t.Session == "" && kind != t.Agent { // which another kind could not go on with
			if t.Agent = kind; edit.Model == t.Model { // it is the former agent's
				edit.Model = ""
			}
		}
		if t.Branch == "" {
			t.Start, t.Base = start, base
		}
		t.Model, t.Mode, t.Policy, t.WaitMs = edit.Model, edit.Mode, edit.Policy, cmp.Or(edit.WaitMs, t.WaitMs)
		return check.Task(*t)
	})
}

// MoveTask puts a card into a column at a rank, 0 for its end. Moving it to
// running starts or resumes its agent at once; moving it out of running stops
// the agent first, and everything it wrote is kept. A card in running whose
// agent is gone, or is just going, starts again where it is moved there without
// a rank.
func (b *Board) MoveTask(ctx context.Context, id string, to beckon.Status, rank float64) (beckon.Task, error) {
	if !slices.Contains(beckon.Statuses, to) {
		return beckon.Task{}, beckon.Invalid("there is no column %q", to)
	}
	t, err := b.Store.Task(ctx, id)
	if err != nil {
		return t, err
	}
	if err := new(t).Move(to); err != nil {
		return t, err
	}
	switch {
	case to == beckon.Running && (t.Status != to || rank == 0 && !b.agents.Works(id)):
		return b.agents.Start(ctx, id, rank)
	case to == beckon.Archived && t.Status != to:
		return b.archive(ctx, id, rank)
	case to == beckon.Done && t.Status != to && t.Status != beckon.Archived:
		return b.finishTask(ctx, id, rank, false)
	case to == beckon.Queued && t.Status != to:
		err = b.queueable(ctx, t)
	}
	if err != nil {
		return t, err
	}
	t, err = b.moveCard(ctx, id, reason.Of(reason.YouMoved, "to", string(to)), ranked(to, rank))
	if err != nil {
		return t, err
	}
	b.agents.Wake()
	return t, nil
}

// ranked moves a card and gives it its place in the column.
func ranked(to beckon.Status, rank float64) func(*beckon.Task) error {
	return func(t *beckon.Task) error {
		switch {
		case rank != 0:
			t.Rank = rank
		case t.Status != to:
			t.Rank = last()
		}
		if to == beckon.Queued {
			t.Trouble = nil // it is tried again
		}
		return t.Move(to)
	}
}

// queueable returns why the queue could only put a task back, if so: who
// queues it learns that at once.
func (b *Board) queueable(ctx context.Context, t beckon.Task) error {
	p, err := b.Store.Project(ctx, t.ProjectID)
	if err != nil {
		return err
	}
	return startable(t, p)
}

// startable returns why no agent may work on a task, if so: by what is known of its project.
func startable(t beckon.Task, p beckon.Project) error {
	return cmp.Or(p.CheckTrust(), parts.CheckPlace(t, p))
}

// last is a rank behind every other: the moment, in milliseconds.
func last() float64 { return float64(beckon.Now()) }

// DeleteTask discards a task's work and removes its card and runs, and the
// transcript, unless there is a way back from that. token is the Loss that the user
// saw.
func (b *Board) DeleteTask(ctx context.Context, id, token string) error {
	t, p, release, err := b.holdTask(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	_, err = b.begun.Discard(ctx, id, func() (func(*beckon.Task) error, error) {
		kept, err := b.discardNoted(ctx, t, p, token)
		if kept.Ref == "" {
			return nil, err
		}
		return discarded(kept), err // the way back is that of a discarded card
	})
	if err != nil {
		return err
	}
	runs, err := b.Store.Runs(ctx, id)
	if err != nil {
		return err
	}
	if err := b.Store.DeleteTask(ctx, id); err != nil {
		return err
	}
	if !undolog.Kept(ctx) {
		b.RemoveLogs(runs)
	}
	b.publishGone(id)
	b.agents.Wake() // nobody can wait for it
	return nil
}
