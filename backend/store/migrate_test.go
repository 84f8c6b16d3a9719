package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"beckon/backend/beckon"
	"beckon/backend/store/database"
)

// Scripts that make a database of version 1, and one of version 2 from that.
const (
	firstScript  = "CREATE TABLE a (x TEXT NOT NULL UNIQUE) STRICT; CREATE TABLE b (a TEXT REFERENCES a (x) ON DELETE CASCADE) STRICT;"
	secondScript = `
		CREATE TABLE c (x TEXT NOT NULL UNIQUE, y INTEGER NOT NULL) STRICT;
		INSERT INTO c SELECT x, 7 FROM a;
		DROP TABLE a;
		ALTER TABLE c RENAME TO a;`
)

func scripts(texts ...string) fs.FS {
	files := fstest.MapFS{}
	for i, text := range texts {
		files[fmt.Sprintf("migrations/%04d.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// make1 makes a data folder of version 1 with a row and one that refers to it.
func make1(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := open(t.Context(), dir, scripts(firstScript))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.write.ExecContext(t.Context(), "INSERT INTO a VALUES ('kept'); INSERT INTO b VALUES ('kept')")
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestUpgradeKeepsTheDataAndACopyOfTheOld(t *testing.T) {
	t.Parallel()
	dir := make1(t)
	s, err := open(t.Context(), dir, scripts(firstScript, secondScript))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var x string
	var y int
	err = s.read.QueryRowContext(t.Context(), "SELECT x, y FROM a JOIN b ON b.a = a.x").Scan(&x, &y)
	if err != nil || x != "kept" || y != 7 {
		t.Errorf("after the upgrade the row is %q, %d, %v", x, y, err)
	}

	backup := onlyBackup(t, dir)
	if !strings.HasPrefix(filepath.Base(backup), "beckon-v1-") {
		t.Errorf("the copy is called %s", backup)
	}
	if info, err := os.Stat(backup); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}
	old, err := database.Open(backup, "ro")
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	var version int
	err = old.QueryRowContext(t.Context(),
		"SELECT user_version, (SELECT x FROM a) FROM pragma_user_version").Scan(&version, &x)
	if err != nil || version != 1 || x != "kept" {
		t.Errorf("the copy has version %d and %q, %v", version, x, err)
	}
}

func TestNothingIsCopiedWithoutAnUpgrade(t *testing.T) {
	t.Parallel()
	dir := make1(t)
	s, err := open(t.Context(), dir, scripts(firstScript))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := os.Stat(filepath.Join(dir, "backups")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a backup folder: %v", err)
	}
}

func TestFailedUpgradeLeavesTheOldDatabase(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]string{
		"breaks midway":       "DELETE FROM b; DELETE FROM a; SELECT nonsense;",
		"leaves lost rows":    "DELETE FROM a;",
		"drops what it needs": "DROP TABLE b; SELECT 1 FROM b;",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := make1(t)
			if s, err := open(t.Context(), dir, scripts(firstScript, bad)); err == nil {
				_ = s.Close()
				t.Fatal("opened")
			} else if !strings.Contains(err.Error(), "0002.sql") {
				t.Errorf("err = %v", err)
			}
			s, err := open(t.Context(), dir, scripts(firstScript))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var kept int
			err = s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM a JOIN b ON b.a = a.x").Scan(&kept)
			if err != nil || kept != 1 {
				t.Errorf("%d rows are left, %v", kept, err)
			}
			onlyBackup(t, dir)
		})
	}
}

func TestDatabaseOfANewerBeckonIsNotTouched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := openStore(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, dir, 99)
	path := filepath.Join(dir, databaseName)
	before := mustRead(t, path)
	_, err := Open(t.Context(), dir)
	if !errors.Is(err, database.ErrNewer) {
		t.Fatalf("err = %v", err)
	}
	for _, words := range []string{path, "version is 99", "this Beckon knows up to", "--data"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("the message does not say %q: %v", words, err)
		}
	}
	if !bytes.Equal(mustRead(t, path), before) {
		t.Error("the file was changed")
	}
	if _, err := os.Stat(filepath.Join(dir, "backups")); err == nil {
		t.Error("it was copied")
	}
}

func TestDamagedDatabaseIsNotTouchedAndTheCopiesAreNamed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func([]byte) []byte{
		"something else": func([]byte) []byte { return []byte(strings.Repeat("not a database\n", 400)) },
		"cut short":      func(b []byte) []byte { return b[:len(b)/2] },
		"torn header":    func(b []byte) []byte { return append(make([]byte, 200), b[200:]...) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := make1(t)
			s, err := open(t.Context(), dir, scripts(firstScript, secondScript)) // leaves a copy
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, databaseName)
			spoilt := spoil(mustRead(t, path))
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = open(t.Context(), dir, scripts(firstScript, secondScript))
			if !errors.Is(err, database.ErrDamaged) {
				t.Fatalf("err = %v", err)
			}
			backup := onlyBackup(t, dir)
			for _, words := range []string{path, filepath.Dir(backup), filepath.Base(backup)} {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("the message does not name %s: %v", words, err)
				}
			}
			if !bytes.Equal(mustRead(t, path), spoilt) {
				t.Error("the file was changed")
			}
		})
	}
}

// TestAnEmptiedDatabaseIsNotTakenForANewOne: what is beside it says that there
// was more, and the message where to find it. A new folder starts all the same,
// and so does one whose user moved the database away.
func TestAnEmptiedDatabaseIsNotTakenForANewOne(t *testing.T) {
	t.Parallel()
	for _, beside := range []string{"transcripts", "worktrees", "backups"} {
		dir := t.TempDir()
		path, left := filepath.Join(dir, databaseName), filepath.Join(dir, beside, "left.db")
		if err := errors.Join(os.Mkdir(filepath.Dir(left), 0o700), os.WriteFile(left, []byte("x"), 0o600),
			os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := open(t.Context(), dir, scripts(firstScript))
		if !errors.Is(err, database.ErrDamaged) {
			t.Fatalf("%s: err = %v", beside, err)
		}
		for _, words := range []string{path, filepath.Dir(left), filepath.Join(dir, "backups"), "move it away"} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("the message does not name %s: %v", words, err)
			}
		}
		if info, err := os.Stat(path); err != nil || info.Size() != 0 {
			t.Errorf("%s: the file was changed: %v", beside, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		startsEmpty(t, dir)
	}
	empty := t.TempDir()
	err := errors.Join(os.Mkdir(filepath.Join(empty, "transcripts"), 0o700),
		os.WriteFile(filepath.Join(empty, databaseName), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	startsEmpty(t, empty)
}

func startsEmpty(t *testing.T, dir string) {
	t.Helper()
	s, err := open(t.Context(), dir, scripts(firstScript))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A page in the middle shows only to who reads everything, so it must be
// found before an upgrade that would build on it.
func TestDamageInsideIsFoundBeforeAnUpgrade(t *testing.T) {
	t.Parallel()
	dir := make1(t)
	path := filepath.Join(dir, databaseName)
	b := mustRead(t, path)
	for i := 4096; i < len(b); i++ {
		b[i] ^= 0x5a
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := open(t.Context(), dir, scripts(firstScript, secondScript))
	if !errors.Is(err, database.ErrDamaged) || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("err = %v", err)
	}
}

// What a power cut tore is noticed at the next start, not when the board shows
// half of the tasks.
func TestDamageInsideIsFoundAfterACrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	p := addProject(t, s, "LUM")
	for range 40 {
		task := someTask(p.ID)
		task.Brief = strings.Repeat("fills pages ", 200)
		if err := s.CreateTask(t.Context(), &task); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	addProject(t, openStore(t, dir), "KES") // stands in the -wal

	crashed := t.TempDir()
	for _, name := range []string{databaseName, databaseName + "-wal"} {
		b := mustRead(t, filepath.Join(dir, name))
		if name == databaseName {
			const page = 4096
			copy(b[len(b)-page:], make([]byte, page))
		}
		if err := os.WriteFile(filepath.Join(crashed, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := Open(t.Context(), crashed); !errors.Is(err, database.ErrDamaged) {
		t.Errorf("opened %v: %v", s, err)
	}
}

func TestScriptsAreNumberedWithoutGaps(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for i, name := range names {
		if want := fmt.Sprintf("migrations/%04d_", i+1); !strings.HasPrefix(name, want) {
			t.Errorf("%s should begin with %s", name, want)
		}
	}
}

func TestDataOfTodayIsThereAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir)
	q, err := answered(t.Context(), s)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s, err = open(t.Context(), dir,
		scripts(append(released(t), "ALTER TABLE question ADD COLUMN mood TEXT NOT NULL DEFAULT '';")...))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.Question(t.Context(), q.ID)
	same(t, got, q, err)
	task := beckon.Task{ProjectID: mustProject(t, s).ID, Status: beckon.Backlog}
	if err := s.CreateTask(t.Context(), &task); err != nil || task.Number != 2 {
		t.Errorf("the next task has number %d, %v", task.Number, err)
	}
}

// released returns the scripts of today, in their order.
func released(t *testing.T) (texts []string) {
	t.Helper()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

func TestQuestionsCanStillBeAnsweredAfterTheUpgradeThatRenamesTheirSettlement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := open(t.Context(), dir, scripts(released(t)[:4]...))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.write.ExecContext(t.Context(), `
		INSERT INTO project (id, key, name, dir, color, git, base, model, mode, policy, wait_ms, trusted, created, allowed)
		VALUES ('p', 'KES', 'Kestrel', '/kestrel', 1, 1, 'main', '', 'auto', 'proceed', 0, 1, 1, '["Bash(make)"]');
		INSERT INTO run (id, number, kind, outcome, reason, detail, session, model, mode, effort, context, activity, turns, tokens, cost_usd, worked_ms, started, ended)
		VALUES ('r', 1, 'external', 'lost', '', '', '', '', '', '', '{}', '{}', 0, 0, 0, 0, 1, 2);
		WITH q (rowid, id, settlement, answer, settled) AS (
			VALUES (7, 'second', 'stranded', NULL, 0), (3, 'first', 'open', NULL, 0), (9, 'over', 'answered', '{"at":5}', 5))
		INSERT INTO question (rowid, id, run_id, kind, tool_use_id, agent, items, plan, form, message, origin, policy, asked, deadline,
			wait_ms, held_ms, settlement, answer, settled, reason, delivered, assumption, rule_id, proof)
		SELECT rowid, id, 'r', 'ask', 'tool', 'agent', '[]', '', '', 'why', 'here', 'wait', 4, 0, 0, 0, settlement, answer, settled,
			'reason', 0, 'assumed', '', 'proof' FROM q;
		INSERT INTO draft VALUES ('second', 'typed')`)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}

	s = openStore(t, dir)
	open, err := s.OpenQuestions(t.Context())
	if err != nil || len(open) != 2 || open[0].ID != "first" || open[1].ID != "second" {
		t.Fatalf("open questions %+v, %v; want first, second", open, err)
	}
	q := open[1]
	if q.Settlement != beckon.Orphaned || q.Proof != "proof" || q.Message != "why" || q.Origin != "here" ||
		q.Assumption != "assumed" || q.Reason.String() != "reason" {
		t.Errorf("it became %+v", q)
	}
	if drafts, err := s.Drafts.All(t.Context()); err != nil || drafts["second"] != "typed" {
		t.Errorf("drafts %v, %v", drafts, err)
	}
	if _, err := s.Settle(t.Context(), "second", beckon.Answered, answer("yes"), nil); err != nil {
		t.Error(err)
	}
	if p := mustProject(t, s); p.Key != "KES" || len(p.Allowed) != 1 {
		t.Errorf("the project became %+v", p)
	}
	var columns string
	err = s.read.QueryRowContext(t.Context(), "SELECT group_concat(name) FROM pragma_table_info('project')").Scan(&columns)
	if err != nil || strings.Contains(columns, "setup") || strings.Contains(columns, "limits") {
		t.Errorf("a project has the columns %s, %v", columns, err)
	}
}

func mustProject(t *testing.T, s *Store) beckon.Project {
	t.Helper()
	list, err := s.Projects(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list[0]
}

func onlyBackup(t *testing.T, dir string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "backups", "*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("copies: %v, %v", list, err)
	}
	return list[0]
}

func setVersion(t *testing.T, dir string, version int) {
	t.Helper()
	db, err := database.Open(filepath.Join(dir, databaseName), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA user_version = %d", version))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
