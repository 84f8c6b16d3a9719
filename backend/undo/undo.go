// Package undo takes back what a person changed last on cards, one step at a time:
// each card of it, if nothing changed that since, and else it says why not and
// leaves it as it is.
package undo

import (
	"context"
	"errors"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/change"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/undolog"
)

// Board is what keeps the cards; *board.Board implements it.
type Board interface {
	// TakeBack makes a card what it was; undolog.ErrChanged where it changed since.
	TakeBack(ctx context.Context, c undolog.Card) error
	// Revived tells of a card whose rows are back.
	Revived(ctx context.Context, taskID string) error
}

// Undo takes changes back. Its methods may be called from any goroutine.
type Undo struct {
	log   undolog.Book
	board Board
	one   sync.Mutex // two windows do not take the same step back
}

// New returns what takes the changes of a log back.
func New(log undolog.Book, board Board) *Undo { return &Undo{log: log, board: board} }

// Next returns what Last would take back; its kind is empty where there is nothing.
func (u *Undo) Next(ctx context.Context) (change.Step, error) {
	s, err := u.log.Newest(ctx, "")
	if errors.Is(err, beckon.ErrNotFound) {
		return change.New("", 0), nil
	}
	step := change.New(s.Kind, s.At)
	for _, c := range s.Cards {
		step.Add(c.Key, c.TaskID)
	}
	return step, err
}

// Last takes the newest step back, or the newest of a card where its id is not
// empty. What cannot be taken back any more leaves the log; what only waits for
// something, such as the end of a run, can be taken back later.
func (u *Undo) Last(ctx context.Context, taskID string) (change.Result, error) {
	u.one.Lock()
	defer u.one.Unlock()
	s, err := u.log.Newest(ctx, taskID)
	if errors.Is(err, beckon.ErrNotFound) {
		return change.Of("", 0), nil
	}
	if err != nil {
		return change.Result{}, err
	}
	r := change.Of(s.Kind, s.At)
	for _, c := range s.Cards {
		r.Add(c.Key, c.TaskID, u.takeBack(ctx, s.ID, c))
	}
	return r, nil
}

// takeBack takes a card of a step back. The log lets go of it in the transaction
// that changes it.
func (u *Undo) takeBack(ctx context.Context, step int64, c undolog.Card) error {
	err := u.revive(ctx, step, c)
	if err == nil && len(c.After) > 0 {
		err = u.board.TakeBack(undolog.Taking(ctx, step), c)
	}
	if err != nil && over(err) {
		return errors.Join(err, u.log.Drop(ctx, step, c.TaskID))
	}
	return err
}

// final are the problems that no time solves.
var final = []problem.Kind{problem.BuiltOn, problem.WorkedOn}

// over reports whether an error says that a card can never be taken back.
func over(err error) bool {
	return errors.Is(err, undolog.ErrChanged) || errors.Is(err, beckon.ErrNotFound) || slices.Contains(final, beckon.FailureOf(err).Problem)
}

// revive brings the rows of a card back that was deleted.
func (u *Undo) revive(ctx context.Context, step int64, c undolog.Card) error {
	if !c.Deleted() {
		return nil
	}
	if err := u.log.Revive(ctx, step, c); err != nil {
		return err
	}
	return u.board.Revived(ctx, c.TaskID)
}
