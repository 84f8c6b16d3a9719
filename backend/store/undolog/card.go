package undolog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/table"
)

// ErrChanged says that something changed a card since, or what came of it, so that
// the change cannot be taken back any more; it is a beckon.ErrConflict.
var ErrChanged = fmt.Errorf("this was changed since: %w", beckon.ErrConflict)

// Fields are some of a card's, by their names in JSON.
type Fields map[string]json.RawMessage

// Card is how a card was before a change and after it: the fields that differ.
type Card struct {
	Kind          beckon.ChangeKind
	TaskID, Key   string
	Before, After Fields
	Redo          bool // it is the other way round
	deleted       rows // nil of one that was not deleted
	runs          []string
}

// left out are what names a card, what nobody changes and what is computed.
var leftOut = []string{"id", "key", "created", "updated", "restoresTo", "spent", "trouble"}

func fieldsOf(t *beckon.Task) (f Fields, err error) {
	text, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if f != nil && f["why"] == nil { // which is left out
		f["why"] = json.RawMessage("null")
	}
	return f, err
}

// differ returns the fields of both that differ.
func differ(was, is *beckon.Task) (before, after Fields, err error) {
	if before, err = fieldsOf(was); err != nil {
		return nil, nil, err
	}
	if after, err = fieldsOf(is); err != nil {
		return nil, nil, err
	}
	for name, value := range before {
		if slices.Contains(leftOut, name) || bytes.Equal(value, after[name]) {
			delete(before, name)
			delete(after, name)
		}
	}
	return before, after, nil
}

// follow makes c the sum of an earlier change of the same step and itself.
func (c *Card) follow(earlier Card) {
	maps.Copy(c.Before, earlier.Before)
	maps.Copy(earlier.After, c.After)
	c.After = earlier.After
	if c.deleted == nil {
		c.deleted, c.runs = earlier.deleted, earlier.runs
	}
}

// left returns what a card must still be for the change to be done to it again: of
// one that it deletes all of it, which updated stands for.
func (c Card) left(is *beckon.Task) (Fields, error) {
	now, err := fieldsOf(is)
	maps.DeleteFunc(now, func(name string, _ json.RawMessage) bool {
		_, differed := c.Before[name]
		return !differed && (c.Kind != beckon.ChangeDelete || name != "updated")
	})
	return now, err
}

// Again returns the change the other way round, for one that was taken back.
func (c Card) Again() Card {
	c.Before, c.After, c.Redo = c.After, c.Before, true
	return c
}

// Moves reports whether the change put the card into another column or project, or
// was more than one of its fields.
func (c Card) Moves() bool {
	_, moved := c.After["status"]
	_, transferred := c.After["projectId"]
	return moved || transferred || c.Deleted()
}

// Deleted reports whether the card was deleted.
func (c Card) Deleted() bool { return c.deleted != nil }

// Check returns ErrChanged where something of what the change did to a card is not
// as it left it.
func (c Card) Check(t *beckon.Task) error {
	now, err := fieldsOf(t)
	if err != nil {
		return err
	}
	for name, value := range c.After {
		if !bytes.Equal(now[name], value) {
			err := fmt.Errorf("%s: its %s %w", c.Key, name, ErrChanged)
			return problem.New(problem.ChangedSince, err, "key", c.Key)
		}
	}
	return nil
}

// Restore makes a card what it was before the change, where nothing changed that
// since.
func (c Card) Restore(t *beckon.Task) error {
	if err := c.Check(t); err != nil {
		return err
	}
	text, err := json.Marshal(c.Before)
	if err != nil {
		return err
	}
	if _, lists := c.Before["labels"]; lists {
		t.Labels = nil // what is decoded into a list shares its memory
	}
	if _, says := c.Before["trouble"]; says {
		t.Trouble = nil // or into a reason
	}
	return json.Unmarshal(text, t)
}

// cards returns those that the rest of the query leaves.
func cards(ctx context.Context, db table.Querier, rest string, args ...any) ([]Card, error) {
	found, err := db.QueryContext(ctx,
		"SELECT kind, task_id, key, before, after, deleted, runs FROM undo_card JOIN undo_step ON undo_step.id = step "+rest, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var list []Card
	for found.Next() {
		var c Card
		if err := found.Scan(&c.Kind, &c.TaskID, &c.Key, table.JSON(&c.Before), table.JSON(&c.After),
			table.JSON(&c.deleted), table.JSON(&c.runs)); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, found.Err()
}
