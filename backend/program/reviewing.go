package program

import (
	"context"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/review"
	"beckon/backend/review/since"
)

// reviewing joins comments on changes to what they need.
func (p *program) reviewing() review.Config {
	return review.Config{
		Kept: p.store.Comments, Lines: p.diffLines, Content: p.since.Content, Shown: p.since.Shown, Transcript: p.history.Transcript, Message: p.store.Message,
		Turn: p.since.Turn, Agents: p.runner, Request: p.pulls, Publish: p.publish,
	}
}

// diffLines returns the lines of files on one side of a task's changes; those that are
// not there are left out.
func (p *program) diffLines(ctx context.Context, id string, side reviewing.CommentSide, paths []string) (map[string][]string, error) {
	repo, w, err := p.board.Work(ctx, id)
	if err != nil || repo == nil {
		return nil, err
	}
	return repo.Lines(ctx, w, side == reviewing.Before, paths)
}

// showing joins what shows changes by what they came from to what it needs.
func (p *program) showing() since.Config {
	return since.Config{
		Kept: p.store.Turns, Task: p.board.Parts.Task, Project: p.board.Parts.Project, Repo: p.board.Kept, Live: p.runner.Live,
		Bring: func(ctx context.Context, id string) error {
			if reviewing.IsPart(id) {
				return nil // it is on this computer
			}
			return p.executors.BringLive(ctx, id)
		},
		Landmarks: p.search.Landmarks, Whole: p.board.Review, MarkViewed: p.board.MarkViewed,
	}
}
