package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon/executing"
	"beckon/backend/store/table"
)

// This file keeps where runs execute besides this computer.

var executors = table.Of[executing.Executor]{
	Name: "executor",
	Columns: []string{
		"id", "name", "kind", "host", "slots", "created", "variables", "kept",
		"engine", "image", "network", "options", "context", "namespace", "template", "queue", "secret",
	},
	Fields: func(e *executing.Executor) []any {
		return []any{
			&e.ID, &e.Name, &e.Kind, &e.Host, &e.Slots, &e.Created, table.JSON(&e.Variables), table.JSON(&e.Kept),
			&e.Engine, &e.Image, &e.Network, &e.Options, &e.Context, &e.Namespace, &e.Template, &e.Queue, &e.Secret,
		}
	},
	Tidy: func(e *executing.Executor) {
		e.Variables, e.Kept = append([]string{}, e.Variables...), append([]string{}, e.Kept...)
	},
}

// Executors is the table in an open database.
type Executors struct {
	read   *sql.DB
	change table.Transaction
}

// newExecutors returns the book of a database, by its readers and what writes to it.
func newExecutors(read *sql.DB, change table.Transaction) Executors { return Executors{read, change} }

// All returns the executors, the oldest first.
func (b Executors) All(ctx context.Context) ([]executing.Executor, error) {
	return executors.List(ctx, b.read, "ORDER BY created, id")
}

// One returns the executor with the id, or beckon.ErrNotFound.
func (b Executors) One(ctx context.Context, id string) (executing.Executor, error) {
	return executors.One(ctx, b.read, id)
}

// Add keeps a new executor.
func (b Executors) Add(ctx context.Context, e executing.Executor) error {
	return b.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return executors.Insert(ctx, tx, &e) })
}

// Replace changes an executor that is there; of another it is beckon.ErrNotFound.
func (b Executors) Replace(ctx context.Context, e executing.Executor) error {
	_, err := executors.Update(ctx, b.change, e.ID, func(_ context.Context, _ *sql.Tx, old *executing.Executor) error {
		*old = e
		return nil
	})
	return err
}

// ChosenExecutors are the ids of what had chosen an executor.
type ChosenExecutors struct{ Tasks, Projects []string }

// Remove deletes an executor, and returns what had chosen it: a project is this
// computer's from then on, a task its project's.
func (b Executors) Remove(ctx context.Context, id string) (c ChosenExecutors, err error) {
	err = b.change(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		if c.Tasks, err = freeOf(ctx, tx, "UPDATE task SET executor = '' WHERE executor = ? RETURNING id", id); err != nil {
			return err
		}
		if c.Projects, err = freeOf(ctx, tx,
			"UPDATE project SET executor = '' WHERE executor = ? RETURNING id", id); err != nil {
			return err
		}
		return executors.Remove(ctx, tx, id)
	})
	return c, err
}

func freeOf(ctx context.Context, tx *sql.Tx, query, id string) (ids []string, err error) {
	rows, err := tx.QueryContext(ctx, query, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
