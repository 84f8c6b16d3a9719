// Package checkpoints keeps what worktrees were when questions were asked, and which worktrees
// were taken back to such a moment. It knows trees and commits by their hashes only: a ref of
// the task's turns keeps them.
package checkpoints

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

// Rows are those in an open database.
type Rows struct {
	read   *sql.DB
	change table.Transaction
}

// New returns those of a database, by its readers and what writes to it.
func New(read *sql.DB, change table.Transaction) Rows { return Rows{read, change} }

// None says why a question has no checkpoint.
type None string

// The causes. Taken is none: there is a checkpoint.
const (
	Taken     None = ""
	Late      None = "late"      // the answer came first
	Elsewhere None = "elsewhere" // the agent works on another computer
	Several   None = "several"   // the task works in several repositories
	Unready   None = "unready"   // the worktree was not on its branch, or in the middle of a merge
	Failed    None = "failed"    // git could not read it
)

// Checkpoint is the state of a worktree when a question was asked.
type Checkpoint struct {
	QuestionID, TaskID, RunID string
	reviewing.WorkState
	Session string // empty where the agent had none yet
	Turn    int    // counts within the run, from 1
	Context int64  // tokens in the agent's context
	At      int64  // when it was asked, Unix milliseconds
	None    None
}

var checkpoints = table.Of[Checkpoint]{
	Name:    "checkpoint",
	Columns: []string{"question_id", "task_id", "run_id", "head", "tree", "staged", "session", "turn", "context", "at", "none"},
	Fields: func(c *Checkpoint) []any {
		return []any{&c.QuestionID, &c.TaskID, &c.RunID, &c.Head, &c.Tree, &c.Staged, &c.Session, &c.Turn, &c.Context, &c.At, &c.None}
	},
	Tidy: func(*Checkpoint) {},
}

// Add keeps the checkpoint of a question, which has none yet. An unknown task is
// beckon.ErrNotFound.
func (r Rows) Add(ctx context.Context, c Checkpoint) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := table.MustKnow(ctx, tx, "task", c.TaskID); err != nil {
			return err
		}
		return checkpoints.Insert(ctx, tx, &c)
	})
}

// Of returns the checkpoint of a question; ok is false where nothing is known of one.
func (r Rows) Of(ctx context.Context, questionID string) (c Checkpoint, ok bool, err error) {
	found, err := checkpoints.List(ctx, r.read, "WHERE question_id = ?", questionID)
	if err != nil || len(found) == 0 {
		return c, false, err
	}
	return found[0], true, nil
}

// Step says how far taking a worktree back is.
type Step string

// The steps, in their order. From Saved to Moved git changes the worktree, and from Returning
// to Returned it changes it back.
const (
	Saved     Step = "saved"     // what is there is kept
	Moved     Step = "moved"     // the worktree is what it was at the checkpoint
	Returning Step = "returning" // it is about to be what it was before
	Returned  Step = "returned"  // it is
)

// Work is what a task's work is on one side of a rewind.
type Work struct {
	reviewing.WorkState
	BaseCommit string `json:"baseCommit"`
	Session    string `json:"session"`
	// Owed says that no agent had heard the answer to the question yet.
	Owed bool `json:"owed,omitempty"`
	// Opening is the message that an agent was to begin with, and Withdraw says that what it asks is to
	// be closed when all is taken back.
	Opening  string `json:"opening,omitempty"`
	Withdraw bool   `json:"withdraw,omitempty"`
	// Until is when that ended, Unix milliseconds; 0: it did not, or that is not known.
	Until int64 `json:"until,omitempty"`
	// Trouble is what the card said.
	Trouble *reason.Reason `json:"trouble,omitempty"`
}

// Rewind is a worktree that was taken back to a checkpoint.
type Rewind struct {
	ID, TaskID, QuestionID string
	Step                   Step
	// Branch keeps what was there before; empty where the checkpoint's commit had all of it.
	Branch        string
	Before, After Work
	Answer        beckon.Answer // the other one
	At            int64
}

var rewinds = table.Of[Rewind]{
	Name:    "rewind",
	Columns: []string{"id", "task_id", "question_id", "step", "branch", "before", "after", "answer", "at"},
	Fields: func(w *Rewind) []any {
		return []any{&w.ID, &w.TaskID, &w.QuestionID, &w.Step, &w.Branch, table.JSON(&w.Before), table.JSON(&w.After), table.JSON(&w.Answer), &w.At}
	},
	Tidy: func(*Rewind) {},
}

// Begin keeps that a worktree is about to be taken back. An unknown task is beckon.ErrNotFound.
func (r Rows) Begin(ctx context.Context, w Rewind) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := table.MustKnow(ctx, tx, "task", w.TaskID); err != nil {
			return err
		}
		return rewinds.Insert(ctx, tx, &w)
	})
}

// Edit has edit change a rewind, and returns what it became.
func (r Rows) Edit(ctx context.Context, id string, edit func(*Rewind)) (Rewind, error) {
	return rewinds.Update(ctx, r.change, id, func(_ context.Context, _ *sql.Tx, w *Rewind) error {
		edit(w)
		return nil
	})
}

// Forget removes a rewind of which nothing came.
func (r Rows) Forget(ctx context.Context, id string) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return rewinds.Remove(ctx, tx, id) })
}

// Under reports whether git is in the middle of a rewind, as far as is known.
func (w Rewind) Under() bool { return w.Step == Saved || w.Step == Returning }

// Last returns the newest rewind of a task that was not taken back; ok is false for none.
func (r Rows) Last(ctx context.Context, taskID string) (w Rewind, ok bool, err error) {
	found, err := rewinds.List(ctx, r.read, "WHERE task_id = ? AND step <> ? ORDER BY at DESC, id DESC LIMIT 1", taskID, Returned)
	if err != nil || len(found) == 0 {
		return w, false, err
	}
	return found[0], true, nil
}

// All returns the rewinds of a task that were done, those too that were taken back, the newest first.
func (r Rows) All(ctx context.Context, taskID string) ([]Rewind, error) {
	return rewinds.List(ctx, r.read, "WHERE task_id = ? AND step IN (?, ?) ORDER BY at DESC, id DESC", taskID, Moved, Returned)
}

// SetHeard notes when an agent heard the answer to a question, in Unix milliseconds; 0: none did, so
// that one is owed it.
func (r Rows) SetHeard(ctx context.Context, questionID string, at int64) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE question SET delivered = ? WHERE id = ? AND answer IS NOT NULL", at, questionID)
		return err
	})
}

// Begun returns the rewinds in the middle of which git was.
func (r Rows) Begun(ctx context.Context) ([]Rewind, error) {
	return rewinds.List(ctx, r.read, "WHERE step IN (?, ?) ORDER BY at, id", Saved, Returning)
}
