package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram"
	"beckon/backend/plain"
	"beckon/backend/store/once"
)

// maxCardTitle is how much of what somebody wrote is the title of a card, in bytes.
const maxCardTitle = 80

// telegramDesk is what the bot of Telegram does at the desk, in the words of those
// who wrote to it.
type telegramDesk struct{ afar }

// Asked returns a question with what people know it by.
func (d telegramDesk) Asked(ctx context.Context, id string) (telegram.Asked, error) {
	return oneOf(ctx, d.afar, id, d.asked)
}

func (d telegramDesk) asked(q beckon.Question, of owner) telegram.Asked {
	a := telegram.Asked{Question: q, Link: d.app.channels.Link(q.ID), Key: of.task.Key, Title: of.task.Title, ProjectID: of.project.ID, Project: of.project.Name}
	if q.Answer != nil {
		a.By = q.Answer.ByName
	}
	return a
}

// Open returns what waits for an answer.
func (d telegramDesk) Open(ctx context.Context) ([]telegram.Asked, error) {
	open, err := d.store.OpenQuestions(ctx)
	if err != nil {
		return nil, err
	}
	return allOf(ctx, d.afar, open, d.asked)
}

// Answer settles a question.
func (d telegramDesk) Answer(ctx context.Context, id string, a beckon.Answer, by string) error {
	a.By, a.ByName = beckon.ByTelegram, by
	return d.app.answer(ctx, id, a)
}

// Hold stops a question's clock.
func (d telegramDesk) Hold(ctx context.Context, id string) error {
	return d.app.desk.Hold(ctx, id, true)
}

// HoldAll stops every clock.
func (d telegramDesk) HoldAll(ctx context.Context) error { return d.app.board.PauseAll(ctx, true) }

// Working returns the tasks that an agent is at work on.
func (d telegramDesk) Working(ctx context.Context) ([]telegram.Task, error) {
	live, err := d.store.LiveRuns(ctx)
	if err != nil {
		return nil, err
	}
	tasks := []telegram.Task{}
	for _, r := range live {
		if r.TaskID == "" {
			continue
		}
		t, err := d.store.Task(ctx, r.TaskID)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, telegram.Task{ID: t.ID, Key: t.Key, Title: t.Title, ProjectID: t.ProjectID, Activity: d.app.runner.Present(r).Activity})
	}
	return tasks, nil
}

// NewCard puts a card into the Backlog of the project of a key. One that was put
// there before is returned.
func (d telegramDesk) NewCard(ctx context.Context, project, words, name string) (key string, err error) {
	all, err := d.store.Projects(ctx)
	at := slices.IndexFunc(all, func(p beckon.Project) bool {
		return strings.EqualFold(p.Key, project) || strings.EqualFold(p.Name, project)
	})
	if err != nil || at < 0 {
		return "", cmp.Or(err, beckon.ErrNotFound)
	}
	first, _, _ := strings.Cut(words, "\n")
	t, err := d.app.board.CreateTask(once.As(ctx, name), beckon.NewTask{
		ProjectID: all[at].ID, Title: cmp.Or(plain.Line(first, maxCardTitle), project), Brief: words, Status: beckon.Backlog, Labels: []string{},
	})
	if errors.Is(err, once.ErrDone) {
		return d.keyOf(ctx, all[at].ID, words)
	}
	return t.Key, err
}

// keyOf returns the key of the newest card with these words; empty where it is gone.
func (d telegramDesk) keyOf(ctx context.Context, projectID, words string) (key string, err error) {
	tasks, err := d.store.TasksOf(ctx, projectID)
	created := int64(0)
	for _, t := range tasks {
		if t.Brief == words && t.Created >= created {
			key, created = t.Key, t.Created
		}
	}
	return key, err
}
