package program

import (
	"context"
	"errors"
	"log/slog"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/forge"
	"beckon/backend/review"
	"beckon/backend/store"
)

// forging joins pull requests to what they need.
func (p *program) forging(data string) forge.Config {
	return forge.Config{
		Rows: p.store.Pulls, Publish: func(e beckon.Event) { p.feed.Publish(e) }, Dir: data,
		Task: func(ctx context.Context, id string) (beckon.Task, error) { return p.board.Parts.Task(ctx, id) },
		Project: func(ctx context.Context, id string) (beckon.Project, error) {
			return p.board.Parts.Project(ctx, id)
		},
		Opened: p.nameOthers,
		Messages: func(ctx context.Context, taskID string) (reviewing.MergeProposal, error) {
			return p.board.MergeProposal(ctx, taskID)
		},
		Committed: func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error {
			return p.board.Committed(ctx, taskID, work)
		},
	}
}

// nameOthers has the pull requests of a task's repositories name each other, once there are
// several of one owner on one server: nobody else may be shown that a repository is there. They
// are open either way.
func (p *program) nameOthers(ctx context.Context, id string) {
	taskID := reviewing.CardOf(id)
	t, err := p.store.Task(ctx, taskID)
	if err != nil {
		return
	}
	project, err := p.store.Project(ctx, t.ProjectID)
	if err != nil {
		return
	}
	pieces, err := p.board.Parts.All(ctx, t, project)
	var all []reviewing.PullRequest
	for _, one := range pieces {
		r, there, rowErr := p.store.Pulls.Of(ctx, one.Task.ID)
		if err = errors.Join(err, rowErr); there && r.Number > 0 {
			all = append(all, r)
		}
	}
	for i, r := range all {
		var others []string
		for j, other := range all {
			if j != i && r.SameOwner(other) {
				others = append(others, other.URL)
			}
		}
		if len(others) == 0 || !r.State.Asked() {
			continue
		}
		err = errors.Join(err, p.pulls.Describe(ctx, r.TaskID, func(was string) string { return reviewing.NameOthers(was, others) }))
	}
	if err != nil {
		slog.Warn("have pull requests name each other", "err", err, "task", taskID)
	}
}

// conflicts joins what resolves conflicts to what it needs.
func (p *program) conflicts() review.ConflictFinder {
	return review.ConflictFinder{
		Task: p.board.Parts.Task, Project: p.board.Parts.Project, Committed: p.board.Committed, Update: p.board.UpdateFromBase,
		Hold: func(ctx context.Context, id string) (func(), error) {
			if err := p.runner.AwaitEnd(ctx, reviewing.CardOf(id)); err != nil {
				return nil, err
			}
			return p.runner.Hold(reviewing.CardOf(id))
		},
		Note: func(ctx context.Context, taskID string) error {
			return p.store.Intents.Save(ctx, taskID, store.IntentResolve)
		},
	}
}
