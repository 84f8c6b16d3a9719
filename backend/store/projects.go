package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/table"
)

var projects = table.Of[beckon.Project]{
	Name: "project",
	Columns: []string{
		"id", "key", "name", "dir", "color", "git", "base", "branch_pattern",
		"model", "mode", "policy", "wait_ms", "allowed", "trusted", "merge_way", "scripts", "executor", "agent", "repositories", "created",
	},
	Fields: func(p *beckon.Project) []any {
		return []any{
			&p.ID, &p.Key, &p.Name, &p.Dir, &p.Color, &p.Git, &p.Base, &p.BranchPattern,
			&p.Model, &p.Mode, &p.Policy, &p.WaitMs,
			table.JSON(&p.Allowed),
			&p.Trusted, &p.MergeWay, table.JSON(&p.Scripts), &p.Executor, &p.Agent, table.JSON(&p.Repositories), &p.Created,
		}
	},
	Tidy: func(p *beckon.Project) {
		p.Allowed, p.Scripts.Copied, p.Repositories = table.NonNil(p.Allowed), table.NonNil(p.Scripts.Copied), table.NonNil(p.Repositories)
	},
}

// Projects returns all projects, the oldest first.
func (s *Store) Projects(ctx context.Context) ([]beckon.Project, error) {
	return projects.List(ctx, s.read, "ORDER BY created, rowid")
}

// Project returns the project with the id, or beckon.ErrNotFound.
func (s *Store) Project(ctx context.Context, id string) (beckon.Project, error) {
	return projects.One(ctx, s.read, id)
}

// AddProject adds p and fills in its ID, Color and Created where they are
// zero. A folder or key that another project has is beckon.ErrConflict.
func (s *Store) AddProject(ctx context.Context, p *beckon.Project) error {
	if p.ID == "" {
		p.ID = beckon.NewID()
	}
	if p.Created == 0 {
		p.Created = beckon.Now()
	}
	p.MergeWay = cmp.Or(p.MergeWay, reviewing.MergeCommit)
	projects.Tidy(p)
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if p.Color == 0 {
			if err := tx.QueryRowContext(ctx, "SELECT count(*) % 4 + 1 FROM project").Scan(&p.Color); err != nil {
				return err
			}
		}
		if err := distinct(ctx, tx, p); err != nil {
			return err
		}
		return projects.Insert(ctx, tx, p)
	})
}

// UpdateProject has edit change the project with the id and returns what it
// became. The ID and Created stay as they are; edit must not call the store.
func (s *Store) UpdateProject(
	ctx context.Context, id string, edit func(*beckon.Project) error,
) (beckon.Project, error) {
	return projects.Update(ctx, s.change, id, func(ctx context.Context, tx *sql.Tx, p *beckon.Project) error {
		was := *p
		if err := edit(p); err != nil {
			return err
		}
		p.ID, p.Created = was.ID, was.Created
		return distinct(ctx, tx, p)
	})
}

// distinct says which other project has p's folder or key.
func distinct(ctx context.Context, tx *sql.Tx, p *beckon.Project) error {
	others, err := projects.List(ctx, tx, "WHERE id <> ? AND (dir = ? OR key = ?)", p.ID, p.Dir, p.Key)
	if err != nil || len(others) == 0 {
		return err
	}
	other := others[0]
	if other.Dir == p.Dir {
		err := fmt.Errorf("%s is already the folder of the project %s (%s): %w", p.Dir, other.Name,
			other.Key, beckon.ErrConflict)
		return problem.New(problem.FolderTaken, err, "name", other.Name, "key", other.Key)
	}
	err = fmt.Errorf("the project %s already has the key %s, choose another: %w", other.Name, p.Key, beckon.ErrConflict)
	return problem.New(problem.KeyTaken, err, "name", other.Name, "key", p.Key)
}

// RemoveProject removes the project with the id, its tasks, and all that
// belongs to them; its folder it does not know. While one of its runs lives
// that is beckon.ErrConflict.
func (s *Store) RemoveProject(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		alive, err := table.Exists(ctx, tx,
			"SELECT 1 FROM run JOIN task ON task.id = run.task_id WHERE run.ended = 0 AND task.project_id = ?", id)
		if err != nil {
			return err
		}
		if alive {
			return problem.New(problem.ProjectBusy,
				fmt.Errorf("an agent is working in this project, stop it first: %w", beckon.ErrConflict))
		}
		return projects.Remove(ctx, tx, id)
	})
}
