package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/undolog"
)

// Behind counts the commits of a task's base that its branch lacks.
func (a *API) Behind(taskID string) (commits int, err error) {
	defer recovered(&err)
	return a.parts.Board.Behind(a.ctx, taskID)
}

// UpdateFromBase brings what a task's base has by now into its branch.
func (a *API) UpdateFromBase(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.UpdateFromBase(undolog.Into(a.ctx, beckon.ChangeUpdate), taskID)
}

// Merge merges a task's branch into its base the project's way and moves it to done.
func (a *API) Merge(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.Merge(undolog.Into(a.ctx, beckon.ChangeMerge), taskID, reviewing.MergeOrder{})
}

// MergeAs is Merge in a way, or with a message, that is not the project's.
func (a *API) MergeAs(taskID string, order reviewing.MergeOrder) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.Merge(undolog.Into(a.ctx, beckon.ChangeMerge), taskID, order)
}

// MergeTogether merges what a task did in several repositories, in the order that is given: all
// of it or nothing. The task moves to done unless it has work that was left out.
func (a *API) MergeTogether(taskID string, orders []reviewing.PartOrder) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Board.MergeTogether(undolog.Into(a.ctx, beckon.ChangeMerge), taskID, orders)
}

// Parts tells how a task's work stands in each of its repositories, in the order in which they
// are merged.
func (a *API) Parts(taskID string) (list []reviewing.Part, err error) {
	defer recovered(&err)
	return a.parts.Board.Parts.List(a.ctx, taskID)
}

// OpenRepository gives a task a worktree of a further repository of its project, and returns
// the worktree's folder.
func (a *API) OpenRepository(taskID, name string) (dir string, err error) {
	defer recovered(&err)
	return a.parts.Board.OpenRepository(a.ctx, taskID, name)
}

// MergeProposal tells what merging a task's branch would make: the commits that it
// has, and the messages.
func (a *API) MergeProposal(taskID string) (p reviewing.MergeProposal, err error) {
	defer recovered(&err)
	return a.parts.Board.MergeProposal(a.ctx, taskID)
}

// Conflicts returns the files in which a task's branch conflicts with its base, and
// where.
func (a *API) Conflicts(taskID string) (list []reviewing.Conflict, err error) {
	defer recovered(&err)
	return a.parts.Conflict.Of(a.ctx, taskID)
}

// ResolveByHand merges a task's base into its worktree as far as that goes, for the user
// to resolve the rest there.
func (a *API) ResolveByHand(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Conflict.Begin(a.ctx, taskID)
}

// TakeSides resolves conflicts of a task by the sides that the user took, and tells what is
// left to them in the worktree.
func (a *API) TakeSides(taskID string, taken []reviewing.TakenSides) (by reviewing.ByHand, err error) {
	defer recovered(&err)
	return a.parts.Conflict.Take(a.ctx, taskID, taken)
}

// ByHand tells how far the user is who resolves conflicts of a task.
func (a *API) ByHand(taskID string) (by reviewing.ByHand, err error) {
	defer recovered(&err)
	return a.parts.Conflict.ByHand(a.ctx, taskID)
}

// FinishByHand commits what was resolved to the task's branch.
func (a *API) FinishByHand(taskID string) (t beckon.Task, err error) {
	defer recovered(&err)
	return a.parts.Conflict.Finish(a.ctx, taskID)
}

// AbandonByHand makes the worktree what it was before ResolveByHand.
func (a *API) AbandonByHand(taskID string) (err error) {
	defer recovered(&err)
	return a.parts.Conflict.Abandon(a.ctx, taskID)
}

// PullProposal tells what a pull request for a task's branch would be. It asks no
// server.
func (a *API) PullProposal(taskID string) (p reviewing.PullProposal, err error) {
	defer recovered(&err)
	return a.parts.Pulls.Propose(a.ctx, taskID)
}

// OpenPull pushes a task's branch and opens a pull request for it.
func (a *API) OpenPull(taskID string, order reviewing.PullOrder) (r reviewing.PullRequest, err error) {
	defer recovered(&err)
	return a.parts.Pulls.Open(a.ctx, taskID, order)
}

// RefreshPull asks how a task's pull request is.
func (a *API) RefreshPull(taskID string) (r reviewing.PullRequest, err error) {
	defer recovered(&err)
	return a.parts.Pulls.Refresh(a.ctx, taskID)
}
