package imports

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/problem"
	"beckon/backend/nearby"
	"beckon/backend/store/database"

	"github.com/adrg/xdg"
)

// This file reads the database of vibe-kanban. A copy is opened, to read only; nothing of it
// runs: views, virtual tables and what a schema computes are refused.

const (
	maxDatabase = 1 << 30         // bytes; it has the logs of all runs
	readIn      = 2 * time.Minute // for the copy and all that is read
	copyTries   = 3               // it may be written meanwhile
)

// Database returns the path of vibe-kanban's own database, empty where there is none. Of both
// names the second was used by its first versions.
func Database() string {
	dirs := []string{filepath.Join(xdg.DataHome, "vibe-kanban"), filepath.Join(xdg.DataHome, "ai.bloop.vibe-kanban")}
	if roaming := os.Getenv("APPDATA"); roaming != "" {
		dirs = append(dirs, filepath.Join(roaming, "bloop", "vibe-kanban", "data"))
	}
	for _, dir := range dirs {
		for _, name := range []string{"db.v2.sqlite", "db.sqlite"} {
			path := filepath.Join(dir, name)
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// readVibeKanban reads all tasks of a database, each for the project whose folder is its
// project's there. scratch is a folder for the copy, which is removed.
func readVibeKanban(ctx context.Context, typed, scratch string, projects []beckon.Project) (l list, file string, err error) {
	ctx, cancel := context.WithTimeout(ctx, readIn)
	defer cancel()
	if file = nearby.AtHome(typed); file == "" {
		file = Database()
	}
	if !filepath.IsAbs(file) {
		return l, file, noDatabase(file, beckon.ErrNotFound)
	}
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return l, file, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	at := filepath.Join(scratch, "copy.sqlite")
	if err := copyDatabase(ctx, file, at); err != nil {
		return l, file, err
	}
	db, err := database.Open(at, "ro", "query_only(1)", "trusted_schema(0)", "cell_size_check(1)")
	if err != nil {
		return l, file, err
	}
	defer db.Close()
	there, err := tablesOf(ctx, db)
	if err != nil {
		return l, file, noDatabase(file, err)
	}
	if missing := there.missing(); missing != "" {
		err := fmt.Errorf("%s has no %s, as no vibe-kanban that Beckon knows: %w", file, missing, beckon.ErrInvalid)
		return l, file, problem.New(problem.ImportSchema, err, "file", file, "missing", missing)
	}
	if err := l.tasksOf(ctx, db, there, projects); err != nil {
		return l, file, noDatabase(file, err)
	}
	return l, file, nil
}

func noDatabase(file string, err error) error {
	err = fmt.Errorf("no database of vibe-kanban can be read at %q: %w", file, err)
	return problem.New(problem.ImportFile, err, "file", file)
}

// copyDatabase copies a database with what is not in its main file yet. One that is written
// meanwhile is copied again.
func copyDatabase(ctx context.Context, from, to string) error {
	for range copyTries {
		before, err := stateOf(from)
		if err != nil {
			return noDatabase(from, err)
		}
		for _, end := range []string{"", "-wal", "-journal"} {
			if err := os.Remove(to + end); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			err := copyFile(ctx, from+end, to+end)
			if err != nil && (end == "" || !errors.Is(err, os.ErrNotExist)) {
				return err
			}
		}
		if after, err := stateOf(from); err == nil && slices.Equal(after, before) {
			return nil
		}
	}
	err := fmt.Errorf("%s is written all the time: %w", from, beckon.ErrConflict)
	return problem.New(problem.ImportBusy, err, "file", from)
}

// stateOf is what shows whether a database was written: the sizes and times of its files.
func stateOf(path string) ([]int64, error) {
	var state []int64
	for _, end := range []string{"", "-wal", "-journal"} {
		info, err := os.Lstat(path + end)
		switch {
		case err == nil && info.Mode().IsRegular():
			state = append(state, info.Size(), info.ModTime().UnixNano())
		case end == "":
			return nil, errors.Join(err, beckon.ErrNotFound)
		default:
			state = append(state, -1)
		}
	}
	return state, nil
}

// copyFile copies a regular file, which is no link, within the limit of sizes.
func copyFile(ctx context.Context, from, to string) error {
	info, err := os.Lstat(from)
	if err == nil && !info.Mode().IsRegular() {
		err = beckon.ErrNotFound
	}
	if errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err != nil {
		return noDatabase(from, err)
	}
	in, err := os.Open(from)
	if err != nil {
		return noDatabase(from, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(&stoppable{ctx, in}, maxDatabase+1))
	if err = errors.Join(err, out.Close()); errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("copy %s: %w: %w", from, beckon.ErrDiskFull, err)
	}
	if err == nil && n > maxDatabase {
		err := fmt.Errorf("%s is larger than %d MB: %w", from, maxDatabase>>20, beckon.ErrInvalid)
		return problem.New(problem.ImportBig, err, "file", from, "most", fmt.Sprint(maxDatabase>>20))
	}
	return err
}

// stoppable reads until its context ends.
type stoppable struct {
	ctx context.Context //nolint:containedctx // It lives as long as one copy.
	io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// known are the tables that are read, of all versions.
var known = []string{
	"projects", "tasks", "repos", "project_repos", "workspaces", "task_attempts",
	"local_issues", "local_project_statuses", "local_tags", "local_issue_tags", "local_workspace_links",
}

// schema are the columns of those tables that are plain ones.
type schema map[string][]string

// has reports whether a table has columns.
func (s schema) has(table string, columns ...string) bool {
	for _, c := range columns {
		if !slices.Contains(s[table], c) {
			return false
		}
	}
	return true
}

// boards reports whether the tasks are on a board whose columns have names of the user's: the
// newest versions have moved them there.
func (s schema) boards() bool {
	return s.has("local_issues", "id", "project_id", "simple_id", "status_id", "title", "description", "priority", "created_at") &&
		s.has("local_project_statuses", "id", "name")
}

// missing names what cannot be done without and is not there.
func (s schema) missing() string {
	needed := map[string][]string{"projects": {"id", "name"}}
	if !s.boards() {
		needed["tasks"] = []string{"id", "project_id", "title", "description", "status", "created_at"}
	}
	for table, columns := range needed {
		for _, c := range columns {
			if !s.has(table, c) {
				return table + "." + c
			}
		}
	}
	return ""
}

// tablesOf reads the schema. A column that is computed is none, and neither is a table that is
// a view or runs code.
func tablesOf(ctx context.Context, db *sql.DB) (schema, error) {
	there := schema{}
	for _, table := range known {
		columns, err := columnsOf(ctx, db, table)
		if err != nil {
			return nil, err
		}
		there[table] = columns
	}
	return there, nil
}

func columnsOf(ctx context.Context, db *sql.DB, table string) (columns []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT c.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
		WHERE s.name = ? AND s.type = 'table' AND s.sql LIKE 'CREATE TABLE%' AND c.hidden = 0 LIMIT 200`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		columns = append(columns, name)
	}
	return columns, rows.Err()
}

// folders returns the query of the folders of projects: two versions keep them apart.
func (s schema) folders() string {
	switch {
	case s.has("repos", "id", "path") && s.has("project_repos", "project_id", "repo_id"):
		return "SELECT hex(p.project_id), substr(CAST(r.path AS TEXT), 1, 5000) FROM project_repos p JOIN repos r ON r.id = p.repo_id"
	case s.has("projects", "git_repo_path"):
		return "SELECT hex(id), substr(CAST(git_repo_path AS TEXT), 1, 5000) FROM projects"
	default:
		return ""
	}
}

// branches returns the query of the branches of tasks, the newest last.
func (s schema) branches() string {
	if s.boards() && s.has("local_workspace_links", "workspace_id", "issue_id") && s.has("workspaces", "id", "branch", "created_at") {
		return `SELECT hex(l.issue_id), substr(CAST(w.branch AS TEXT), 1, 300) FROM local_workspace_links l JOIN workspaces w ON w.id = l.workspace_id
			WHERE w.branch <> '' ORDER BY w.created_at`
	}
	for _, table := range []string{"workspaces", "task_attempts"} {
		if s.has(table, "task_id", "branch", "created_at") {
			return "SELECT hex(task_id), substr(CAST(branch AS TEXT), 1, 300) FROM " + table + " WHERE branch <> '' ORDER BY created_at"
		}
	}
	return ""
}

// labels returns the query of the labels of tasks.
func (s schema) labels() string {
	if s.boards() && s.has("local_tags", "id", "name") && s.has("local_issue_tags", "issue_id", "tag_id") {
		return `SELECT hex(l.issue_id), substr(CAST(t.name AS TEXT), 1, 300) FROM local_issue_tags l JOIN local_tags t ON t.id = l.tag_id`
	}
	return ""
}

// tasks returns the query of the tasks: id, project and its name, title, text, state, key and
// priority, each of a bounded length.
func (s schema) tasks() string {
	from := "'', '', coalesce(substr(CAST(t.status AS TEXT), 1, 200), '') FROM tasks t"
	if s.boards() {
		from = `coalesce(substr(CAST(t.simple_id AS TEXT), 1, 200), ''), coalesce(substr(CAST(t.priority AS TEXT), 1, 200), ''),
			coalesce(substr(CAST(s.name AS TEXT), 1, 200), '') FROM local_issues t LEFT JOIN local_project_statuses s ON s.id = t.status_id`
	}
	return fmt.Sprintf(`SELECT hex(t.id), hex(t.project_id), coalesce(substr(CAST(p.name AS TEXT), 1, 500), ''),
		coalesce(substr(CAST(t.title AS TEXT), 1, %d), ''), coalesce(substr(CAST(t.description AS TEXT), 1, %d), ''),
		%s LEFT JOIN projects p ON p.id = t.project_id ORDER BY t.created_at LIMIT %d`, beckon.MaxTitle+1, beckon.MaxBrief+1, from, 2*importing.MaxRows)
}

// tasksOf reads the tasks.
func (l *list) tasksOf(ctx context.Context, db *sql.DB, there schema, projects []beckon.Project) error {
	dirs, err := pairs(ctx, db, there.folders())
	if err != nil {
		return err
	}
	branches, err := pairs(ctx, db, there.branches())
	if err != nil {
		return err
	}
	of := map[string]string{} // the project of a project there
	for _, d := range dirs {
		at := slices.IndexFunc(projects, func(p beckon.Project) bool { return sameFolder(p.Dir, d[1]) })
		if at >= 0 && of[d[0]] == "" {
			of[d[0]] = projects[at].ID
		}
	}
	branch := map[string]string{}
	for _, b := range branches {
		branch[b[0]] = b[1]
	}
	named, err := pairs(ctx, db, there.labels())
	if err != nil {
		return err
	}
	labels := map[string][]string{}
	for _, label := range named {
		labels[label[0]] = append(labels[label[0]], label[1])
	}
	rows, err := db.QueryContext(ctx, there.tasks())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, project, name, priority string
		var c importing.Card
		if err := rows.Scan(&id, &project, &name, &c.Title, &c.Text, &c.Key, &priority, &c.State); err != nil {
			return err
		}
		c.Branch, c.Labels, c.Priority = branch[id], labels[id], priorities[lower(priority)]
		if c.ProjectID = of[project]; c.ProjectID == "" {
			l.refuse(importing.Refusal{Title: c.Title, Why: importing.NoProject, Detail: readable(name)})
			continue
		}
		l.add(0, c)
	}
	return rows.Err()
}

// pairs reads two columns of text; no query has none.
func pairs(ctx context.Context, db *sql.DB, query string) (list [][2]string, err error) {
	if query == "" {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, query+fmt.Sprintf(" LIMIT %d", 10*importing.MaxRows))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a, b sql.NullString
		if err := rows.Scan(&a, &b); err != nil {
			return nil, err
		}
		list = append(list, [2]string{a.String, b.String})
	}
	return list, rows.Err()
}

// sameFolder reports whether a path there is the folder of a project here, whose links are
// resolved.
func sameFolder(dir, there string) bool {
	if there == "" || !filepath.IsAbs(there) {
		return false
	}
	if real, err := filepath.EvalSymlinks(there); err == nil {
		there = real
	}
	return filepath.Clean(dir) == filepath.Clean(there) || (filepath.Separator == '\\' && strings.EqualFold(filepath.Clean(dir), filepath.Clean(there)))
}
