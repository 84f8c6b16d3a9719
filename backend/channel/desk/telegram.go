package desk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/channel/telegram"
	"beckon/backend/plain"
	"beckon/backend/store"
)

// maxCardTitle is how much of what somebody wrote is the title of a card, in bytes.
const maxCardTitle = 80

// Telegram is what the bot of Telegram does at the desk, in the words of those
// who wrote to it.
type Telegram struct{ Away }

// Asked returns a question with what people know it by.
func (d Telegram) Asked(ctx context.Context, id string) (telegram.Asked, error) {
	return oneOf(ctx, d.Away, id, d.asked)
}

func (d Telegram) asked(q beckon.Question, of owner) telegram.Asked {
	a := telegram.Asked{Question: q, Link: d.Hub.Link(q.ID), Key: of.task.Key, Title: of.task.Title, Agent: of.task.Agent, ProjectID: of.project.ID, Project: of.project.Name}
	if q.Answer != nil {
		a.By = q.Answer.ByName
	}
	return a
}

// Open returns what waits for an answer.
func (d Telegram) Open(ctx context.Context) ([]telegram.Asked, error) {
	open, err := d.Store.OpenQuestions(ctx)
	if err != nil {
		return nil, err
	}
	return allOf(ctx, d.Away, open, d.asked)
}

// Answer settles a question.
func (d Telegram) Answer(ctx context.Context, id string, a beckon.Answer, by string) error {
	a.By, a.ByName = beckon.ByTelegram, by
	return d.GiveAnswer(ctx, id, a)
}

// Hold stops a question's clock.
func (d Telegram) Hold(ctx context.Context, id string) error {
	return d.HoldClock(ctx, id, true)
}

// HoldAll stops every clock.
func (d Telegram) HoldAll(ctx context.Context) error { return d.Board.PauseAll(ctx, true) }

// Working returns the tasks that an agent is at work on.
func (d Telegram) Working(ctx context.Context) ([]telegram.Task, error) {
	live, err := d.Store.LiveRuns(ctx)
	if err != nil {
		return nil, err
	}
	tasks := []telegram.Task{}
	for _, r := range live {
		if r.TaskID == "" {
			continue
		}
		t, err := d.Store.Task(ctx, r.TaskID)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, telegram.Task{
			ID: t.ID, Key: t.Key, Title: t.Title, ProjectID: t.ProjectID, Agent: r.Agent, Activity: d.Runner.Present(r).Activity,
		})
	}
	return tasks, nil
}

// NewCard puts a card into the Backlog of the project of a key. One that was put
// there before is returned.
func (d Telegram) NewCard(ctx context.Context, project, words, name string) (key string, err error) {
	all, err := d.Store.Projects(ctx)
	at := slices.IndexFunc(all, func(p beckon.Project) bool {
		return strings.EqualFold(p.Key, project) || strings.EqualFold(p.Name, project)
	})
	if err != nil || at < 0 {
		return "", cmp.Or(err, beckon.ErrNotFound)
	}
	first, _, _ := strings.Cut(words, "\n")
	t, err := d.Board.CreateTask(store.Once(ctx, name), beckon.NewTask{
		ProjectID: all[at].ID, Title: cmp.Or(plain.Line(first, maxCardTitle), project), Brief: words, Status: beckon.Backlog, Labels: []string{},
	})
	if errors.Is(err, store.ErrDone) {
		return d.keyOf(ctx, all[at].ID, words)
	}
	return t.Key, err
}

// keyOf returns the key of the newest card with these words; empty where it is gone.
func (d Telegram) keyOf(ctx context.Context, projectID, words string) (key string, err error) {
	tasks, err := d.Store.TasksOf(ctx, projectID)
	created := int64(0)
	for _, t := range tasks {
		if t.Brief == words && t.Created >= created {
			key, created = t.Key, t.Created
		}
	}
	return key, err
}
