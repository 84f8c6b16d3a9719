package question

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/plain"
)

// byRule answers q at once where its project has a standing answer to it, and
// else returns it as it is. The row is written before the agent hears.
func (d *Desk) byRule(ctx context.Context, q beckon.Question) (beckon.Question, error) {
	if q.Kind != beckon.Ask || len(q.Items) != 1 || q.TaskID == "" || q.Origin != "" {
		return q, nil
	}
	r, err := d.store.RuleFor(ctx, q.TaskID, q.Items[0].Text)
	if errors.Is(err, beckon.ErrNotFound) {
		return q, nil
	}
	if err != nil {
		return q, fmt.Errorf("look for a standing answer: %w", err)
	}
	item := beckon.ItemAnswer{Labels: r.Labels}
	if checkItemAnswer(q.Items[0], item) != nil {
		return q, nil // it does not offer what was chosen
	}
	q.Settlement, q.Settled, q.RuleID, q.Deadline = beckon.Answered, q.Asked, r.ID, 0
	q.Answer = &beckon.Answer{Items: []beckon.ItemAnswer{item}, By: beckon.ByRule, At: q.Asked}
	q.Proof = q.ToolUseID
	if err := d.store.AddQuestion(ctx, q); err != nil {
		return q, fmt.Errorf("record question: %w", err)
	}
	if err := d.store.CountRuleUse(ctx, r.ID); err != nil {
		slog.Error("count the use of a rule", "err", err, "rule", r.ID)
	}
	d.publishNewest(ctx, q)
	return q, nil
}

// StandElsewhere answers an open question of a session that Beckon did not start,
// where the project that it runs in has a standing answer that holds there, too.
func (d *Desk) StandElsewhere(ctx context.Context, id, projectID string) error {
	q, err := d.store.Question(ctx, id)
	if err != nil || q.Settlement != beckon.Open || q.Kind != beckon.Ask || len(q.Items) != 1 {
		return err
	}
	r, err := d.store.RuleElsewhere(ctx, projectID, q.Items[0].Text)
	if errors.Is(err, beckon.ErrNotFound) {
		return nil
	}
	item := beckon.ItemAnswer{Labels: r.Labels}
	if err != nil || checkItemAnswer(q.Items[0], item) != nil {
		return err
	}
	a := dated(beckon.Answer{Items: []beckon.ItemAnswer{item}, By: beckon.ByRule})
	if err := d.settle(ctx, id, beckon.Answered, a, nil); err != nil {
		return unlessConflict(err) // somebody was quicker
	}
	return d.store.CountRuleUse(ctx, r.ID)
}

// Rules returns all standing answers, the oldest first.
func (d *Desk) Rules(ctx context.Context) ([]beckon.Rule, error) { return d.store.Rules(ctx) }

// EditRule replaces the text, the labels and the reach of a standing answer.
func (d *Desk) EditRule(ctx context.Context, edit beckon.Rule) (beckon.Rule, error) {
	if err := checkRule(edit); err != nil {
		return edit, err
	}
	return d.store.UpdateRule(ctx, edit.ID, func(r *beckon.Rule) error {
		r.Text, r.Labels, r.Elsewhere = cleanText(edit.Text, beckon.MaxQuestionText), edit.Labels, edit.Elsewhere
		return nil
	})
}

// RevokeRule removes a standing answer; what it answered stays answered.
func (d *Desk) RevokeRule(ctx context.Context, id string) error { return d.store.RemoveRule(ctx, id) }

func checkRule(r beckon.Rule) error {
	switch {
	case plain.Normal(r.Text) == "":
		return invalid("a rule needs the text of the question that it answers")
	case len(r.Text) > beckon.MaxQuestionText:
		return invalid("the question of a rule has at most %d KB", beckon.MaxQuestionText>>10)
	case len(r.Labels) == 0:
		return invalid("a rule needs the option that it chooses")
	case slices.ContainsFunc(r.Labels, func(l string) bool { return strings.TrimSpace(l) == "" || len(l) > beckon.MaxOptionLabel }):
		return invalid("the option of a rule has 1 to %d bytes", beckon.MaxOptionLabel)
	}
	return nil
}
