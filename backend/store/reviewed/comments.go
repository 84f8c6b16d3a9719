// Package reviewed keeps what belongs to reviews of tasks' changes: comments on lines, and
// what the work was at turns and reviews, which files were viewed, and pull requests.
//
// Comments keeps the comments on lines of tasks' changes. Those that a
// message takes to the agent are marked in the transaction that adds the message, so
// there is never the one without the other.
package reviewed

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

// Comments are those in an open database.
type Comments struct {
	read   *sql.DB
	change table.Transaction
}

// NewComments returns those of a database, by its readers and what writes to it.
func NewComments(read *sql.DB, change table.Transaction) Comments { return Comments{read, change} }

var comments = table.Of[reviewing.Comment]{
	Name: "comment",
	Columns: []string{
		"id", "task_id", "number", "path", "side", "first", "last", "quote", "content", "text",
		"message_id", "thread", "repository", "answer", "turn", "created", "sent", "answered", "resolved",
	},
	Fields: func(c *reviewing.Comment) []any {
		return []any{
			&c.ID, &c.TaskID, &c.Number, &c.Path, &c.Side, &c.First, &c.Last, &c.Quote, &c.Content, &c.Text,
			&c.MessageID, &c.Thread, &c.Repository, &c.Answer, &c.Turn, &c.Created, &c.Sent, &c.Answered, &c.Resolved,
		}
	},
	Tidy: func(c *reviewing.Comment) { c.State = c.StateOf() },
}

// waiting are those whose answer may still come.
const waiting = "message_id <> '' AND answer = '' AND resolved = 0"

// Of returns a task's comments, the oldest first.
func (c Comments) Of(ctx context.Context, taskID string) ([]reviewing.Comment, error) {
	return comments.List(ctx, c.read, "WHERE task_id = ? ORDER BY number", taskID)
}

// One returns the comment with the id, or beckon.ErrNotFound.
func (c Comments) One(ctx context.Context, id string) (reviewing.Comment, error) {
	return comments.One(ctx, c.read, id)
}

// Waiting returns those of a task whose answer may still come.
func (c Comments) Waiting(ctx context.Context, taskID string) ([]reviewing.Comment, error) {
	return comments.List(ctx, c.read, "WHERE task_id = ? AND "+waiting+" ORDER BY number", taskID)
}

// WaitingTasks returns the tasks that have any.
func (c Comments) WaitingTasks(ctx context.Context) ([]string, error) {
	return table.Texts(ctx, c.read, "SELECT DISTINCT task_id FROM comment WHERE "+waiting)
}

// Counts returns how the comments of all tasks stand that have any, or of one task.
func (c Comments) Counts(ctx context.Context, taskID string) ([]reviewing.CommentCount, error) {
	found, err := c.read.QueryContext(ctx, `
		SELECT task_id, count(*) FILTER (WHERE message_id = ''), count(*) FILTER (WHERE message_id <> '' AND resolved = 0)
		FROM comment WHERE ?1 = '' OR task_id = ?1 GROUP BY task_id`, taskID)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var list []reviewing.CommentCount
	for found.Next() {
		n := reviewing.CommentCount{}
		if err := found.Scan(&n.TaskID, &n.Drafts, &n.Open); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, found.Err()
}

// Add keeps a new comment under the task's next number. An unknown task is
// beckon.ErrNotFound, a task with too many of them beckon.ErrConflict.
func (c Comments) Add(ctx context.Context, one *reviewing.Comment) error {
	return c.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := table.MustKnow(ctx, tx, "task", one.TaskID); err != nil {
			return err
		}
		var n int
		err := tx.QueryRowContext(ctx, "SELECT count(*), coalesce(max(number), 0) + 1 FROM comment WHERE task_id = ?",
			one.TaskID).Scan(&n, &one.Number)
		if err != nil {
			return err
		}
		if n >= reviewing.CommentMaxTask {
			err := fmt.Errorf("the task has %d comments, which is as many as are kept: %w", n, beckon.ErrConflict)
			return problem.New(problem.ManyComments, err, "most", fmt.Sprint(reviewing.CommentMaxTask))
		}
		one.State = one.StateOf()
		return comments.Insert(ctx, tx, one)
	})
}

// Update has edit change the comment with the id and returns what it became. edit
// must not call the store.
func (c Comments) Update(
	ctx context.Context, id string, edit func(*reviewing.Comment) error,
) (reviewing.Comment, error) {
	return comments.Update(ctx, c.change, id,
		func(_ context.Context, _ *sql.Tx, one *reviewing.Comment) error { return edit(one) })
}

// Delete removes a draft; what was sent is beckon.ErrConflict.
func (c Comments) Delete(ctx context.Context, id string) error {
	return c.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		one, err := comments.One(ctx, tx, id)
		if err != nil {
			return err
		}
		if one.State != reviewing.CommentDraft {
			return ErrSent
		}
		return comments.Remove(ctx, tx, id)
	})
}

// ErrSent is why a comment stays as it is.
var ErrSent = problem.New(problem.CommentSent, fmt.Errorf("this comment was sent already: %w", beckon.ErrConflict))

// GiveBack makes the comments of a message drafts again.
func (c Comments) GiveBack(ctx context.Context, messageID string) error {
	return c.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return giveBack(ctx, tx, messageID) })
}

func giveBack(ctx context.Context, tx *sql.Tx, messageID string) error {
	_, err := tx.ExecContext(ctx,
		"UPDATE comment SET message_id = '', sent = 0, answered = 0 WHERE message_id = ?", messageID)
	return err
}

// TaskOf returns the task whose comments a message takes along, or "".
func (c Comments) TaskOf(ctx context.Context, messageID string) (string, error) {
	found, err := table.Texts(ctx, c.read, "SELECT DISTINCT task_id FROM comment WHERE message_id = ?", messageID)
	return strings.Join(found, ""), err
}
