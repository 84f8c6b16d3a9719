package store

import (
	"context"
	"database/sql"

	"beckon/backend/store/table"
)

// This file keeps what a person typed and did not send: answers by their
// questions, and messages by the tasks that they are for.

// Drafts are the drafts in an open database.
type Drafts struct {
	read   *sql.DB
	change table.Transaction
}

// newDrafts returns the drafts of a database, by its readers and what writes to it.
func newDrafts(read *sql.DB, change table.Transaction) Drafts { return Drafts{read, change} }

// Save keeps what was typed as an answer and not sent yet, whatever form
// the page gives it; empty text drops it. An unknown question is
// beckon.ErrNotFound. Text for a question that was answered meanwhile is kept
// as well: the person who typed it was not the one who answered.
func (t Drafts) Save(ctx context.Context, questionID, text string) error {
	return t.keep(ctx, ofAnswers, questionID, text)
}

// SaveMessage does the same with what was typed as a message to a task's
// agent. An unknown task is beckon.ErrNotFound.
func (t Drafts) SaveMessage(ctx context.Context, taskID, text string) error {
	return t.keep(ctx, ofMessages, taskID, text)
}

// draftsOf is a kind of drafts: their table, and the column that says what
// each is for.
type draftsOf struct{ table, of string }

var (
	ofAnswers  = draftsOf{"draft", "question_id"}
	ofMessages = draftsOf{"message_draft", "task_id"}
)

func (t Drafts) keep(ctx context.Context, kind draftsOf, id, text string) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if text == "" {
			return kind.drop(ctx, tx, id)
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO "+kind.table+" ("+kind.of+", text) VALUES (?, ?) "+
			"ON CONFLICT ("+kind.of+") DO UPDATE SET text = excluded.text", id, text)
		return err
	})
}

func (k draftsOf) drop(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM "+k.table+" WHERE "+k.of+" = ?", id)
	return err
}

// All returns all drafts by the ids of their questions.
func (t Drafts) All(ctx context.Context) (map[string]string, error) {
	return t.drafts(ctx, ofAnswers)
}

// Messages returns all drafts of messages by the ids of their tasks.
func (t Drafts) Messages(ctx context.Context) (map[string]string, error) {
	return t.drafts(ctx, ofMessages)
}

func (t Drafts) drafts(ctx context.Context, kind draftsOf) (map[string]string, error) {
	rows, err := t.read.QueryContext(ctx, "SELECT "+kind.of+", text FROM "+kind.table)
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

// dropDraft removes the draft of an answer, in a transaction of the caller's.
func dropDraft(ctx context.Context, tx *sql.Tx, questionID string) error {
	return ofAnswers.drop(ctx, tx, questionID)
}

// moveDraft gives a question of a session elsewhere the draft of the newest that was
// the same, and was withdrawn since Beckon ended.
func moveDraft(ctx context.Context, tx *sql.Tx, questionID string) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE draft SET question_id = ?1 WHERE question_id = (
			SELECT old.id FROM question AS new JOIN run AS mine ON mine.id = new.run_id
			JOIN run AS other ON other.session = mine.session AND mine.session <> ''
			JOIN question AS old ON old.run_id = other.id
			WHERE new.id = ?1 AND old.settlement = 'withdrawn' AND old.kind = new.kind AND old.items = new.items AND old.plan = new.plan
			AND old.permission ->> 'input' IS new.permission ->> 'input' AND old.id IN (SELECT question_id FROM draft)
			ORDER BY old.rowid DESC LIMIT 1)`, questionID)
	return err
}
