package checkpoints

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// AttemptStep says how far answering a question with two answers is.
type AttemptStep string

// The steps, in their order. What was made of the second attempt goes away again while it is
// Planned. While it is Made the first answer may be given or not.
const (
	Planned AttemptStep = "planned" // the second task is being made
	Made    AttemptStep = "made"    // the second task is whole, with all that its agent needs
	Begun   AttemptStep = "begun"   // the first answer is given, and the second task is queued
)

// Attempt is a question that was answered with two answers.
type Attempt struct {
	QuestionID string
	TaskID     string // the task that asked; it goes on with Answer
	OtherID    string // the task that begins at the checkpoint with Other
	Asked      string // what was asked
	Answer     beckon.Answer
	Other      beckon.Answer
	Step       AttemptStep
	At         int64 // Unix milliseconds
}

// With returns the id of the task that is the other attempt of one.
func (a Attempt) With(taskID string) string {
	if taskID == a.TaskID {
		return a.OtherID
	}
	return a.TaskID
}

var attempts = table.Of[Attempt]{
	Name:    "attempt",
	Columns: []string{"question_id", "task_id", "other_id", "asked", "answer", "other", "step", "at"},
	Fields: func(a *Attempt) []any {
		return []any{&a.QuestionID, &a.TaskID, &a.OtherID, &a.Asked, table.JSON(&a.Answer), table.JSON(&a.Other), &a.Step, &a.At}
	},
	Tidy: func(*Attempt) {},
}

// AttemptOf is the SQL of reviewing.Attempt as a row of the table task has it: as JSON, empty
// where the task is no attempt.
const AttemptOf = `coalesce((SELECT json_object('number', iif(a.task_id = task.id, 1, 2), 'with', iif(a.task_id = task.id, a.other_id, a.task_id),
	'questionId', a.question_id, 'asked', a.asked, 'at', a.at,
	'answer', iif(a.task_id = task.id, coalesce(a.answer ->> '$.items[0].labels[0]', ''), coalesce(a.other ->> '$.items[0].labels[0]', '')))
	FROM attempt a WHERE (a.task_id = task.id OR a.other_id = task.id) AND a.step = 'begun' ORDER BY a.at DESC LIMIT 1), '')`

// Plan keeps that a question is about to be answered with two answers. An unknown task is
// beckon.ErrNotFound.
func (r Rows) Plan(ctx context.Context, a Attempt) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := table.MustKnow(ctx, tx, "task", a.TaskID); err != nil {
			return err
		}
		return attempts.Insert(ctx, tx, &a)
	})
}

// SetStep notes how far answering a question with two answers is.
func (r Rows) SetStep(ctx context.Context, questionID string, step AttemptStep) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE attempt SET step = ? WHERE question_id = ?", step, questionID)
		return err
	})
}

// Unplan removes an attempt of which nothing came.
func (r Rows) Unplan(ctx context.Context, questionID string) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM attempt WHERE question_id = ? AND step <> ?", questionID, Begun)
		return err
	})
}

// AttemptsOf returns the attempts that a task is one of, the newest first.
func (r Rows) AttemptsOf(ctx context.Context, taskID string) ([]Attempt, error) {
	return attempts.List(ctx, r.read, "WHERE task_id = ?1 OR other_id = ?1 ORDER BY at DESC", taskID)
}

// PlannedAttempts returns the attempts that were not begun yet, those that are Made too.
func (r Rows) PlannedAttempts(ctx context.Context) ([]Attempt, error) {
	return attempts.List(ctx, r.read, "WHERE step <> ? ORDER BY at", Begun)
}
