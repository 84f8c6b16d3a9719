package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/reviewed"
	"beckon/backend/store/table"
)

var messages = table.Of[beckon.Message]{
	Name:    "message",
	Columns: []string{"id", "task_id", "text", "images", "written", "sent", "doubtful"},
	Fields: func(m *beckon.Message) []any {
		return []any{&m.ID, &m.TaskID, &m.Text, table.JSON(&m.Images), &m.Written, &m.Sent, &m.Doubtful}
	},
	Tidy: func(m *beckon.Message) { m.Images = table.NonNil(m.Images) },
}

// inOrder is the order in which an agent takes its messages.
const inOrder = "ORDER BY sent = 0, sent, rank, rowid"

// AddMessage adds m behind all others of its task and drops the draft that it
// was, whereas what somebody else types meanwhile stays. ID and Written are filled in where they are empty. An unknown task is
// beckon.ErrNotFound.
func (s *Store) AddMessage(ctx context.Context, m *beckon.Message) error {
	if m.Written == 0 {
		m.Written = beckon.Now()
	}
	messages.Tidy(m)
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO message (id, task_id, text, images, written, sent, doubtful, rank)
			VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(rank), 0) + 1 FROM message WHERE task_id = ?))`,
			append(messages.Values(m), m.TaskID)...)
		if err != nil {
			return err
		}
		if err := reviewed.CommentsAdded(ctx, tx, m.ID); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM message_draft WHERE task_id = ? AND (instr(text, ?) OR instr(text, ?))",
			m.TaskID, m.Text, inJSON(m.Text))
		return err
	})
}

// inJSON is how a text stands within JSON, which the page's drafts are.
func inJSON(text string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always has a form
	return strings.TrimSuffix(strings.TrimPrefix(out.String(), `"`), "\"\n")
}

// Messages returns what a task's agent has not taken yet, in the order in
// which it will.
func (s *Store) Messages(ctx context.Context, taskID string) ([]beckon.Message, error) {
	return messages.List(ctx, s.read, "WHERE task_id = ? "+inOrder, taskID)
}

// AllMessages returns those of all tasks, one task's after the other's.
func (s *Store) AllMessages(ctx context.Context) ([]beckon.Message, error) {
	return messages.List(ctx, s.read, "ORDER BY task_id, sent = 0, sent, rank, rowid")
}

// NextMessage returns the message that is first in a task's queue, and
// whether there is one.
func (s *Store) NextMessage(ctx context.Context, taskID string) (beckon.Message, bool, error) {
	first, err := messages.List(ctx, s.read, "WHERE task_id = ? AND sent = 0 "+inOrder+" LIMIT 1", taskID)
	if err != nil || len(first) == 0 {
		return beckon.Message{}, false, err
	}
	return first[0], true, nil
}

// Message returns the message with the id, or beckon.ErrNotFound: it may have
// been taken.
func (s *Store) Message(ctx context.Context, id string) (beckon.Message, error) {
	return messages.One(ctx, s.read, id)
}

// UpdateMessage has edit change the message with the id and returns what it
// became. Its ID, TaskID, Written and place stay. An error of edit is returned
// as it is, and nothing changes. edit must not call the store.
func (s *Store) UpdateMessage(
	ctx context.Context, id string, edit func(*beckon.Message) error,
) (beckon.Message, error) {
	return messages.Update(ctx, s.change, id, func(_ context.Context, _ *sql.Tx, m *beckon.Message) error {
		was := *m
		if err := edit(m); err != nil {
			return err
		}
		m.ID, m.TaskID, m.Written = was.ID, was.TaskID, was.Written
		return nil
	})
}

// ReplaceMessage gives the message with the id another id, text and images,
// in its place, and takes over whether it is doubtful.
func (s *Store) ReplaceMessage(ctx context.Context, id string, by beckon.Message) (beckon.Message, error) {
	return messages.Update(ctx, s.change, id, func(_ context.Context, _ *sql.Tx, m *beckon.Message) error {
		m.ID, m.Text, m.Images, m.Doubtful = by.ID, by.Text, by.Images, by.Doubtful
		return nil
	})
}

// MoveMessage puts a message that waits at a place of its task's queue, 0 for
// the first and beyond the last for the end. One that was handed over is
// beckon.ErrConflict.
func (s *Store) MoveMessage(ctx context.Context, id string, to int) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		m, err := messages.One(ctx, tx, id)
		if err != nil {
			return err
		}
		if m.Sent != 0 {
			return problem.New(problem.MessageRead, fmt.Errorf("the agent already has it: %w", beckon.ErrConflict))
		}
		var rank int64
		err = tx.QueryRowContext(ctx, `
			SELECT coalesce(
				(SELECT rank FROM message WHERE task_id = ?1 AND sent = 0 AND id <> ?2 ORDER BY rank, rowid LIMIT 1 OFFSET ?3),
				(SELECT max(rank) + 1 FROM message WHERE task_id = ?1))`, m.TaskID, id, max(to, 0)).Scan(&rank)
		if err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, "UPDATE message SET rank = rank + 1 WHERE task_id = ? AND rank >= ?",
			m.TaskID, rank); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE message SET rank = ? WHERE id = ?", rank, id)
		return err
	})
}

// RemoveMessage removes the message with the id; one that is gone already is
// beckon.ErrNotFound.
func (s *Store) RemoveMessage(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := messages.Remove(ctx, tx, id); err != nil {
			return err
		}
		return reviewed.CommentsRemoved(ctx, tx, id)
	})
}

// Unsend puts what was handed to a task's agent and not taken back to the
// front of its queue, in the order in which it was handed over.
func (s *Store) Unsend(ctx context.Context, taskID string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			WITH ordered AS (
				SELECT id, row_number() OVER (`+inOrder+`) AS place FROM message WHERE task_id = ?1)
			UPDATE message SET sent = 0, rank = (SELECT place FROM ordered WHERE ordered.id = message.id)
			WHERE task_id = ?1`, taskID)
		return err
	})
}
