package steps

import (
	"context"
	"encoding/json"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/undolog"
)

// doAgain changes a card again as a step did that was taken back. What git has a part
// in goes through the door that it went through first, with what that checks.
func (u *Undo) doAgain(ctx context.Context, step int64, c undolog.Card) error {
	ctx = undolog.Again(ctx, step)
	switch c.Kind {
	case beckon.ChangeCreate:
		return u.revive(ctx, step, c)
	case beckon.ChangeArchive, beckon.ChangeClose:
		return u.moveAgain(ctx, c)
	case beckon.ChangeDiscard, beckon.ChangeDelete:
		return u.loseAgain(ctx, c)
	default:
		return u.Board.TakeBack(ctx, c.Again())
	}
}

// unchanged returns a card that still is as taking the change back left it.
func (u *Undo) unchanged(ctx context.Context, c undolog.Card) (beckon.Task, error) {
	t, err := u.Task(ctx, c.TaskID)
	if err == nil {
		err = c.Again().Check(&t)
	}
	return t, err
}

// moveAgain archives a card again, or puts it into Done.
func (u *Undo) moveAgain(ctx context.Context, c undolog.Card) error {
	was, err := u.unchanged(ctx, c)
	if err != nil {
		return err
	}
	text, err := json.Marshal(c.After)
	if err == nil {
		err = json.Unmarshal(text, &was)
	}
	if err != nil {
		return err
	}
	if was.Resolution == beckon.Closed && c.Kind == beckon.ChangeClose {
		_, err = u.Board.CloseTask(ctx, c.TaskID)
	} else {
		_, err = u.Board.MoveTask(ctx, c.TaskID, was.Status, was.Rank)
	}
	return err
}

// loseAgain discards or deletes a card again, unless there is more to lose by now than
// the person saw.
func (u *Undo) loseAgain(ctx context.Context, c undolog.Card) error {
	if _, err := u.unchanged(ctx, c); err != nil {
		return err
	}
	loss, err := u.Board.Loss(ctx, c.TaskID)
	if err != nil {
		return err
	}
	if len(loss.Uncommitted)+len(loss.Ignored)+len(loss.Repositories) > 0 {
		err := fmt.Errorf("%s has files by now that no commit holds: discard it by itself: %w", c.Key, beckon.ErrConflict)
		return problem.New(problem.MoreToLose, err, "key", c.Key)
	}
	if c.Kind == beckon.ChangeDelete {
		return u.Board.DeleteTask(ctx, c.TaskID, loss.Token)
	}
	_, err = u.Board.Discard(ctx, c.TaskID, loss.Token)
	return err
}
