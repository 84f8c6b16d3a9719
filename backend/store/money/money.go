// Package money keeps what runs took, what the user allows of it, and the quota of plans as
// agents said it last. What runs took is written down by a trigger of the table of runs, and
// outlives them. The package adds up; what a sum means, others say.
package money

import (
	"context"
	"database/sql"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/beckon/spending"
	"beckon/backend/store/table"
)

// Rows are the tables in an open database.
type Rows struct {
	read   *sql.DB
	change table.Transaction
}

// New returns those of a database, by its readers and what writes to it.
func New(read *sql.DB, change table.Transaction) Rows { return Rows{read, change} }

// Row is a budget as it is kept.
type Row struct {
	Scope         spending.Scope
	Subject       string
	Limit, Raised spending.Limit
	// RaisedOn is the beginning of the day for which Raised is added; see spending.Budget for Since.
	RaisedOn, Since int64
	// LeftUntil is until when the user does not want to be asked to raise it.
	LeftUntil int64
}

const columns = "scope, subject, usd, tokens, since, raised_usd, raised_tokens, raised_on, left_until"

func (r *Row) fields() []any {
	return []any{
		&r.Scope, &r.Subject, &r.Limit.USD, &r.Limit.Tokens, &r.Since, &r.Raised.USD, &r.Raised.Tokens, &r.RaisedOn, &r.LeftUntil,
	}
}

// All returns the budgets of the day, and of the projects and tasks that there are and that
// are not archived.
func (m Rows) All(ctx context.Context) ([]Row, error) {
	return m.list(ctx, `SELECT `+columns+` FROM budget WHERE scope = 'day'
		OR scope = 'project' AND subject IN (SELECT id FROM project)
		OR scope = 'task' AND subject IN (SELECT id FROM task WHERE status <> 'archived') ORDER BY scope, subject`)
}

// Of returns the budgets that a task is under, the narrowest first.
func (m Rows) Of(ctx context.Context, taskID string) ([]Row, error) {
	return m.list(ctx, `SELECT `+columns+` FROM budget WHERE scope = 'task' AND subject = ?1
		OR scope = 'project' AND subject = (SELECT project_id FROM task WHERE id = ?1) OR scope = 'day'
		ORDER BY CASE scope WHEN 'task' THEN 1 WHEN 'project' THEN 2 ELSE 3 END`, taskID)
}

func (m Rows) list(ctx context.Context, query string, args ...any) ([]Row, error) {
	return table.Rows(ctx, m.read, (*Row).fields, query, args...)
}

// Edit changes a budget, or makes it, and takes it away where its limit allows any amount
// then. A task or project that there is not is beckon.ErrNotFound.
func (m Rows) Edit(ctx context.Context, scope spending.Scope, subject string, edit func(*Row)) error {
	return m.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return change(ctx, tx, scope, subject, edit) })
}

// owners are the tables that have the subjects of a scope.
var owners = map[spending.Scope]string{spending.Task: "task", spending.Project: "project"}

func change(ctx context.Context, tx *sql.Tx, scope spending.Scope, subject string, edit func(*Row)) error {
	if owner := owners[scope]; owner != "" {
		if err := table.MustKnow(ctx, tx, owner, subject); err != nil {
			return err
		}
	}
	row := Row{Scope: scope, Subject: subject}
	err := tx.QueryRowContext(ctx, "SELECT "+columns+" FROM budget WHERE scope = ? AND subject = ?", scope, subject).Scan(row.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	edit(&row)
	if row.Limit.None() {
		_, err = tx.ExecContext(ctx, "DELETE FROM budget WHERE scope = ? AND subject = ?", scope, subject)
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO budget ("+columns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row.fields()...)
	return err
}

// Answer changes a budget as the answer to a question says, once: of two calls for one answer
// the second changes nothing.
func (m Rows) Answer(ctx context.Context, questionID string, scope spending.Scope, subject string, edit func(*Row)) error {
	return m.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "UPDATE question SET delivered = ? WHERE id = ? AND delivered = 0", beckon.Now(), questionID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err
		}
		err = change(ctx, tx, scope, subject, edit)
		if errors.Is(err, beckon.ErrNotFound) { // its card was deleted meanwhile
			return nil
		}
		return err
	})
}

// AnsweredNot returns the ids of the questions about budgets whose answers Answer has not
// carried out.
func (m Rows) AnsweredNot(ctx context.Context) ([]string, error) {
	return table.Texts(ctx, m.read, "SELECT id FROM question WHERE budget IS NOT NULL AND answer IS NOT NULL AND delivered = 0")
}

// Waiting returns the ids of the questions about a budget that wait for an answer.
func (m Rows) Waiting(ctx context.Context, scope spending.Scope, subject string) ([]string, error) {
	return table.Texts(ctx, m.read, `SELECT id FROM question WHERE settlement = 'orphaned' AND budget ->> 'scope' = ? AND budget ->> 'subject' = ?`,
		scope, subject)
}

// Stopped returns the tasks, each with its newest run, that a limit stopped and that nobody
// began or moved since: why is that of the runs, and projectID the one of the tasks, empty for all.
func (m Rows) Stopped(ctx context.Context, why reason.Code, projectID string) (map[string]string, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT task.id, run.id FROM task JOIN run ON run.task_id = task.id
		AND run.number = (SELECT max(number) FROM run WHERE task_id = task.id)
		WHERE task.status = 'review' AND run.outcome = 'parked' AND iif(json_valid(run.reason), run.reason ->> 'code', '') = ?1
		AND (?2 = '' OR task.project_id = ?2)`, why, projectID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	stopped := map[string]string{}
	for rows.Next() {
		var task, run string
		if err := rows.Scan(&task, &run); err != nil {
			return nil, err
		}
		stopped[task] = run
	}
	return stopped, rows.Err()
}

// sum adds up what the rows took that the rest of a query leaves.
const sum = "coalesce(sum(tokens), 0), coalesce(sum(cost_usd), 0), coalesce(sum(iif(cost_usd = 0, tokens, 0)), 0)"

// Models returns the models that took something in runs, each once.
func (m Rows) Models(ctx context.Context, runIDs []string) ([]string, error) {
	return table.Rows(ctx, m.read, func(model *string) []any { return []any{model} },
		"SELECT DISTINCT model FROM spent WHERE run_id IN (SELECT value FROM json_each(?))", table.JSON(&runIDs))
}

// Spent returns what was taken of a scope since a moment, in Unix milliseconds.
func (m Rows) Spent(ctx context.Context, scope spending.Scope, subject string, since int64) (s spending.Sum, err error) {
	where := map[spending.Scope]string{
		spending.Task: "task_id = ?1 AND at >= ?2", spending.Project: "project_id = ?1 AND at >= ?2", spending.Day: "?1 = '' AND at >= ?2",
	}[scope]
	err = m.read.QueryRowContext(ctx, "SELECT "+sum+" FROM spent WHERE "+where, subject, since).Scan(&s.Tokens, &s.CostUSD, &s.Unpriced)
	return s, err
}

// keys is what totals are added up by; days come from their callers, who know the clock.
var keys = map[spending.By]string{
	spending.ByRun: "run_id", spending.ByTask: "task_id", spending.ByProject: "project_id",
	spending.ByModel: "model", spending.ByAgent: "agent", spending.ByMachine: "executor",
}

// Totals returns what was taken between two moments, in Unix milliseconds, by what is not
// spending.ByDay, the most first; and at most so many.
func (m Rows) Totals(ctx context.Context, by spending.By, from, to int64, most int) ([]spending.Total, error) {
	key := keys[by]
	list, err := table.Rows(ctx, m.read, totalFields, `SELECT `+key+`, min(task_id), iif(?4, coalesce((SELECT number FROM run WHERE run.id = run_id), 0), 0), `+sum+`,
		count(DISTINCT run_id) FROM spent WHERE at >= ?1 AND at < ?2 GROUP BY `+key+` ORDER BY sum(cost_usd) DESC, sum(tokens) DESC, 1 LIMIT ?3`,
		from, to, most, by == spending.ByRun)
	for i := range list {
		if by != spending.ByRun && by != spending.ByTask {
			list[i].TaskID = ""
		}
	}
	return list, err
}

func totalFields(t *spending.Total) []any {
	return []any{&t.ID, &t.TaskID, &t.Number, &t.Tokens, &t.CostUSD, &t.Unpriced, &t.Runs}
}

// Between returns what all runs took between two moments, in Unix milliseconds.
func (m Rows) Between(ctx context.Context, from, to int64) (t spending.Total, err error) {
	err = m.read.QueryRowContext(ctx, "SELECT "+sum+", count(DISTINCT run_id) FROM spent WHERE at >= ? AND at < ?", from, to).
		Scan(&t.Tokens, &t.CostUSD, &t.Unpriced, &t.Runs)
	return t, err
}

// Windows returns the quota of plans as agents said it last, of windows that were said after a
// moment, in Unix milliseconds.
func (m Rows) Windows(ctx context.Context, after int64) ([]spending.Window, error) {
	return table.Rows(ctx, m.read, func(w *spending.Window) []any {
		return []any{&w.Agent, &w.Executor, &w.Kind, &w.Percent, &w.Resets, &w.Refused, &w.Said}
	}, `SELECT agent, executor, kind, percent, resets, refused, said FROM quota
		WHERE said > ? ORDER BY agent, executor, kind`, after)
}

// SaveWindow keeps what an agent said of a window. What it did not say, of a window that has
// not been reset, stays what it was.
func (m Rows) SaveWindow(ctx context.Context, w spending.Window) error {
	return m.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO quota (agent, executor, kind, percent, resets, refused, said) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (agent, executor, kind) DO UPDATE SET
			percent = iif(excluded.percent < 0 AND resets > excluded.said, percent, excluded.percent),
			resets = iif(excluded.resets = 0 AND resets > excluded.said, resets, excluded.resets),
			refused = excluded.refused, said = excluded.said`,
			w.Agent, w.Executor, w.Kind, w.Percent, w.Resets, w.Refused, w.Said)
		return err
	})
}
