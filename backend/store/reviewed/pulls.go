package reviewed

import (
	"context"
	"database/sql"
	"strings"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

// This file keeps the pull requests that were opened for tasks, one for each of
// their repositories,
// and what their servers last said of them.

// Pulls are the rows in an open database.
type Pulls struct {
	read   *sql.DB
	change table.Transaction
}

// NewPulls returns those of a database, by its readers and what writes to it.
func NewPulls(read *sql.DB, change table.Transaction) Pulls { return Pulls{read, change} }

var pullColumns = []string{
	"task_id", "host", "server", "repo", "remote", "branch", "base", "pushed", "number", "url",
	"state", "checks", "seen", "stale",
}

func pullFields(r *reviewing.PullRequest) []any {
	return []any{
		&r.TaskID, &r.Host, &r.Server, &r.Repo, &r.Remote, &r.Branch, &r.Base, &r.Commit, &r.Number, &r.URL, &r.State,
		table.JSON(&r.Checks), &r.Seen, &r.Stale,
	}
}

// All returns every one.
func (r Pulls) All(ctx context.Context) ([]reviewing.PullRequest, error) {
	return r.list(ctx, "ORDER BY task_id")
}

// Of returns that of a task; ok is false where there is none.
func (r Pulls) Of(ctx context.Context, taskID string) (found reviewing.PullRequest, ok bool, err error) {
	list, err := r.list(ctx, "WHERE task_id = ?", taskID)
	if len(list) > 0 {
		found = list[0]
	}
	return found, len(list) > 0, err
}

func (r Pulls) list(ctx context.Context, rest string, args ...any) ([]reviewing.PullRequest, error) {
	return table.Rows(ctx, r.read, pullFields, "SELECT "+strings.Join(pullColumns, ", ")+" FROM pull_request "+rest, args...)
}

// Save keeps a request in place of the one before it of its task. An unknown task is
// beckon.ErrNotFound.
func (r Pulls) Save(ctx context.Context, one reviewing.PullRequest) error {
	return r.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := mustKnow(ctx, tx, one.TaskID); err != nil {
			return err
		}
		marks := "?" + strings.Repeat(", ?", len(pullColumns)-1)
		_, err := tx.ExecContext(ctx,
			"REPLACE INTO pull_request ("+strings.Join(pullColumns, ", ")+") VALUES ("+marks+")", pullFields(&one)...)
		return err
	})
}
