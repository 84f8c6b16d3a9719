package store

import (
	"context"
	"database/sql"

	"beckon/backend/store/table"
)

// This file keeps what git was about to do to the branches and worktrees of tasks,
// until their cards say that it is done: so a kill between the two is found out.

// IntentKind is what git was about to do.
type IntentKind string

// The kinds. Resolve brings the base into the branch as Update does, with what the user
// resolved, and cannot be taken back. Discard takes branch and worktree away, Add makes them.
const (
	IntentMerge   IntentKind = "merge"
	IntentUpdate  IntentKind = "update"
	IntentResolve IntentKind = "resolve"
	IntentDiscard IntentKind = "discard"
	IntentAdd     IntentKind = "add"
	// IntentTogether merges the work in several repositories, all of it or none.
	IntentTogether IntentKind = "together"
	// IntentTakeBack takes a merge back, in all repositories in which it was made; IntentAgain
	// does it again.
	IntentTakeBack IntentKind = "takeback"
	IntentAgain    IntentKind = "again"
)

// IntentPart is a part that is merged together with others.
type IntentPart struct {
	ID  string `json:"id"`
	Tip string `json:"tip"` // the commit of its branch
}

// Intents are the rows in an open database.
type Intents struct {
	read   *sql.DB
	change table.Transaction
}

// newIntents returns those of a database, by its readers and what writes to it.
func newIntents(read *sql.DB, change table.Transaction) Intents { return Intents{read, change} }

// Save keeps what git is about to do to a task's branch, in place of what it was before.
// An unknown task is beckon.ErrNotFound.
func (i Intents) Save(ctx context.Context, taskID string, kind IntentKind) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "REPLACE INTO intent (task_id, kind) VALUES (?, ?)", taskID, kind)
		return err
	})
}

// SaveTogether keeps that git is about to merge the work in several repositories, all of it or
// none: parts are in order.
func (i Intents) SaveTogether(ctx context.Context, taskID string, parts []IntentPart) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "REPLACE INTO intent (task_id, kind, parts) VALUES (?, ?, ?)", taskID, IntentTogether, table.JSON(&parts))
		return err
	})
}

// Together returns what SaveTogether kept of a task; nothing where that is over.
func (i Intents) Together(ctx context.Context, taskID string) ([]IntentPart, error) {
	return table.Rows(ctx, i.read, func(p *IntentPart) []any { return []any{&p.ID, &p.Tip} },
		"SELECT value ->> 'id', value ->> 'tip' FROM intent, json_each(intent.parts) WHERE task_id = ? AND kind = ? ORDER BY key", taskID, IntentTogether)
}

// SaveTurn keeps that git is about to take a merge back, or to do it again, for a step of the
// log of changes.
func (i Intents) SaveTurn(ctx context.Context, taskID string, kind IntentKind, step int64) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "REPLACE INTO intent (task_id, kind, parts) VALUES (?, ?, json_array(?))", taskID, kind, step)
		return err
	})
}

// Turn returns the step that SaveTurn kept of a task; 0 where that is over.
func (i Intents) Turn(ctx context.Context, taskID string) (step int64, err error) {
	steps, err := table.Rows(ctx, i.read, func(step *int64) []any { return []any{step} },
		"SELECT parts ->> 0 FROM intent WHERE task_id = ? AND kind IN (?, ?)", taskID, IntentTakeBack, IntentAgain)
	if len(steps) > 0 {
		step = steps[0]
	}
	return step, err
}

// Drop forgets what git was about to do to a task's branch.
func (i Intents) Drop(ctx context.Context, taskID string) error {
	return i.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM intent WHERE task_id = ?", taskID)
		return err
	})
}

// All returns the kinds by the ids of the tasks.
func (i Intents) All(ctx context.Context) (map[string]IntentKind, error) {
	found, err := i.read.QueryContext(ctx, "SELECT task_id, kind FROM intent")
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := map[string]IntentKind{}
	for found.Next() {
		var id string
		var kind IntentKind
		if err := found.Scan(&id, &kind); err != nil {
			return nil, err
		}
		all[id] = kind
	}
	return all, found.Err()
}
