package textindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"beckon/backend/beckon"
)

// Query asks for places. Empty fields match all.
type Query struct {
	// Tokens are all in the row, the last one as a beginning. They are letters
	// and digits.
	Tokens            []string
	ProjectID, TaskID string
	Kind              beckon.EntryKind
	Before            int64 // the id that all are below; 0 for none
	Limit             int
}

// expression is the query in FTS5's language. Each token is quoted, and has no
// quote in it.
func (q Query) expression() string {
	var expr strings.Builder
	for _, filter := range strings.Fields(filterTokens(q.ProjectID, q.TaskID, q.Kind)) {
		fmt.Fprintf(&expr, "%s ", quoted(filter))
	}
	for _, token := range q.Tokens {
		expr.WriteString(quoted(token) + " ")
	}
	return expr.String() + "*"
}

func quoted(token string) string { return `"` + strings.ReplaceAll(token, `"`, ``) + `"` }

// Find returns the places where the words are, newest first.
func (x *Index) Find(ctx context.Context, q Query) ([]Place, error) {
	found := []Place{}
	first, last, err := x.bounds(ctx, q)
	if err != nil || len(q.Tokens) == 0 {
		return found, err
	}
	for n := last >> tableBits; last >= first && n >= first>>tableBits && len(found) < q.Limit; n-- {
		if found, err = x.findIn(ctx, n, last, q, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// bounds returns between which ids the places are.
func (x *Index) bounds(ctx context.Context, q Query) (first, last int64, err error) {
	err = x.read.QueryRowContext(ctx, `
		SELECT coalesce(min(first), 1), coalesce(max(last), 0) FROM run
		WHERE first > 0 AND (?1 = '' OR task = ?1) AND (?2 = '' OR project = ?2)`, q.TaskID, q.ProjectID).Scan(&first, &last)
	if q.Before > 0 {
		last = min(last, q.Before-1)
	}
	return first, last, err
}

// findIn adds what a table has. Ids leave no gaps, so between the bounds every
// table is there.
func (x *Index) findIn(ctx context.Context, n, last int64, q Query, found []Place) ([]Place, error) {
	name := fmt.Sprintf("words_%d", n)
	rows, err := x.read.QueryContext(ctx, strings.ReplaceAll(`
		SELECT entry.id, run.id, run.task, entry.line, entry.own, entry.pos, entry.part, entry.kind, entry.at
		FROM WORDS JOIN entry ON entry.id = WORDS.rowid JOIN run ON run.n = entry.run
		WHERE WORDS MATCH ? AND WORDS.rowid <= ? ORDER BY WORDS.rowid DESC LIMIT ?`, "WORDS", name),
		q.expression(), last, q.Limit-len(found))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p Place
		if err := rows.Scan(&p.ID, &p.RunID, &p.TaskID, &p.Line, &p.Own, &p.Pos, &p.Part, &p.Kind, &p.At); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, rows.Err()
}

// Landmarks returns those of a run that are in, in order, and how many of its
// lines are.
func (x *Index) Landmarks(ctx context.Context, runID string) (marks []beckon.Landmark, done int64, err error) {
	var run int64
	err = x.read.QueryRowContext(ctx, "SELECT n, done FROM run WHERE id = ?", runID).Scan(&run, &done)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	rows, err := x.read.QueryContext(ctx,
		"SELECT pos, part, kind, text, at FROM landmark WHERE run = ? ORDER BY pos, part", run)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		m := beckon.Landmark{RunID: runID}
		if err := rows.Scan(&m.Pos, &m.Part, &m.Kind, &m.Text, &m.At); err != nil {
			return nil, 0, err
		}
		marks = append(marks, m)
	}
	return marks, done, rows.Err()
}

// Forget removes all words of the run, or of the runs of the task or project,
// with the id.
func (x *Index) Forget(ctx context.Context, id string) error {
	return x.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT n, first, last FROM run WHERE id = ?1 OR task = ?1 OR project = ?1", id)
		if err != nil {
			return err
		}
		defer rows.Close()
		var runs [][3]int64
		for rows.Next() {
			var r [3]int64
			if err := rows.Scan(&r[0], &r[1], &r[2]); err != nil {
				return err
			}
			runs = append(runs, r)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, r := range runs {
			if err := forgetRun(ctx, tx, r[0], r[1], r[2]); err != nil {
				return err
			}
		}
		return nil
	})
}

// forgetRun removes a run, whose rows have ids between first and last.
func forgetRun(ctx context.Context, tx *sql.Tx, run, first, last int64) error {
	for n := first >> tableBits; first > 0 && n <= last>>tableBits; n++ {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(
			"DELETE FROM words_%d WHERE rowid IN (SELECT id FROM entry WHERE run = ? AND id BETWEEN ? AND ?)", n),
			run, max(first, n<<tableBits), min(last, (n+1)<<tableBits-1))
		if err != nil {
			return err
		}
	}
	for query, args := range map[string][]any{
		"DELETE FROM entry WHERE run = ? AND id BETWEEN ? AND ?": {run, first, last},
		"DELETE FROM landmark WHERE run = ?":                     {run},
		"DELETE FROM run WHERE n = ?":                            {run},
	} {
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}
