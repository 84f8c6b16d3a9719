package steps

import (
	"context"
	"errors"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/undolog"
)

// This file takes back what a person changed last on cards, one step at a time,
// and does it again: each card of it, if nothing changed that since, and else it
// says why not and leaves it as it is.

// Undoer is what keeps the cards; *board.Board implements it.
type Undoer interface {
	// TakeBack makes a card what it was; undolog.ErrChanged where it changed since.
	TakeBack(ctx context.Context, c undolog.Card) error
	// Revived tells of a card whose rows are back.
	Revived(ctx context.Context, taskID string) error
	MoveTask(ctx context.Context, id string, to beckon.Status, rank float64) (beckon.Task, error)
	CloseTask(ctx context.Context, id string) (beckon.Task, error)
	Loss(ctx context.Context, id string) (beckon.Loss, error)
	Discard(ctx context.Context, id, token string) (beckon.Task, error)
	DeleteTask(ctx context.Context, id, token string) error
}

// Undo takes changes back and does them again. Its methods may be called from any
// goroutine.
type Undo struct {
	Log   undolog.Book
	Board Undoer
	// Task reads.
	Task func(ctx context.Context, id string) (beckon.Task, error)
	// Turn is held for the whole of a step, and by whatever changes many cards: so
	// no window takes back the half of a change that another is still making.
	Turn sync.Locker
}

// Next returns what Last would take back; its kind is empty where there is nothing.
func (u *Undo) Next(ctx context.Context) (beckon.ChangeStep, error) {
	return named(u.Log.Newest(ctx, ""))
}

// NextAgain returns what Again would do; its kind is empty where there is nothing.
func (u *Undo) NextAgain(ctx context.Context) (beckon.ChangeStep, error) {
	return named(u.Log.Undone(ctx))
}

// named is a step as a person reads of it.
func named(s undolog.Step, err error) (beckon.ChangeStep, error) {
	if errors.Is(err, beckon.ErrNotFound) {
		return beckon.NewChangeStep("", 0), nil
	}
	step := beckon.NewChangeStep(s.Kind, s.At)
	for _, c := range s.Cards {
		step.Add(c.Key, c.TaskID)
	}
	return step, err
}

// Last takes the newest step back, or the newest of a card where its id is not
// empty. What cannot be taken back any more leaves the log; what only waits for
// something, such as the end of a run, can be taken back later.
func (u *Undo) Last(ctx context.Context, taskID string) (beckon.ChangeResult, error) {
	u.Turn.Lock()
	defer u.Turn.Unlock()
	s, err := u.Log.Newest(ctx, taskID)
	return u.each(ctx, s, err, u.takeBack)
}

// Again does the step again that was taken back last, until another is recorded.
func (u *Undo) Again(ctx context.Context) (beckon.ChangeResult, error) {
	u.Turn.Lock()
	defer u.Turn.Unlock()
	s, err := u.Log.Undone(ctx)
	return u.each(ctx, s, err, u.doAgain)
}

// each does something to each card of a step, if there is one. The log follows in the
// transaction that changes the card.
func (u *Undo) each(ctx context.Context, s undolog.Step, err error, do func(ctx context.Context, step int64, c undolog.Card) error) (beckon.ChangeResult, error) {
	if errors.Is(err, beckon.ErrNotFound) {
		return beckon.ChangeResultOf("", 0), nil
	}
	if err != nil {
		return beckon.ChangeResult{}, err
	}
	r := beckon.ChangeResultOf(s.Kind, s.At)
	for _, c := range s.Cards {
		err := do(ctx, s.ID, c)
		if err != nil && over(err) {
			err = errors.Join(err, u.Log.Drop(ctx, s.ID, c.TaskID))
		}
		r.Add(c.Key, c.TaskID, err)
	}
	return r, nil
}

// takeBack takes a card of a step back.
func (u *Undo) takeBack(ctx context.Context, step int64, c undolog.Card) error {
	err := u.revive(ctx, step, c)
	if err == nil && len(c.After) > 0 {
		err = u.Board.TakeBack(undolog.Taking(ctx, step), c)
	}
	return err
}

// final are the problems that no time solves.
var final = []problem.Kind{problem.BuiltOn, problem.WorkedOn, problem.MergeAgain}

// over reports whether an error says that a card can never be taken back, or changed
// again.
func over(err error) bool {
	return errors.Is(err, undolog.ErrChanged) || errors.Is(err, beckon.ErrNotFound) || errors.Is(err, beckon.ErrUnmerged) ||
		slices.Contains(final, beckon.FailureOf(err).Problem)
}

// revive brings the rows of a card back that was deleted.
func (u *Undo) revive(ctx context.Context, step int64, c undolog.Card) error {
	if !c.Deleted() {
		return nil
	}
	if err := u.Log.Revive(ctx, step, c); err != nil {
		return err
	}
	return u.Board.Revived(ctx, c.TaskID)
}
