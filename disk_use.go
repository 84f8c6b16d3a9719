package main

import (
	"context"

	"beckon/backend/beckon"
	"beckon/backend/beckon/diskuse"
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

// LostWork returns the ids of discarded tasks whose work is not kept any more.
func (a *App) LostWork() (ids []string, err error) {
	defer recovered(&err)
	return a.lost.Find(a.ctx)
}

// lostWork joins what finds it to what it needs.
func (p *program) lostWork() lost.Work {
	return lost.Work{
		Tasks: p.store.Tasks, Project: p.store.Project, Repo: func(project beckon.Project) lost.Repo { return p.board.Kept(project) },
	}
}

// DiskUse returns the room that the worktrees and the discarded work of a project
// take; without an id, that of all.
func (a *App) DiskUse(projectID string) (u diskuse.Use, err error) {
	defer recovered(&err)
	return a.usage.Of(a.ctx, projectID)
}
