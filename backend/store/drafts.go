package store

import (
	"context"
	"database/sql"
)

// SaveDraft keeps what was typed as an answer and not sent yet, whatever form
// the page gives it; empty text drops it. An unknown question is
// beckon.ErrNotFound. Text for a question that was answered meanwhile is kept
// as well: the person who typed it was not the one who answered.
func (s *Store) SaveDraft(ctx context.Context, questionID, text string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if text == "" {
			return dropDraft(ctx, tx, questionID)
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO draft (question_id, text) VALUES (?, ?)
			ON CONFLICT (question_id) DO UPDATE SET text = excluded.text`, questionID, text)
		return err
	})
}

func dropDraft(ctx context.Context, tx *sql.Tx, questionID string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM draft WHERE question_id = ?", questionID)
	return err
}

// Drafts returns all drafts by the ids of their questions.
func (s *Store) Drafts(ctx context.Context) (map[string]string, error) {
	return s.drafts(ctx, "SELECT question_id, text FROM draft")
}

// drafts returns the texts that the query finds, by the ids of what they are
// for.
func (s *Store) drafts(ctx context.Context, query string) (map[string]string, error) {
	rows, err := s.read.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	drafts := map[string]string{}
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, err
		}
		drafts[id] = text
	}
	return drafts, rows.Err()
}
