// Package steps changes cards in steps, and takes the steps back and does them again.
//
// Many makes one change of many cards: each gets it or keeps what it has,
// and who asked hears which and why. All of it is one step to take back.
package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/board/check"
	"beckon/backend/store/undolog"
)

// most is how many cards one call changes.
const most = 1000

// Many is what keeps the cards; *board.Board implements it.
type Many interface {
	CreateTask(ctx context.Context, n beckon.NewTask) (beckon.Task, error)
	Update(ctx context.Context, id string, change func(*beckon.Task) error) (beckon.Task, error)
	MoveTask(ctx context.Context, id string, to beckon.Status, rank float64) (beckon.Task, error)
	DeleteTask(ctx context.Context, id, token string) error
}

// ManyCards changes many at once. Its methods may be called from any goroutine.
type ManyCards struct {
	Board Many
	// Task and Project read.
	Task    func(ctx context.Context, id string) (beckon.Task, error)
	Project func(ctx context.Context, id string) (beckon.Project, error)
	// Hold keeps agents away from a card until release.
	Hold func(taskID string) (release func(), err error)
	// Turn is held for the whole of a change, and by whatever takes one back.
	Turn sync.Locker
}

// Create puts cards on the board, in their order.
func (c *ManyCards) Create(ctx context.Context, list []beckon.NewTask) (beckon.ChangeResult, error) {
	if len(list) > most {
		return beckon.ChangeResult{}, tooMany(len(list))
	}
	c.Turn.Lock()
	defer c.Turn.Unlock()
	ctx = undolog.Into(ctx, beckon.ChangeCreate)
	r := beckon.ChangeResultOf(beckon.ChangeCreate, beckon.Now())
	for _, n := range list {
		t, err := c.Board.CreateTask(ctx, n)
		r.Add(cmp.Or(t.Key, n.Title), t.ID, err)
	}
	return r, nil
}

// Change makes the same change of each card.
func (c *ManyCards) Change(ctx context.Context, ids []string, many beckon.ManyChange) (beckon.ChangeResult, error) {
	if len(ids) > most {
		return beckon.ChangeResult{}, tooMany(len(ids))
	}
	do, err := c.of(many)
	if err != nil {
		return beckon.ChangeResult{}, err
	}
	c.Turn.Lock()
	defer c.Turn.Unlock()
	ctx = undolog.Into(ctx, many.Kind)
	r := beckon.ChangeResultOf(many.Kind, beckon.Now())
	for _, id := range ids {
		t, err := c.Task(ctx, id)
		now := t
		if err == nil {
			now, err = do(ctx, t)
		}
		r.Add(cmp.Or(now.Key, t.Key), id, err)
	}
	return r, nil
}

func tooMany(n int) error {
	return beckon.Invalid("%d cards are more than the %d that are changed at once", n, most)
}

// one makes a change of one card and returns what it became.
type one func(ctx context.Context, t beckon.Task) (beckon.Task, error)

// of returns what makes the change.
func (c *ManyCards) of(many beckon.ManyChange) (one, error) {
	switch many.Kind {
	case beckon.ChangeMove:
		return c.to(many.Status), nil
	case beckon.ChangeQueue:
		return c.to(beckon.Queued), nil
	case beckon.ChangeArchive:
		return c.to(beckon.Archived), nil
	case beckon.ChangeDelete:
		return c.remove, nil
	case beckon.ChangeProject:
		return c.into(many.ProjectID), nil
	case beckon.ChangeAgent:
		return c.give(beckon.FirstAgent(many.Agent)), nil
	default:
		edit := editOf(many)
		if edit == nil {
			return nil, beckon.Invalid("%q is not done to many cards at once", many.Kind)
		}
		return c.edit(edit), nil
	}
}

// edit changes the fields of a card, to what a card may have.
func (c *ManyCards) edit(edit func(*beckon.Task)) one {
	return func(ctx context.Context, t beckon.Task) (beckon.Task, error) {
		return c.Board.Update(ctx, t.ID, func(t *beckon.Task) error {
			edit(t)
			return check.Task(*t)
		})
	}
}

// give has another kind of agent work on a card, where none has a session that it could not
// go on with. The model of its former agent does not go with it.
func (c *ManyCards) give(agent string) one {
	return func(ctx context.Context, t beckon.Task) (beckon.Task, error) {
		p, err := c.Project(ctx, t.ProjectID)
		if err != nil {
			return t, err
		}
		return c.Board.Update(ctx, t.ID, func(t *beckon.Task) error {
			if t.Session != "" && t.Agent != agent {
				err := fmt.Errorf("the agent of %s has a session, which another cannot go on with: %w", t.Key, beckon.ErrConflict)
				return problem.New(problem.OtherSession, err, "key", t.Key)
			}
			if t.Agent != agent {
				t.Agent, t.Model = agent, p.ModelFor(agent, "")
			}
			return check.Task(*t)
		})
	}
}

// editOf returns what a change does to the fields of a card, nil where it is more.
func editOf(many beckon.ManyChange) func(*beckon.Task) {
	switch many.Kind {
	case beckon.ChangeLabel:
		return func(t *beckon.Task) { t.Labels = relabelled(t.Labels, many) }
	case beckon.ChangePriority:
		return func(t *beckon.Task) { t.Priority = many.Priority }
	case beckon.ChangeModel:
		return func(t *beckon.Task) { t.Model = many.Model }
	case beckon.ChangeExecutor:
		return func(t *beckon.Task) { t.Executor = many.Executor }
	case beckon.ChangePolicy:
		return func(t *beckon.Task) { t.Policy, t.WaitMs = many.Policy, cmp.Or(many.WaitMs, t.WaitMs) }
	default:
		return nil
	}
}

// relabelled returns labels without those that go and with those that come.
func relabelled(labels []string, many beckon.ManyChange) []string {
	left := slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return slices.Contains(many.Remove, label) })
	for _, label := range many.Add {
		if !slices.Contains(left, label) {
			left = append(left, label)
		}
	}
	return beckon.NonNil(left)
}

// to moves cards to the end of a column. No agent is started or stopped by that:
// it is one press for many cards.
func (c *ManyCards) to(column beckon.Status) one {
	return func(ctx context.Context, t beckon.Task) (beckon.Task, error) {
		if t.Status == beckon.Running || column == beckon.Running {
			return t, problem.New(problem.AgentFirst, fmt.Errorf("stop the agent of %s first: %w", t.Key, beckon.ErrConflict))
		}
		if t.Status == column {
			return t, nil
		}
		return c.Board.MoveTask(ctx, t.ID, column, 0)
	}
}

// into gives cards that were not worked on yet to another project.
func (c *ManyCards) into(projectID string) one {
	return func(ctx context.Context, t beckon.Task) (beckon.Task, error) {
		if t.ProjectID == projectID {
			return t, nil
		}
		release, err := c.Hold(t.ID)
		if err != nil {
			return t, fmt.Errorf("%s: %w", t.Key, err)
		}
		defer release()
		p, err := c.Project(ctx, projectID)
		if err == nil && t.Status == beckon.Queued {
			err = p.CheckTrust()
		}
		if err != nil {
			return t, err
		}
		return c.Board.Update(ctx, t.ID, func(t *beckon.Task) error {
			t.ProjectID, t.Base = p.ID, p.Base
			return nil
		})
	}
}

// remove deletes a card without work. What would be lost of one with a branch is
// looked at, one by one.
func (c *ManyCards) remove(ctx context.Context, t beckon.Task) (beckon.Task, error) {
	if t.Branch != "" {
		return t, problem.New(problem.HasWork, fmt.Errorf("%s has work on its branch: delete it by itself: %w", t.Key, beckon.ErrConflict), "key", t.Key)
	}
	return t, c.Board.DeleteTask(ctx, t.ID, "")
}
