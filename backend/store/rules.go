package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/plain"
	"beckon/backend/store/table"
)

// ruleRow is a rule with the form in which its text is compared.
type ruleRow struct {
	beckon.Rule
	normal string
}

var rules = table.Of[ruleRow]{
	Name:    "rule",
	Columns: []string{"id", "project_id", "text", "normal", "labels", "created", "used", "elsewhere"},
	Fields: func(r *ruleRow) []any {
		return []any{&r.ID, &r.ProjectID, &r.Text, &r.normal, table.JSON(&r.Labels), &r.Created, &r.Used, &r.Elsewhere}
	},
	Tidy: func(r *ruleRow) { r.Labels = table.NonNil(r.Labels) },
}

// Rules returns all standing answers, the oldest first.
func (s *Store) Rules(ctx context.Context) ([]beckon.Rule, error) {
	found, err := rules.List(ctx, s.read, "ORDER BY created, rowid")
	all := make([]beckon.Rule, 0, len(found))
	for _, r := range found {
		all = append(all, r.Rule)
	}
	return all, err
}

// RuleFor returns the standing answer that a task's project has to a question
// with the text, or beckon.ErrNotFound.
func (s *Store) RuleFor(ctx context.Context, taskID, text string) (beckon.Rule, error) {
	return s.rule(ctx, "WHERE project_id = (SELECT project_id FROM task WHERE id = ?) AND normal = ?",
		taskID, plain.Normal(text))
}

// RuleElsewhere returns the one that a project has for sessions that Beckon did not
// start, or beckon.ErrNotFound.
func (s *Store) RuleElsewhere(ctx context.Context, projectID, text string) (beckon.Rule, error) {
	return s.rule(ctx, "WHERE project_id = ? AND normal = ? AND elsewhere", projectID, plain.Normal(text))
}

func (s *Store) rule(ctx context.Context, where string, args ...any) (beckon.Rule, error) {
	found, err := rules.List(ctx, s.read, where, args...)
	if err != nil {
		return beckon.Rule{}, err
	}
	if len(found) == 0 {
		return beckon.Rule{}, fmt.Errorf("a rule for the question: %w", beckon.ErrNotFound)
	}
	return found[0].Rule, nil
}

// putRule adds r under an ID of its own. A project that has a rule for the
// same question gets the new labels in its place, under the old ID.
func putRule(ctx context.Context, tx *sql.Tx, r beckon.Rule) (ruleRow, error) {
	row := ruleRow{Rule: r, normal: plain.Normal(r.Text)}
	row.ID, row.Created, row.Used = beckon.NewID(), beckon.Now(), 0
	kept, err := rules.Collect(ctx, tx, `INSERT INTO rule (id, project_id, text, normal, labels, created, used, elsewhere)
		VALUES `+rules.Marks()+` ON CONFLICT (project_id, normal) DO UPDATE SET text = excluded.text, labels = excluded.labels
		RETURNING `+rules.Reads(), rules.Values(&row)...)
	if err != nil {
		return row, err
	}
	return kept[0], nil
}

// keepRule makes the answer to a question with one item a rule of its project.
func keepRule(ctx context.Context, tx *sql.Tx, questionID string, a beckon.Answer) error {
	q, err := questions.One(ctx, tx, questionID)
	if err != nil {
		return err
	}
	r := beckon.Rule{Text: q.Items[0].Text, Labels: a.Items[0].Labels}
	err = tx.QueryRowContext(ctx, "SELECT project_id FROM task WHERE id = ?", q.TaskID).Scan(&r.ProjectID)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("the project of the question: %w", beckon.ErrNotFound)
	}
	if err == nil {
		_, err = putRule(ctx, tx, r)
	}
	return err
}

// dropRuleOf removes the rule that a question's last answer but one made, which was
// changed.
func dropRuleOf(ctx context.Context, tx *sql.Tx, questionID string) error {
	q, err := questions.One(ctx, tx, questionID)
	if err != nil || !q.Earlier[len(q.Earlier)-1].Standing {
		return err
	}
	_, err = tx.ExecContext(ctx,
		"DELETE FROM rule WHERE project_id = (SELECT project_id FROM task WHERE id = ?) AND normal = ?",
		q.TaskID, plain.Normal(q.Items[0].Text))
	return err
}

// UpdateRule has edit change the text, the labels and the reach of the rule with the
// id and returns what it became; the rest stays. A text that another rule of the
// project has is beckon.ErrConflict. edit must not call the store.
func (s *Store) UpdateRule(ctx context.Context, id string, edit func(*beckon.Rule) error) (beckon.Rule, error) {
	row, err := rules.Update(ctx, s.change, id, func(_ context.Context, _ *sql.Tx, r *ruleRow) error {
		edited := r.Rule
		if err := edit(&edited); err != nil {
			return err
		}
		r.Text, r.Labels, r.normal, r.Elsewhere = edited.Text, edited.Labels, plain.Normal(edited.Text), edited.Elsewhere
		return nil
	})
	return row.Rule, err
}

// RemoveRule removes the rule with the id; what it answered stays answered.
func (s *Store) RemoveRule(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return rules.Remove(ctx, tx, id) })
}

// CountRuleUse notes that the rule with the id answered once more.
func (s *Store) CountRuleUse(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE rule SET used = used + 1 WHERE id = ?", id)
		return err
	})
}
