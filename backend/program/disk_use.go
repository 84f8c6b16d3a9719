package program

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/disk"
	"beckon/backend/review"
)

// meter measures the room of worktrees, which are the board's.
func (p *program) meter(data string) *disk.RoomMeter {
	return &disk.RoomMeter{Dir: data, Tasks: p.store.TasksOf, Own: func(ctx context.Context, id string) (string, string, error) {
		project, err := p.store.Project(ctx, id)
		if err != nil {
			return "", "", err
		}
		spare, discarded := p.board.Kept(project).Own()
		return spare, discarded, nil
	}, Moments: func(ctx context.Context, id string) (int64, error) {
		project, err := p.store.Project(ctx, id)
		if err != nil || !project.Git {
			return 0, err
		}
		return p.since.Size(ctx, project.Dir)
	}}
}

// lostWork joins what finds it to what it needs.
func (p *program) lostWork() review.LostWork {
	return review.LostWork{
		Tasks: p.store.Tasks, Project: p.store.Project, Repo: func(project beckon.Project) review.LostRepo { return p.board.Kept(project) },
	}
}
