package main

import (
	"context"

	"beckon/backend/beckon/comment"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/history"
	"beckon/backend/review"
	"beckon/backend/review/since"
)

// reviewing joins comments on changes to what they need.
func (p *program) reviewing(past *history.History) review.Config {
	return review.Config{
		Kept: p.store.Comments, Lines: p.diffLines, Content: p.since.Content, Shown: p.since.Shown, Transcript: past.Transcript, Message: p.store.Message,
		Turn: p.since.Turn, Agents: p.runner, Publish: p.publish,
	}
}

// diffLines returns the lines of files on one side of a task's changes; those that are
// not there are left out.
func (p *program) diffLines(ctx context.Context, id string, side comment.Side, paths []string) (map[string][]string, error) {
	repo, w, err := p.board.Work(ctx, id)
	if err != nil || repo == nil {
		return nil, err
	}
	return repo.Lines(ctx, w, side == comment.Before, paths)
}

// showing joins what shows changes by what they came from to what it needs.
func (p *program) showing() since.Config {
	return since.Config{
		Kept: p.store.Turns, Task: p.store.Task, Project: p.store.Project, Repo: p.board.Kept, Live: p.runner.Live, Bring: p.executors.BringLive,
		Landmarks: p.search.Landmarks, Whole: p.board.Review, MarkViewed: p.board.MarkViewed,
	}
}

// ChangeRanges returns what a task's changes can be looked at by: turns, commits and the
// last review.
func (a *App) ChangeRanges(taskID string) (r reviewing.Ranges, err error) {
	defer recovered(&err)
	return a.since.Ranges(a.ctx, taskID)
}

// Comments returns those on lines of a task's changes, the oldest first, each where
// its lines are by now.
func (a *App) Comments(taskID string) (list []comment.Comment, err error) {
	defer recovered(&err)
	return a.comments.List(a.ctx, taskID)
}

// SaveComment keeps a comment on lines of a task's changes as a draft, or what a
// draft says by now.
func (a *App) SaveComment(n comment.Edit) (c comment.Comment, err error) {
	defer recovered(&err)
	return a.comments.Save(a.ctx, n)
}

// DeleteComment removes a comment that was not sent.
func (a *App) DeleteComment(id string) (err error) {
	defer recovered(&err)
	return a.comments.Delete(a.ctx, id)
}

// ResolveComment closes a comment that was sent, or opens it again.
func (a *App) ResolveComment(id string, resolved bool) (c comment.Comment, err error) {
	defer recovered(&err)
	return a.comments.Resolve(a.ctx, id, resolved)
}

// SendComments brings the comments of a task that were not sent to its agent, and
// returns how many they are.
func (a *App) SendComments(taskID string) (n int, err error) {
	defer recovered(&err)
	err = a.since.Reviewing(a.ctx, taskID, func() error { n, err = a.comments.Send(a.ctx, taskID); return err })
	return n, err
}

// DiffPicture returns an image of a task's changes, as it was or as it is.
func (a *App) DiffPicture(taskID string, of reviewing.Side) (p reviewing.Picture, err error) {
	defer recovered(&err)
	return a.comments.Picture(a.ctx, taskID, of)
}
