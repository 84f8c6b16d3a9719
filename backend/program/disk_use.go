package program

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/disk/room"
	"beckon/backend/review/lost"
)

// meter measures the room of worktrees, which are the board's.
func (p *program) meter(data string) *room.Meter {
	return &room.Meter{Dir: data, Tasks: p.store.TasksOf, Own: func(ctx context.Context, id string) (string, string, error) {
		project, err := p.store.Project(ctx, id)
		if err != nil {
			return "", "", err
		}
		spare, discarded := p.board.Kept(project).Own()
		return spare, discarded, nil
	}}
}

// lostWork joins what finds it to what it needs.
func (p *program) lostWork() lost.Work {
	return lost.Work{
		Tasks: p.store.Tasks, Project: p.store.Project, Repo: func(project beckon.Project) lost.Repo { return p.board.Kept(project) },
	}
}
