// Package together merges the work of a task in several repositories, all of it or none.
//
// Every merge is made first, without moving a branch. Then the bases are moved one after the
// other, each only from what it was when its merge was made. Where one cannot be moved, those
// before it are put back, each only from what this moved it to. What is about to be merged is
// noted before the first is moved, so that a kill in between is finished, or put back, by the
// next start. The package runs no agent, and makes no worktree.
package together

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/begun"
	"beckon/backend/board/check"
	"beckon/backend/git/workdir"
	"beckon/backend/parts"
	"beckon/backend/store"
	"beckon/backend/store/undolog"
)

// Merger merges. Its methods may be called from any goroutine.
type Merger struct {
	Parts *parts.Parts
	// Begun notes what is about to be merged.
	Begun begun.Work
	// HoldTask holds a task and returns it, with its project.
	HoldTask func(ctx context.Context, id string) (beckon.Task, beckon.Project, func(), error)
	// CheckPassed refuses to merge what failed its check, SteersNothing what would run or
	// steer something on this computer.
	CheckPassed, SteersNothing func(context.Context, beckon.Task, beckon.Project) error
	// CommitLeft commits what an agent left in a worktree.
	CommitLeft func(context.Context, beckon.Task, beckon.Project) error
	// Proposal has the messages of a merge.
	Proposal func(context.Context, beckon.Task, beckon.Project) (reviewing.MergeProposal, error)
	Update   func(ctx context.Context, id string, edit func(*beckon.Task) error) (beckon.Task, error)
	// Undo has the steps of which TakeCardBack takes a card back, or does it again.
	Undo         undolog.Book
	TakeCardBack func(ctx context.Context, c undolog.Card) error
}

// Merge merges what a task did in several repositories, in the order that is given, all
// of it or nothing: what no order names is left out. What the agent left uncommitted is
// committed first. The card goes to Done unless work was left out. Where an earlier merge was cut
// short, that is finished instead, or put back first and done again with this one.
func (m Merger) Merge(ctx context.Context, taskID string, orders []reviewing.PartOrder) (beckon.Task, error) {
	t, p, release, err := m.HoldTask(ctx, taskID)
	if err != nil {
		return t, err
	}
	defer release()
	if err := begun.Mergeable(t); err != nil {
		return t, err
	}
	t, orders, finished, err := m.finishEarlier(ctx, t, p, orders)
	if err != nil || finished {
		return t, err
	}
	all, err := m.Parts.All(ctx, t, p)
	if err != nil {
		return t, err
	}
	steps, err := m.steps(ctx, all, orders)
	if err == nil {
		err = m.prepare(ctx, steps)
	}
	if err != nil {
		return t, err
	}
	noted := make([]store.IntentPart, len(steps))
	for i, s := range steps {
		noted[i] = store.IntentPart{ID: s.Task.ID, Tip: s.made.Tip}
	}
	done, err := m.Begun.Together(ctx, taskID, noted, func() ([]reviewing.Landed, error) { return m.land(ctx, steps) })
	if err != nil {
		return t, err
	}
	merged := make([]parts.Piece, len(steps))
	for i, s := range steps {
		merged[i] = s.Piece
	}
	return m.landed(ctx, t, p, merged, done)
}

// MergeAll merges all that a task did and that its bases lack, or what it did in one repository
// where the id is that of a part. The message is for the task's own repository, or for that one,
// and so is what the user agreed to of files that steer something: one order shows one list of them.
func (m Merger) MergeAll(ctx context.Context, id string, o reviewing.MergeOrder) (beckon.Task, error) {
	taskID := reviewing.CardOf(id)
	if taskID != id {
		return m.Merge(ctx, taskID, []reviewing.PartOrder{{ID: id, MergeOrder: o}})
	}
	list, err := m.Parts.List(ctx, taskID)
	if err != nil {
		return beckon.Task{}, err
	}
	var orders []reviewing.PartOrder
	for _, part := range list {
		switch part.State {
		case reviewing.PartNone, reviewing.PartUnchanged, reviewing.PartMerged:
			continue
		case reviewing.PartClean, reviewing.PartConflict, reviewing.PartRefused, reviewing.PartMissing:
		}
		order := reviewing.PartOrder{ID: part.ID, MergeOrder: o}
		if order.ID != taskID {
			order.Message, order.Way = "", ""
		}
		orders = append(orders, order)
	}
	for i := range orders {
		orders[i].Steering = o.Steering && (len(orders) == 1 || orders[i].ID == taskID)
	}
	if len(orders) == 0 { // git says why
		orders = []reviewing.PartOrder{{ID: taskID, MergeOrder: o}}
	}
	return m.Merge(ctx, taskID, orders)
}

// steps are the merges that the user ordered, after what is to be refused was, and what agents
// left was committed.
func (m Merger) steps(ctx context.Context, all []parts.Piece, orders []reviewing.PartOrder) (steps []step, err error) {
	var ids []string
	for _, o := range orders {
		i := slices.IndexFunc(all, func(one parts.Piece) bool { return one.Task.ID == o.ID })
		if i < 0 || slices.Contains(ids, o.ID) || all[i].Task.Branch == "" {
			err := beckon.Invalid("%.80q is no part of the task that can be merged, or is named twice", o.ID)
			return nil, problem.New(problem.PartOrder, err, "repository", fmt.Sprintf("%.80s", o.ID))
		}
		step, err := m.step(ctx, all[i], o.MergeOrder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", all[i].Name, err)
		}
		steps, ids = append(steps, step), append(ids, o.ID)
	}
	if len(steps) == 0 {
		err = problem.New(problem.PartOrder, beckon.Invalid("there is nothing to merge"), "repository", "–")
	}
	return steps, err
}

func (m Merger) step(ctx context.Context, piece parts.Piece, o reviewing.MergeOrder) (s step, err error) {
	t, p := piece.Task, piece.Project
	if err := check.Order(o); err != nil {
		return s, err
	}
	if !o.FailedCheck && !reviewing.IsPart(t.ID) {
		if err := m.CheckPassed(ctx, t, p); err != nil {
			return s, err
		}
	}
	if err := m.CommitLeft(ctx, t, p); err != nil {
		return s, err
	}
	if !o.Steering {
		if err := m.SteersNothing(ctx, t, p); err != nil {
			return s, err
		}
	}
	proposed, err := m.Proposal(ctx, t, p)
	way := cmp.Or(o.Way, p.MergeWay)
	return step{Piece: piece, Way: way, Message: cmp.Or(o.Message, proposed.MessageOf(way))}, err
}

// landed writes down how the parts of a task were merged, and moves its card to Done unless
// others have work that their bases lack.
func (m Merger) landed(ctx context.Context, t beckon.Task, p beckon.Project, merged []parts.Piece, done []reviewing.Landed) (beckon.Task, error) {
	at, own := beckon.Now(), reviewing.Landed{}
	for i, one := range merged {
		done[i].At = at
		if one.Task.ID == t.ID {
			own = done[i]
			continue
		}
		if _, err := m.Parts.Update(ctx, one.Task.ID, func(t *beckon.Task) error { t.Landed = done[i]; return nil }); err != nil {
			return t, err
		}
	}
	left, err := m.leftOut(ctx, t, p)
	if err != nil {
		return t, err
	}
	now, err := m.Update(ctx, t.ID, func(t *beckon.Task) error {
		if own.Commit != "" {
			t.Landed = own
		}
		t.Landed.At = at
		if isMergeTrouble(t.Trouble) {
			t.Trouble = nil
		}
		if left {
			return nil
		}
		t.Rank, t.Resolution = float64(at), beckon.Merged
		return t.Move(beckon.Done)
	})
	if err == nil {
		m.Begun.Over(ctx, t.ID)
	}
	return now, err
}

// leftOut reports whether a part of a task has work that its base lacks.
func (m Merger) leftOut(ctx context.Context, t beckon.Task, p beckon.Project) (bool, error) {
	all, err := m.Parts.All(ctx, t, p)
	if err != nil {
		return false, err
	}
	for _, one := range all {
		if one.Task.Branch == "" {
			continue
		}
		loss, err := m.Parts.Repo(one.Project).Loss(ctx, workdir.WorktreeOf(one.Task))
		if err != nil {
			slog.Error("find out whether a repository has work that is not merged", "err", err, "task", one.Task.ID)
			return true, nil // the card stays, and its part says why
		}
		if loss.Commits > 0 || len(loss.Uncommitted) > 0 {
			return true, nil
		}
	}
	return false, nil
}
