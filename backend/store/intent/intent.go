// Package intent keeps what git was about to do to the branches and worktrees of tasks,
// until their cards say that it is done: so a kill between the two is found out.
package intent

import (
	"context"
	"database/sql"

	"beckon/backend/store/table"
)

// Kind is what git was about to do.
type Kind string

// The kinds. Resolve brings the base into the branch as Update does, with what the user
// resolved, and cannot be taken back. Discard takes branch and worktree away, Add makes them.
const (
	Merge   Kind = "merge"
	Update  Kind = "update"
	Resolve Kind = "resolve"
	Discard Kind = "discard"
	Add     Kind = "add"
)

// Intents are the rows in an open database.
type Intents struct {
	read   *sql.DB
	change table.Transaction
}

// In returns those of a database, by its readers and what writes to it.
func In(read *sql.DB, change table.Transaction) Intents { return Intents{read, change} }

// Put keeps what git is about to do to a task's branch, in place of what it was before.
// An unknown task is beckon.ErrNotFound.
func (i Intents) Put(ctx context.Context, taskID string, kind Kind) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "REPLACE INTO intent (task_id, kind) VALUES (?, ?)", taskID, kind)
		return err
	})
}

// Drop forgets what git was about to do to a task's branch.
func (i Intents) Drop(ctx context.Context, taskID string) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM intent WHERE task_id = ?", taskID)
		return err
	})
}

// All returns the kinds by the ids of the tasks.
func (i Intents) All(ctx context.Context) (map[string]Kind, error) {
	found, err := i.read.QueryContext(ctx, "SELECT task_id, kind FROM intent")
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := map[string]Kind{}
	for found.Next() {
		var id string
		var kind Kind
		if err := found.Scan(&id, &kind); err != nil {
			return nil, err
		}
		all[id] = kind
	}
	return all, found.Err()
}
