package program

import (
	"context"

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
		Messages: func(ctx context.Context, taskID string) (reviewing.MergeProposal, error) {
			return p.board.MergeProposal(ctx, taskID)
		},
		Committed: func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error {
			return p.board.Committed(ctx, taskID, work)
		},
	}
}

// conflicts joins what resolves conflicts to what it needs.
func (p *program) conflicts() review.ConflictFinder {
	return review.ConflictFinder{
		Task: p.board.Parts.Task, Project: p.board.Parts.Project, Committed: p.board.Committed, Update: p.board.UpdateFromBase,
		Hold: func(id string) (func(), error) {
			card, _ := reviewing.SplitPart(id)
			return p.runner.Hold(card)
		},
		Note: func(ctx context.Context, taskID string) error {
			return p.store.Intents.Save(ctx, taskID, store.IntentResolve)
		},
	}
}
