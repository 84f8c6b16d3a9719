package store

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/table"
)

// rankedTasks says by windows over the whole table which tasks the screens begin with.
const rankedTasks = `SELECT id FROM (
		SELECT id, status, project_id, status = 'archived' AS away, place,
			row_number() OVER (PARTITION BY status ORDER BY at, row) > 100 AS deep FROM (
			SELECT id, rowid AS row, status, project_id, iif(status IN ('done', 'archived'), -updated, rank) AS at,
				row_number() OVER (PARTITION BY status, project_id ORDER BY iif(status IN ('done', 'archived'), -updated, rank), rowid) AS place
			FROM task)
		ORDER BY away, deep, place, status, project_id LIMIT ?)`

// addMany puts tasks into a store: many share a rank or the time of their last change.
func addMany(t *testing.T, s *Store, random *rand.Rand, projects, n int, statuses ...beckon.Status) {
	t.Helper()
	list := make([]beckon.Task, n)
	ids := make([]string, projects)
	for i := range ids {
		ids[i] = addProject(t, s, fmt.Sprintf("P%d", i)).ID
	}
	for i := range list {
		list[i] = someTask(ids[int(float64(projects)*random.Float64()*random.Float64())])
		list[i].Title, list[i].Status, list[i].Rank = fmt.Sprint(i), statuses[random.IntN(len(statuses))], float64(1+random.IntN(1+n/3))
	}
	if err := s.CreateTasks(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), "UPDATE task SET updated = 1000 + abs(random()) % ?", 1+n/3); err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstTasksAreThoseThatTheWholeTableSays(t *testing.T) {
	t.Parallel()
	every := []beckon.Status{beckon.Backlog, beckon.Queued, beckon.Running, beckon.Review, beckon.Done, beckon.Archived}
	for i, of := range []struct {
		projects, tasks int
		statuses        []beckon.Status
	}{
		{1, 900, every},
		{4, 1500, every},
		{40, 1500, every},
		{3, 1500, []beckon.Status{beckon.Archived}},
		{2, 1500, []beckon.Status{beckon.Done, beckon.Backlog}},
		{30, 1200, []beckon.Status{beckon.Review, beckon.Archived, beckon.Archived, beckon.Archived}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := openStore(t, t.TempDir())
			addMany(t, s, rand.New(rand.NewPCG(uint64(i), 7)), of.projects, of.tasks, of.statuses...)
			for _, most := range []int{1, 5, 99, 100, 101, 250, 499, 600, 850, 1000, 1150} {
				want, err := table.Texts(t.Context(), s.read, rankedTasks, most)
				if err != nil {
					t.Fatal(err)
				}
				list, more, err := s.FirstTasks(t.Context(), most)
				if !more && most < of.tasks {
					t.Errorf("of %d there are no more than %d", of.tasks, most)
				}
				var got []string
				for _, task := range list {
					got = append(got, task.ID)
				}
				slices.Sort(got)
				slices.Sort(want)
				same(t, got, want, err)
			}
		})
	}
}

func TestTheFirstTasksAreFoundWithoutReadingTheOthers(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	for _, query := range []string{activeTops, archiveTops} {
		sorts := 0
		for _, step := range plan(t, s.read, query, 100, 1000) {
			if strings.Contains(step, "TEMP B-TREE") {
				sorts++
			}
			if strings.HasPrefix(step, "SCAN task") || strings.HasPrefix(step, "SEARCH task") &&
				!strings.Contains(step, "rowid=?") && !strings.Contains(step, "COVERING INDEX task_") {
				t.Errorf("%s, in %s", step, query)
			}
		}
		if sorts != 3 {
			t.Errorf("what was found is sorted by three, the columns by none, not %d, in %s", sorts, query)
		}
	}
}

// plan returns the steps in which SQLite runs a query.
func plan(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	type row struct {
		id, parent, unused int
		step               string
	}
	rows, err := table.Rows(t.Context(), db, func(r *row) []any { return []any{&r.id, &r.parent, &r.unused, &r.step} },
		"EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, r := range rows {
		steps = append(steps, r.step)
	}
	return steps
}
