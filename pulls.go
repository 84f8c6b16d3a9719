package main

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/merging"
	"beckon/backend/beckon/pull"
	"beckon/backend/forge"
	"beckon/backend/review/conflict"
	"beckon/backend/store/intent"
)

// forging joins pull requests to what they need.
func (p *program) forging(data string) forge.Config {
	return forge.Config{
		Rows: p.store.Pulls, Publish: func(e beckon.Event) { p.feed.Publish(e) }, Task: p.store.Task, Project: p.store.Project, Dir: data,
		Messages: func(ctx context.Context, taskID string) (merging.Proposal, error) {
			return p.board.MergeProposal(ctx, taskID)
		},
		Committed: func(ctx context.Context, taskID string, work func(beckon.Task, beckon.Project) error) error {
			return p.board.Committed(ctx, taskID, work)
		},
	}
}

// conflicts joins what resolves conflicts to what it needs.
func (p *program) conflicts() conflict.Finder {
	return conflict.Finder{
		Task: p.store.Task, Project: p.store.Project, Committed: p.board.Committed, Hold: p.runner.Hold, Update: p.board.UpdateFromBase,
		Note: func(ctx context.Context, taskID string) error {
			return p.store.Intents.Put(ctx, taskID, intent.Resolve)
		},
	}
}

// ResolveByHand merges a task's base into its worktree as far as that goes, for the user
// to resolve the rest there.
func (a *App) ResolveByHand(taskID string) (err error) {
	defer recovered(&err)
	return a.conflict.Begin(a.ctx, taskID)
}

// ByHand tells how far the user is who resolves conflicts of a task.
func (a *App) ByHand(taskID string) (by merging.ByHand, err error) {
	defer recovered(&err)
	return a.conflict.ByHand(a.ctx, taskID)
}

// FinishByHand commits what was resolved to the task's branch.
func (a *App) FinishByHand(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.conflict.Finish(a.ctx, taskID)
}

// AbandonByHand makes the worktree what it was before ResolveByHand.
func (a *App) AbandonByHand(taskID string) (err error) {
	defer recovered(&err)
	return a.conflict.Abandon(a.ctx, taskID)
}

// PullProposal tells what a pull request for a task's branch would be. It asks no
// server.
func (a *App) PullProposal(taskID string) (p pull.Proposal, err error) {
	defer recovered(&err)
	return a.pulls.Propose(a.ctx, taskID)
}

// OpenPull pushes a task's branch and opens a pull request for it.
func (a *App) OpenPull(taskID string, order pull.Order) (r pull.Request, err error) {
	defer recovered(&err)
	return a.pulls.Open(a.ctx, taskID, order)
}

// RefreshPull asks how a task's pull request is.
func (a *App) RefreshPull(taskID string) (r pull.Request, err error) {
	defer recovered(&err)
	return a.pulls.Refresh(a.ctx, taskID)
}
