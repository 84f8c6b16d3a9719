package imports_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/starting"
	"beckon/backend/board"
	"beckon/backend/board/steps"
	"beckon/backend/imports"
	"beckon/backend/store"
	"beckon/tests/runnertest"
)

// bench is an Importer over a real board, with what a server has.
type bench struct {
	*testing.T
	*imports.Importer
	d       *runnertest.Driver
	scratch string
	issues  []starting.Item
	more    bool
}

func begin(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, d: runnertest.StartWith(t, runnertest.NoAgents)}
	b.scratch = filepath.Join(b.d.DataDir, "import")
	b.Importer = imports.Open(imports.Config{
		Projects: b.d.Store.Projects, Tasks: b.d.Store.TasksOf, Create: b.d.Board.CreateAll, Turn: &sync.Mutex{}, Scratch: b.scratch,
		Server: func(context.Context, string) (string, string) { return "github.com", "gh" },
		Issues: func(context.Context, string) ([]starting.Item, bool, error) { return b.issues, b.more, nil },
		Branches: func(ctx context.Context, p beckon.Project) ([]string, error) {
			return b.d.Board.Kept(p).Branches(ctx)
		},
	})
	return b
}

// text brings a text in pieces and returns what is found in it.
func (b *bench) text(source importing.Source, text string) importing.Found {
	b.Helper()
	id := ""
	var err error
	for piece := range slices.Chunk([]byte(text), 7) {
		if id, err = b.Bring(id, string(piece)); err != nil {
			b.Fatal(err)
		}
	}
	return b.find(importing.Query{Source: source, ProjectID: b.d.Project.ID, Text: id})
}

func (b *bench) find(q importing.Query) importing.Found {
	b.Helper()
	found, err := b.Find(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	return found
}

// order picks all rows that are new.
func order(found importing.Found) importing.Order {
	o := importing.Order{ID: found.ID}
	for i, row := range found.Rows {
		if row.Same == "" {
			o.Picks = append(o.Picks, importing.Pick{Row: i, To: importing.ToBacklog})
		}
	}
	return o
}

func (b *bench) imported(found importing.Found) beckon.ChangeResult {
	b.Helper()
	r, err := b.Import(b.Context(), order(found))
	if err != nil || len(r.Refused) != 0 {
		b.Fatalf("%+v, %v", r, err)
	}
	return r
}

func (b *bench) tasks() []beckon.Task {
	b.Helper()
	list, err := b.d.Store.Tasks(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return list
}

func TestAnImportIsOneStepToTakeBackAndFindsOnlyWhatIsNewTheNextTime(t *testing.T) {
	t.Parallel()
	b := begin(t)
	const table = "ID,Title,Description,Status,Priority,Labels\nENG-1,First,Words,Todo,High,net\nENG-2,Second,,Done,,\n"
	found := b.text(importing.CSV, table)
	o := order(found)
	o.Picks[1].To = importing.ToDone
	r, err := b.Import(t.Context(), o)
	if err != nil || len(r.Step.Keys) != 2 || r.Step.Kind != beckon.ChangeCreate {
		t.Fatalf("%+v, %v", r, err)
	}
	first, second := b.d.Now(r.Step.TaskIDs[0]), b.d.Now(r.Step.TaskIDs[1])
	if first.Title != "First" || first.Brief != "Words\n\nENG-1" || first.Priority != 3 || first.Status != beckon.Backlog || !slices.Equal(first.Labels, []string{"net"}) ||
		first.Mode != b.d.Project.Mode || second.Status != beckon.Done {
		t.Errorf("became %+v and %+v", first, second)
	}
	if _, err := b.d.Board.Update(t.Context(), first.ID, func(t *beckon.Task) error { t.Title = "Renamed"; return nil }); err != nil {
		t.Fatal(err)
	}
	again := b.text(importing.CSV, table)
	if again.Rows[0].Same != first.Key || again.Rows[1].Same != second.Key {
		t.Errorf("found again: %+v", again.Rows)
	}
	if _, err := b.d.Board.Update(t.Context(), first.ID, func(t *beckon.Task) error { t.Title = "First"; return nil }); err != nil {
		t.Fatal(err)
	}
	undo := &steps.Undo{Log: b.d.Store.Undo, Board: b.d.Board, Task: b.d.Store.Task, Turn: &sync.Mutex{}}
	back, err := undo.Last(t.Context(), "")
	if err != nil || len(back.Step.Keys)+len(back.Refused) != 2 {
		t.Errorf("taken back: %+v, %v", back, err)
	}
	if fresh := b.text(importing.CSV, "Title\nThird\nFourth\n"); fresh.Rows[0].Same != "" {
		t.Errorf("%+v", fresh.Rows)
	} else {
		b.imported(fresh)
	}
	left := len(b.tasks())
	if _, err := undo.Last(t.Context(), ""); err != nil || len(b.tasks()) != left-2 {
		t.Errorf("one undo left %d of %d cards, %v", len(b.tasks()), left, err)
	}
}

func TestIssuesKeepWhatTheirMergeCloses(t *testing.T) {
	t.Parallel()
	b := begin(t)
	start := starting.Start{Kind: starting.Issue, Number: 7, URL: "https://github.com/ada/kestrel/issues/7"}
	b.issues = []starting.Item{
		{Title: "Slow", Body: "Why?", Number: 7, Labels: []string{"bug"}, Tool: "gh", Start: start},
		{Title: "Fast", Number: 8, Tool: "gh", Start: starting.Start{Kind: starting.Issue, Number: 8, URL: "https://github.com/ada/kestrel/issues/8"}},
	}
	b.more = true
	query := importing.Query{Source: importing.Forge, ProjectID: b.d.Project.ID}
	found := b.find(query)
	if len(found.Rows) != 2 || found.Rows[0].Key != "#7" || found.Refused != 1 || found.Refusals[0].Why != importing.Beyond || found.Origin != "gh" {
		t.Fatalf("found %+v", found)
	}
	r := b.imported(found)
	if task := b.d.Now(r.Step.TaskIDs[0]); task.Start != start || task.Brief != "Why?\n\n"+start.URL {
		t.Errorf("became %+v", task)
	}
	b.issues[0].Title = "Another title"
	if again := b.find(query); again.Rows[0].Same != r.Step.Keys[0] || again.Rows[1].Same != r.Step.Keys[1] {
		t.Errorf("again: %+v", again.Rows)
	}
}

func TestNothingIsHalfImported(t *testing.T) {
	t.Parallel()
	b := begin(t)
	found := b.text(importing.Markdown, "- [ ] one\n- [ ] two\n- [x] three\n")
	if len(found.Rows) != 2 || found.Refused != 1 {
		t.Fatalf("found %+v", found)
	}
	for _, picks := range [][]importing.Pick{
		{{Row: 0, To: importing.ToBacklog}, {Row: 2, To: importing.ToBacklog}},
		{{Row: 0, To: importing.ToBacklog}, {Row: 0, To: importing.ToBacklog}},
		{{Row: 0, To: importing.ToBacklog}, {Row: 1, To: "running"}},
		{{Row: -1, To: importing.ToBacklog}},
	} {
		if _, err := b.Import(t.Context(), importing.Order{ID: found.ID, Picks: picks}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", picks, err)
		}
	}
	bad := []beckon.NewTask{{ProjectID: b.d.Project.ID, Title: "good"}, {ProjectID: b.d.Project.ID, Title: "bad", Priority: 9}}
	if _, err := b.d.Board.CreateAll(t.Context(), bad); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a card that cannot be: %v", err)
	}
	gone := []beckon.Task{{ProjectID: b.d.Project.ID, Title: "good", Status: beckon.Backlog, Mode: beckon.ModeAuto, Policy: beckon.Wait}, {ProjectID: "gone", Title: "bad", Status: beckon.Backlog, Mode: beckon.ModeAuto, Policy: beckon.Wait}}
	if err := b.d.Store.CreateTasks(t.Context(), gone); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a project that is gone: %v", err)
	}
	if left := b.tasks(); len(left) != 0 {
		t.Errorf("there are %+v", left)
	}
	b.imported(found)
	if _, err := b.Import(t.Context(), order(found)); kindOf(err) != problem.ImportGone {
		t.Errorf("imported twice: %v", err)
	}
}

func kindOf(err error) problem.Kind {
	kind, _ := problem.From(err)
	return kind
}

func TestATextIsBroughtWithinBounds(t *testing.T) {
	t.Parallel()
	b := begin(t)
	if _, err := b.Bring("", strings.Repeat("x", importing.MaxPiece+1)); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("a piece that is too long: %v", err)
	}
	if _, err := b.Bring("unknown", "x"); kindOf(err) != problem.ImportGone {
		t.Errorf("a text that is not there: %v", err)
	}
	id, err := b.Bring("", "x")
	for err == nil {
		_, err = b.Bring(id, strings.Repeat("x", importing.MaxPiece))
	}
	if kindOf(err) != problem.ImportSize {
		t.Errorf("a text that is too long: %v", err)
	}
	if _, err := b.Find(t.Context(), importing.Query{Source: importing.CSV, ProjectID: b.d.Project.ID, Text: id}); kindOf(err) != problem.ImportGone {
		t.Errorf("it is kept: %v", err)
	}
	if _, err := b.Find(t.Context(), importing.Query{Source: importing.CSV, ProjectID: "gone", Text: id}); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("into no project: %v", err)
	}
}

// kanban makes a database as vibe-kanban does, by its newest tables or its first ones.
func (b *bench) kanban(first bool, statements ...string) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "db.v2.sqlite")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	all := []string{
		`CREATE TABLE tasks (id BLOB PRIMARY KEY, project_id BLOB NOT NULL, title TEXT NOT NULL, description TEXT, status TEXT NOT NULL DEFAULT 'todo',
			created_at TEXT NOT NULL DEFAULT (datetime('now', 'subsec')))`,
	}
	if first {
		all = append(all, `CREATE TABLE projects (id BLOB PRIMARY KEY, name TEXT NOT NULL, git_repo_path TEXT NOT NULL DEFAULT '' UNIQUE)`,
			`CREATE TABLE task_attempts (id BLOB PRIMARY KEY, task_id BLOB NOT NULL, branch TEXT, created_at TEXT NOT NULL DEFAULT '')`,
			fmt.Sprintf(`INSERT INTO projects VALUES (x'01', 'kestrel', '%s'), (x'02', 'elsewhere', '/nowhere')`, b.d.Project.Dir))
	} else {
		all = append(all, `CREATE TABLE projects (id BLOB PRIMARY KEY, name TEXT NOT NULL)`,
			`CREATE TABLE repos (id BLOB PRIMARY KEY, path TEXT NOT NULL UNIQUE)`,
			`CREATE TABLE project_repos (id BLOB PRIMARY KEY, project_id BLOB NOT NULL, repo_id BLOB NOT NULL)`,
			`CREATE TABLE workspaces (id BLOB PRIMARY KEY, task_id BLOB NOT NULL, branch TEXT NOT NULL, created_at TEXT NOT NULL DEFAULT '')`,
			`INSERT INTO projects VALUES (x'01', 'kestrel'), (x'02', 'elsewhere')`,
			fmt.Sprintf(`INSERT INTO repos VALUES (x'0a', '%s')`, b.d.Project.Dir), `INSERT INTO project_repos VALUES (x'0b', x'01', x'0a')`)
	}
	all = append(all, `INSERT INTO tasks VALUES (x'11', x'01', 'Dark mode', 'Words', 'inprogress', '1'), (x'12', x'01', 'Old', NULL, 'cancelled', '2'),
		(x'13', x'02', 'Of another', NULL, 'todo', '3'), (x'14', x'01', 'New', NULL, 'todo', '4')`)
	for _, statement := range append(all, statements...) {
		if _, err := db.ExecContext(b.Context(), statement); err != nil {
			b.Fatalf("%s: %v", statement, err)
		}
	}
	return file
}

func (b *bench) fromKanban(file string) (importing.Found, error) {
	return b.Find(b.Context(), importing.Query{Source: importing.VibeKanban, File: file})
}

func TestTasksOfVibeKanbanBecomeCardsOfTheProjectsWithTheirFolders(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.d.Git("branch", "vk/11-dark")
	for _, first := range []bool{true, false} {
		table := map[bool]string{true: "task_attempts", false: "workspaces"}[first]
		file := b.kanban(first, "INSERT INTO "+table+" VALUES (x'21', x'11', 'vk/old', '1'), (x'22', x'11', 'vk/11-dark', '2'), (x'23', x'14', 'vk/gone', '3')")
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := b.fromKanban(file)
		if err != nil || len(found.Rows) != 3 || found.Origin != file {
			t.Fatalf("found %+v, %v", found, err)
		}
		if row := found.Rows[0]; row.Title != "Dark mode" || row.State != "inprogress" || row.ProjectID != b.d.Project.ID || row.Branch != "vk/11-dark" || !row.HasText {
			t.Errorf("read %+v", row)
		}
		if found.Rows[2].Branch != "" {
			t.Errorf("a branch that is gone goes on: %+v", found.Rows[2])
		}
		if s := found.States[1]; s.Name != "cancelled" || s.To != "" {
			t.Errorf("states %+v", found.States)
		}
		if r := found.Refusals; len(r) != 1 || r[0].Why != importing.NoProject || r[0].Detail != "elsewhere" || r[0].Title != "Of another" {
			t.Errorf("refused %+v", r)
		}
		if after, err := os.ReadFile(file); err != nil || !slices.Equal(after, before) {
			t.Errorf("the database was changed, %v", err)
		}
		if _, err := os.Stat(b.scratch); !os.IsNotExist(err) {
			t.Errorf("a copy is left: %v", err)
		}
		if !first {
			continue
		}
		r := b.imported(found)
		if task := b.d.Now(r.Step.TaskIDs[0]); task.Start.Kind != starting.Branch || task.Start.Branch != "vk/11-dark" {
			t.Errorf("became %+v", task)
		}
		if again, err := b.fromKanban(file); err != nil || again.Rows[0].Same != r.Step.Keys[0] || again.Rows[2].Same == "" {
			t.Errorf("again: %+v, %v", again.Rows, err)
		}
		if _, err := (&steps.Undo{Log: b.d.Store.Undo, Board: b.d.Board, Task: b.d.Store.Task, Turn: &sync.Mutex{}}).Last(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTasksOfTheNewestVibeKanbanComeWithTheirLabelsAndPriorities(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.d.Git("branch", "vk/11-dark")
	found, err := b.fromKanban(b.kanban(false,
		`CREATE TABLE local_project_statuses (id BLOB PRIMARY KEY, project_id BLOB NOT NULL, name TEXT NOT NULL)`,
		`CREATE TABLE local_issues (id BLOB PRIMARY KEY, project_id BLOB NOT NULL, simple_id TEXT NOT NULL, status_id BLOB NOT NULL, title TEXT NOT NULL,
			description TEXT, priority TEXT, created_at TEXT NOT NULL)`,
		`CREATE TABLE local_tags (id BLOB PRIMARY KEY, name TEXT NOT NULL)`,
		`CREATE TABLE local_issue_tags (id BLOB PRIMARY KEY, issue_id BLOB NOT NULL, tag_id BLOB NOT NULL)`,
		`CREATE TABLE local_workspace_links (workspace_id BLOB PRIMARY KEY, issue_id BLOB NOT NULL)`,
		`INSERT INTO local_project_statuses VALUES (x'31', x'01', 'In Review'), (x'32', x'01', 'Done')`,
		`INSERT INTO local_issues VALUES (x'11', x'01', 'LOCAL-1', x'31', 'Dark mode', NULL, 'urgent', '1'), (x'12', x'01', 'LOCAL-2', x'32', 'Old', NULL, NULL, '2'),
			(x'13', x'02', 'LOCAL-1', x'31', 'Of another', NULL, NULL, '3')`,
		`INSERT INTO local_tags VALUES (x'41', 'ui')`, `INSERT INTO local_issue_tags VALUES (x'42', x'11', x'41')`,
		`INSERT INTO workspaces VALUES (x'51', x'00', 'vk/11-dark', '1')`, `INSERT INTO local_workspace_links VALUES (x'51', x'11')`))
	if err != nil || len(found.Rows) != 2 || found.Refused != 1 {
		t.Fatalf("found %+v, %v", found, err)
	}
	if row := found.Rows[0]; row.Title != "Dark mode" || row.State != "In Review" || row.Key != "LOCAL-1" || row.Priority != 4 || row.Branch != "vk/11-dark" || !slices.Equal(row.Labels, []string{"ui"}) {
		t.Errorf("read %+v", row)
	}
	if to := found.States[1].To; to != importing.ToDone {
		t.Errorf("states %+v", found.States)
	}
}

func TestADatabaseThatIsInUseIsReadWithItsNewestRows(t *testing.T) {
	t.Parallel()
	b := begin(t)
	file := b.kanban(false)
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file)+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "INSERT INTO tasks VALUES (x'19', x'01', 'Just now', NULL, 'todo', '9')"); err != nil {
		t.Fatal(err)
	}
	found, err := b.fromKanban(file)
	if err != nil || len(found.Rows) != 4 || found.Rows[3].Title != "Just now" {
		t.Errorf("found %+v, %v", found.Rows, err)
	}
}

func TestAHostileDatabaseCostsNothing(t *testing.T) {
	t.Parallel()
	b := begin(t)
	const endless = `CREATE VIEW tasks AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n)
		SELECT x AS id, x AS project_id, 'x' AS title, '' AS description, 'todo' AS status, x AS created_at FROM n`
	text := filepath.Join(t.TempDir(), "words.sqlite")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.sqlite")
	if err := os.Symlink(b.kanban(false), link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for file, want := range map[string]problem.Kind{
		b.kanban(false, "DROP TABLE tasks", endless):                problem.ImportSchema,
		b.kanban(false, "ALTER TABLE tasks RENAME status TO state"): problem.ImportSchema,
		b.kanban(false, "DROP TABLE projects"):                      problem.ImportSchema,
		b.kanban(false, "ALTER TABLE tasks DROP COLUMN description", "ALTER TABLE tasks ADD COLUMN description TEXT AS (hex(zeroblob(900000000)))"): problem.ImportSchema,
		text:              problem.ImportFile,
		link:              problem.ImportFile,
		t.TempDir():       problem.ImportFile,
		"relative.sqlite": problem.ImportFile,
		filepath.Join(t.TempDir(), "gone.sqlite"): problem.ImportFile,
	} {
		if _, err := b.fromKanban(file); kindOf(err) != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
	odd := b.kanban(false, "DELETE FROM tasks",
		"INSERT INTO tasks VALUES (x'11', x'01', hex(zeroblob(3000000)), NULL, 'todo', '1'), (x'12', x'01', 'fine', hex(zeroblob(30000000)), 'todo', '2'), (x'13', x'01', char(0x202e) || 'odd', 7, 'todo', '3')")
	found, err := b.fromKanban(odd)
	if err != nil || len(found.Rows) != 1 || found.Rows[0].Title != "odd" || found.Refused != 2 {
		t.Errorf("found %+v, %v", found, err)
	}
}

const victim = "IMPORTS_TEST_VICTIM"

// importAll is what the process that is killed does: it imports until it is.
func importAll(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	projects, err := s.Projects(ctx)
	if err != nil {
		return err
	}
	b := board.New(board.Config{Store: s, DataDir: dir, Publish: func(beckon.Event) {}})
	i := imports.Open(imports.Config{Projects: s.Projects, Tasks: s.TasksOf, Create: b.CreateAll, Turn: &sync.Mutex{}})
	text, err := i.Bring("", "Title\n"+strings.Repeat("same\n", importing.MaxRows))
	if err != nil {
		return err
	}
	found, err := i.Find(ctx, importing.Query{Source: importing.CSV, ProjectID: projects[0].ID, Text: text})
	if err != nil {
		return err
	}
	o := importing.Order{ID: found.ID}
	for row := range found.Rows {
		o.Picks = append(o.Picks, importing.Pick{Row: row, To: importing.ToBacklog})
	}
	fmt.Println("begins")
	_, err = i.Import(ctx, o)
	fmt.Println("ended")
	return err
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		if err := importAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	runnertest.Main(m)
}

// TestKilledInItsMiddleAnImportMadeAllCardsOrNone: at several moments, and what was made is one
// step to take back.
func TestKilledInItsMiddleAnImportMadeAllCardsOrNone(t *testing.T) {
	t.Parallel()
	all, none := 0, 0
	for after := time.Duration(0); all == 0; after = 2*after + 30*time.Millisecond {
		dir := filepath.Join(t.TempDir(), "data")
		s, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		p := beckon.Project{Name: "kestrel", Key: "KES", Dir: t.TempDir(), Mode: beckon.ModeAuto, Policy: beckon.Wait, WaitMs: beckon.DefaultWaitMs}
		if err := errors.Join(s.AddProject(t.Context(), &p), s.Close()); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), victim+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, len("begins\n"))); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		if s, err = store.Open(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		made, err := s.Tasks(t.Context())
		step, undoErr := s.Undo.Newest(t.Context(), "")
		if err != nil || len(made) != 0 && len(made) != importing.MaxRows || len(step.Cards) != len(made) {
			t.Errorf("killed after %v: %d cards, %d to take back, %v, %v", after, len(made), len(step.Cards), err, undoErr)
		}
		if len(made) == 0 {
			none++
		} else {
			all++
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if none == 0 {
		t.Error("no process was killed before it had ended")
	}
}
