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
		Rows: p.store.Pulls, Publish: func(e beckon.Event) { p.feed.Publish(e) }, Task: p.store.Task, Project: p.store.Project, Dir: data,
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
		Task: p.store.Task, Project: p.store.Project, Committed: p.board.Committed, Hold: p.runner.Hold, Update: p.board.UpdateFromBase,
		Note: func(ctx context.Context, taskID string) error {
			return p.store.Intents.Save(ctx, taskID, store.IntentResolve)
		},
	}
}
