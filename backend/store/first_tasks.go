package store

import (
	"context"
	"fmt"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// This file finds the tasks that the screens begin with, without reading the others: the
// tops of the columns, then those of each project's columns, and the archived ones last.
// What an agent works on or waits with is there besides.

// mostOfColumn is how many of a column of all projects come before what is deeper.
const mostOfColumn = 100

// What the partial indexes of migration 0041 are of. A query that repeats it, with its
// status written out, is served by them.
const (
	isOver    = "status IN ('done', 'archived')"
	isNotOver = "status NOT IN ('done', 'archived')"
)

var (
	activeTops  = tops(beckon.Backlog, beckon.Queued, beckon.Running, beckon.Review, beckon.Done)
	archiveTops = tops(beckon.Archived)
)

// tops returns the query for the ids of so many as ?2 of the tasks in columns: the tops of
// the columns before what is deeper, each by its place in the column of its project, as
// far down as ?1. Of two in one place the older row comes first.
func tops(columns ...beckon.Status) string {
	var all, found []string
	for _, status := range columns {
		kind, order := isNotOver, "rank, rowid"
		if status == beckon.Done || status == beckon.Archived {
			kind, order = isOver, "updated DESC, rowid"
		}
		top := fmt.Sprintf("SELECT rowid FROM task WHERE status = '%s' AND %s", status, kind)
		all = append(all, fmt.Sprintf("SELECT rowid AS row FROM (%s ORDER BY %s LIMIT %d)", top, order, mostOfColumn))
		found = append(found, fmt.Sprintf("SELECT task.rowid FROM project CROSS JOIN task ON task.rowid IN ("+
			"%s AND project_id = project.id ORDER BY %s LIMIT ?1)", top, order))
	}
	return `WITH top AS MATERIALIZED (` + strings.Join(all, " UNION ALL ") + `),
		found AS (SELECT DISTINCT row FROM (SELECT row FROM top UNION ALL ` + strings.Join(found, " UNION ALL ") + `))
		SELECT id FROM (SELECT id, status, project_id, row NOT IN top AS deep, row_number() OVER (
				PARTITION BY status, project_id ORDER BY iif(` + isOver + `, -updated, rank), row) AS place
			FROM found CROSS JOIN task ON task.rowid = row)
		ORDER BY deep, place, status, project_id LIMIT ?2`
}

// FirstTasks returns so many tasks as the screens begin with, by their rank, and
// whether there are more.
func (s *Store) FirstTasks(ctx context.Context, most int) (list []beckon.Task, more bool, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT count(*) > ?1 FROM (SELECT 1 FROM task LIMIT ?1 + 1)", most).Scan(&more)
	if err != nil {
		return nil, false, err
	}
	if !more {
		list, err = s.Tasks(ctx)
		return list, false, err
	}
	ids, err := s.top(ctx, activeTops, most)
	if err == nil && len(ids) < most {
		var archived []string
		archived, err = s.top(ctx, archiveTops, most-len(ids))
		ids = append(ids, archived...)
	}
	if err != nil {
		return nil, false, err
	}
	list, err = tasks.List(ctx, s.read, `WHERE id IN (SELECT value FROM json_each(?)
		UNION SELECT task_id FROM run WHERE ended = 0
		UNION SELECT task_id FROM question WHERE `+openCondition+`) ORDER BY rank, created, rowid`, table.JSON(ids))
	return list, true, err
}

// top returns the ids of the first of some columns. It looks as deep as it takes: where
// there are too few so far down, few projects go on below.
func (s *Store) top(ctx context.Context, query string, most int) ([]string, error) {
	depth := mostOfColumn
	if most >= 5*mostOfColumn {
		depth /= 10 // all tops are among them in any case, so only the order of the others counts
	}
	for {
		ids, err := table.Texts(ctx, s.read, query, depth, most)
		if err != nil || len(ids) == most || depth >= most {
			return ids, err
		}
		depth = min(10*depth, most)
	}
}
