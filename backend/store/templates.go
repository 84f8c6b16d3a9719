package store

import (
	"context"
	"database/sql"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

var templates = table.Of[beckon.Template]{
	Name: "template",
	Columns: []string{
		"id", "project_id", "name", "task", "schedule", "missed", "paused", "next_at", "last_at", "refusal", "created",
	},
	Fields: func(t *beckon.Template) []any {
		return []any{
			&t.ID, &t.ProjectID, &t.Name, table.JSON(&t.Task), &t.Schedule, &t.Missed, &t.Paused, &t.NextAt, &t.LastAt,
			table.Optional(&t.Refusal), &t.Created,
		}
	},
	Tidy: func(t *beckon.Template) { t.Task.Labels = table.NonNil(t.Task.Labels) },
}

// Templates are the templates of tasks in an open database.
type Templates struct {
	read   *sql.DB
	change table.Transaction
}

// newTemplates returns the templates of a database, by its readers and what writes to it.
func newTemplates(read *sql.DB, change table.Transaction) Templates { return Templates{read, change} }

// All returns all templates, the oldest first.
func (t Templates) All(ctx context.Context) ([]beckon.Template, error) {
	return templates.List(ctx, t.read, "ORDER BY created, rowid")
}

// One returns the template with the id, or beckon.ErrNotFound.
func (t Templates) One(ctx context.Context, id string) (beckon.Template, error) {
	return templates.One(ctx, t.read, id)
}

// Add keeps a new template.
func (t Templates) Add(ctx context.Context, one beckon.Template) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return templates.Insert(ctx, tx, &one) })
}

// Update changes the template with the id and returns what it became.
func (t Templates) Update(ctx context.Context, id string, edit func(*beckon.Template)) (beckon.Template, error) {
	return templates.Update(ctx, t.change, id, func(_ context.Context, _ *sql.Tx, one *beckon.Template) error {
		edit(one)
		return nil
	})
}

// Delete removes the template with the id; the cards that it made stay.
func (t Templates) Delete(ctx context.Context, id string) error {
	return t.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return templates.Remove(ctx, tx, id) })
}

// Last returns the card that a template made last, if there is one.
func (t Templates) Last(ctx context.Context, id string) (task beckon.Task, made bool, err error) {
	list, err := tasks.List(ctx, t.read, "WHERE template_id = ? ORDER BY created DESC, rowid DESC LIMIT 1", id)
	if err != nil || len(list) == 0 {
		return task, false, err
	}
	return list[0], true, nil
}
