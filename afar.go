package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/store/once"
)

// afar is what people do alike at the desk from wherever they are.
type afar struct {
	store *store.Store
	app   *App
}

// owner is the task of a question and its project; neither for a question of a session
// elsewhere.
type owner struct {
	task    beckon.Task
	project beckon.Project
}

// ownersOf returns whose the questions are, by the ids of tasks. It reads as much for
// one as for many: an open page of a phone asks at each change.
func (d afar) ownersOf(ctx context.Context, questions []beckon.Question) (map[string]owner, error) {
	owners, ids := map[string]owner{"": {}}, []string{}
	for _, q := range questions {
		ids = append(ids, q.TaskID)
	}
	tasks, err := d.store.TasksByID(ctx, ids)
	if err != nil || len(tasks) == 0 {
		return owners, err
	}
	projects, err := d.store.Projects(ctx)
	for _, t := range tasks {
		at := slices.IndexFunc(projects, func(p beckon.Project) bool { return p.ID == t.ProjectID })
		if at >= 0 {
			owners[t.ID] = owner{t, projects[at]}
		}
	}
	return owners, err
}

// allOf returns each of the questions as a way shows it. One whose card was removed
// meanwhile is left out.
func allOf[T any](ctx context.Context, d afar, questions []beckon.Question, show func(beckon.Question, owner) T) ([]T, error) {
	owners, err := d.ownersOf(ctx, questions)
	if err != nil {
		return nil, err
	}
	all := make([]T, 0, len(questions))
	for _, q := range questions {
		if o, there := owners[q.TaskID]; there {
			all = append(all, show(q, o))
		}
	}
	return all, nil
}

// oneOf returns the question with the id as a way shows it, or beckon.ErrNotFound.
func oneOf[T any](ctx context.Context, d afar, id string, show func(beckon.Question, owner) T) (one T, err error) {
	q, err := d.store.Question(ctx, id)
	if err != nil {
		return one, err
	}
	all, err := allOf(ctx, d, []beckon.Question{q}, show)
	if err != nil {
		return one, err
	}
	if len(all) == 0 {
		return one, fmt.Errorf("the card of question %s is gone: %w", id, beckon.ErrNotFound)
	}
	return all[0], nil
}

// Stop ends a task's agent.
func (d afar) Stop(ctx context.Context, taskID string) error { return d.app.runner.Stop(ctx, taskID) }

// Message writes to a task's agent, once by that name, which reads it when its turn is
// over.
func (d afar) Message(ctx context.Context, taskID, words, name string) error {
	_, err := d.app.runner.SendMessage(once.As(ctx, name), taskID, beckon.NewMessage{Text: words, Images: []beckon.Image{}, Manner: beckon.Queue})
	if errors.Is(err, once.ErrDone) {
		return nil
	}
	return err
}
