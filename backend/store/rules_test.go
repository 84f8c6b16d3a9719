package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"beckon/backend/beckon"
)

func addRule(t *testing.T, s *Store, r beckon.Rule) (beckon.Rule, error) {
	t.Helper()
	var row ruleRow
	err := s.change(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		row, err = putRule(ctx, tx, r)
		return err
	})
	return row.Rule, err
}

func TestAProjectHasOneRuleForAQuestion(t *testing.T) {
	t.Parallel()
	s, task := withTask(t)
	ctx := t.Context()
	other := addProject(t, s, "ORC")
	first, err := addRule(t, s, beckon.Rule{ProjectID: task.ProjectID, Text: "Keep  Span?", Labels: []string{"Yes"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CountRuleUse(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	again, err := addRule(t, s, beckon.Rule{ProjectID: task.ProjectID, Text: "keep span", Labels: []string{"No"}})
	if err != nil || again.ID != first.ID || again.Labels[0] != "No" || again.Used != 1 {
		t.Errorf("the second answer made %+v, %v; want the same rule with another option", again, err)
	}
	if _, err := addRule(t, s,
		beckon.Rule{ProjectID: other.ID, Text: "Keep Span?", Labels: []string{"Maybe"}}); err != nil {
		t.Errorf("another project's rule: %v", err)
	}
	got, err := s.RuleFor(ctx, task.ID, "KEEP SPAN ?!")
	same(t, got, again, err)
	if _, err := s.RuleFor(ctx, task.ID, "Keep the Span?"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a rule for another question: %v", err)
	}

	second, err := addRule(t, s, beckon.Rule{ProjectID: task.ProjectID, Text: "Which?", Labels: []string{"A"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.UpdateRule(ctx, second.ID, func(r *beckon.Rule) error { r.Text = "keep span?"; return nil })
	if !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("two rules for one question: %v", err)
	}
	if err := s.RemoveRule(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	all, err := s.Rules(ctx)
	if err != nil || len(all) != 2 {
		t.Errorf("rules %+v, %v; want the two that are left", all, err)
	}
	if err := s.RemoveRule(ctx, first.ID); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}
