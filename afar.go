package main

import (
	"context"
	"errors"

	"beckon/backend/beckon"
	"beckon/backend/store"
	"beckon/backend/store/once"
)

// afar is what people do alike at the desk from wherever they are.
type afar struct {
	store *store.Store
	app   *App
}

// whose returns the task of a question and its project; neither for a question of a
// session elsewhere.
func (d afar) whose(ctx context.Context, q beckon.Question) (task beckon.Task, project beckon.Project, err error) {
	if q.TaskID == "" {
		return task, project, nil
	}
	if task, err = d.store.Task(ctx, q.TaskID); err != nil {
		return task, project, err
	}
	project, err = d.store.Project(ctx, task.ProjectID)
	return task, project, err
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

// allOf returns each of the questions as a way shows it. One whose card was removed
// meanwhile is left out.
func allOf[T any](ctx context.Context, questions []beckon.Question, of func(context.Context, beckon.Question) (T, error)) ([]T, error) {
	all := make([]T, 0, len(questions))
	for _, q := range questions {
		one, err := of(ctx, q)
		if errors.Is(err, beckon.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
