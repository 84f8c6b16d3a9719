// Package desk has what people do at the desk who are not at this computer: on phones and
// in chats of Telegram. It shows them questions with what people know these by, settles
// them, steers agents, and pairs the devices that may do so. Who may do what is held by
// the servers in channel, and what an answer means by question.
package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beckon/backend/beckon"
	"beckon/backend/board"
	"beckon/backend/channel"
	"beckon/backend/runner"
	"beckon/backend/store"
)

// Away is what people do alike at the desk from wherever they are.
type Away struct {
	Store  *store.Store
	Hub    *channel.Hub
	Board  *board.Board
	Runner *runner.Runner
	// Sessions returns those that run elsewhere.
	Sessions func() []beckon.OutsideSession
	// Slots returns how many agents may work at a time, by executor.
	Slots      func(context.Context) (map[string]int, error)
	Transcript func(ctx context.Context, taskID, before string, limit int) (beckon.TranscriptPage, error)
	// GiveAnswer settles a question, wherever it was asked.
	GiveAnswer func(ctx context.Context, id string, a beckon.Answer) error
	// HoldClock stops a question's clock, or lets it go on.
	HoldClock func(ctx context.Context, id string, held bool) error
}

// owner is the task of a question and its project; neither for a question of a session
// elsewhere.
type owner struct {
	task    beckon.Task
	project beckon.Project
}

// ownersOf returns whose the questions are, by the ids of tasks. It reads as much for
// one as for many: an open page of a phone asks at each change.
func (d Away) ownersOf(ctx context.Context, questions []beckon.Question) (map[string]owner, error) {
	owners, ids := map[string]owner{"": {}}, []string{}
	for _, q := range questions {
		ids = append(ids, q.TaskID)
	}
	tasks, err := d.Store.TasksByID(ctx, ids)
	if err != nil || len(tasks) == 0 {
		return owners, err
	}
	projects, err := d.Store.Projects(ctx)
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
func allOf[T any](ctx context.Context, d Away, questions []beckon.Question, show func(beckon.Question, owner) T) ([]T, error) {
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
func oneOf[T any](ctx context.Context, d Away, id string, show func(beckon.Question, owner) T) (one T, err error) {
	q, err := d.Store.Question(ctx, id)
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
func (d Away) Stop(ctx context.Context, taskID string) error { return d.Runner.Stop(ctx, taskID) }

// Message writes to a task's agent, once by that name, which reads it when its turn is
// over.
func (d Away) Message(ctx context.Context, taskID, words, name string) error {
	_, err := d.Runner.SendMessage(store.Once(ctx, name), taskID, beckon.NewMessage{Text: words, Images: []beckon.Image{}, Manner: beckon.Queue})
	if errors.Is(err, store.ErrDone) {
		return nil
	}
	return err
}
