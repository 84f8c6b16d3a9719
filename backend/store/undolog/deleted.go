package undolog

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// owned are the tables with the rows of a card, each after those that it refers to.
var owned = []struct{ name, where string }{
	{"task", "id = ?"},
	{"run", "task_id = ?"},
	{"question", "task_id = ?"},
	{"draft", "question_id IN (SELECT id FROM question WHERE task_id = ?)"},
	{"message", "task_id = ?"},
	{"message_draft", "task_id = ?"},
	{"part", "task_id = ?"},
	{"viewed", "card = ?"},
	{"comment", "task_id = ?"},
	{"script_run", "task_id = ?"},
	{"pull_request", "card = ?"},
	{"intent", "card = ?"},
	{"turn", "task_id = ?"},
	{"reviewed", "card = ?"},
	{"checkpoint", "task_id = ?"},
	{"rewind", "task_id = ?"},
	{"attempt", "task_id = ?"},
}

// generated is the column of owned tables whose value SQLite makes of others.
const generated = "card"

// rows are rows of several tables, by the names of tables and columns.
type rows map[string][]map[string]any

// rowsOf returns the rows of a card, and the ids of its runs.
func rowsOf(ctx context.Context, tx *sql.Tx, taskID string) (all rows, runs []string, err error) {
	all = rows{}
	for _, t := range owned {
		if all[t.name], err = read(ctx, tx, "SELECT * FROM "+t.name+" WHERE "+t.where, taskID); err != nil {
			return nil, nil, err
		}
	}
	runs = []string{}
	for _, run := range all["run"] {
		if id, ok := run["id"].(string); ok {
			runs = append(runs, id)
		}
	}
	return all, runs, nil
}

func read(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]map[string]any, error) {
	found, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	var list []map[string]any
	for found.Next() {
		values, places := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			places[i] = &values[i]
		}
		if err := found.Scan(places...); err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, name := range names {
			if name != generated {
				row[name] = values[i]
			}
		}
		list = append(list, row)
	}
	return list, found.Err()
}

// Revive brings the rows of a card back that a step deleted, or that taking one back
// did. The card is then as the rest of the step left it, which is yet to be taken back.
func (b Book) Revive(ctx context.Context, step int64, c Card) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		there, err := table.Exists(ctx, tx,
			"SELECT 1 FROM undo_card WHERE step = ? AND task_id = ? AND deleted IS NOT NULL", step, c.TaskID)
		if err == nil && there {
			err = c.revive(ctx, tx)
		}
		if err != nil || !there {
			return err
		}
		if c.Kind == beckon.ChangeDelete && len(c.After) == 0 {
			c.Before, c.deleted, c.runs = c.updated(), nil, nil
			return c.setAside(ctx, tx, step)
		}
		_, err = tx.ExecContext(ctx,
			"UPDATE undo_card SET deleted = NULL, runs = NULL, undone = 0 WHERE step = ? AND task_id = ?", step, c.TaskID)
		return err
	})
}

// updated is when a card that was deleted was last changed.
func (c Card) updated() Fields {
	f := Fields{}
	for _, row := range c.deleted["task"] {
		f["updated"] = json.RawMessage(fmt.Sprint(row["updated"]))
	}
	return f
}

// revive inserts the rows of a card.
func (c Card) revive(ctx context.Context, tx *sql.Tx) error {
	for _, project := range c.deleted["task"] {
		there, err := table.Exists(ctx, tx, "SELECT 1 FROM project WHERE id = ?", project["project_id"])
		if err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("the project of %s: %w", c.Key, beckon.ErrNotFound)
		}
	}
	for _, t := range owned {
		for _, row := range c.deleted[t.name] {
			if err := insert(ctx, tx, t.name, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func insert(ctx context.Context, tx *sql.Tx, name string, row map[string]any) error {
	var names []string
	var values []any
	for column, value := range row {
		names, values = append(names, column), append(values, value)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO "+name+" ("+strings.Join(names, ", ")+") VALUES (?"+strings.Repeat(", ?", len(names)-1)+")", values...)
	return err
}

// UnmarshalJSON keeps whole numbers whole.
func (r *rows) UnmarshalJSON(text []byte) error {
	var raw map[string][]map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return err
	}
	var errs []error
	for _, list := range raw {
		for _, row := range list {
			for column, value := range row {
				number, ok := value.(json.Number)
				if !ok {
					continue
				}
				if whole, err := number.Int64(); err == nil {
					row[column] = whole
					continue
				}
				float, err := number.Float64()
				row[column], errs = float, append(errs, err)
			}
		}
	}
	*r = raw
	return errors.Join(errs...)
}
