//go:build packages

package packages

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/tests/client"

	_ "modernc.org/sqlite"
)

// TestDataOfAnOlderBeckonIsKept: the folder was left by a Beckon of the commit 03a827f,
// whose database has version 14. The installed program opens it with all its tasks,
// sessions, questions and settings, and a copy of the old database is beside it. The
// data of a Beckon newer than this one is refused, with what to do, and not touched.
func TestDataOfAnOlderBeckonIsKept(t *testing.T) {
	t.Parallel()
	home := client.NewHome(t, filepath.Join(install(t), "usr/bin/beckon"), "-- script --\ntext Done.\n")
	if err := os.Mkdir(home.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	archive, err := filepath.Abs("testdata/data-of-version-14.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	said(t, home.Data(), "tar", "--extract", "--file", archive)
	database := filepath.Join(home.Data(), "beckon.db")
	before := table(t, database, "SELECT id, title, session, branch FROM task")
	answers := table(t, database, "SELECT id, answer, settled FROM question WHERE settlement = 'answered'")

	p := home.Serve()
	tasks, questions := map[string]beckon.Task{}, 0
	for _, e := range client.Must[beckon.Frame](p, "Attach", "test").Events {
		switch {
		case e.Task != nil:
			tasks[e.Task.Title] = *e.Task
		case e.Settings != nil && (e.Settings.Theme != "dark" || e.Settings.Language != "de" || e.Settings.Slots != 5 || e.Settings.Updates):
			t.Errorf("the settings are %+v", e.Settings)
		case e.Question != nil && e.Question.Settlement == beckon.Orphaned:
			questions++
		}
	}
	done := tasks["Left or right"]
	if len(tasks) != 3 || done.Key != "KES-1" || done.Status != beckon.Review || tasks["Later"].Status != beckon.Backlog {
		t.Errorf("the tasks are %+v", tasks)
	}
	if questions != 1 {
		t.Errorf("%d questions wait for an answer that the agent's end left open", questions)
	}
	page, err := json.Marshal(client.Must[beckon.TranscriptPage](p, "Transcript", done.ID, "", 50))
	if err != nil || !bytes.Contains(page, []byte("It goes Right.")) {
		t.Errorf("%v; its session is %s", err, page)
	}
	p.Close()
	if after := table(t, database, "SELECT id, title, session, branch FROM task"); after != before {
		t.Errorf("the tasks were\n%sand are\n%s", before, after)
	}
	if after := table(t, database, "SELECT id, answer, settled FROM question WHERE settlement = 'answered'"); after != answers {
		t.Errorf("the answers were\n%sand are\n%s", answers, after)
	}
	copies, err := filepath.Glob(filepath.Join(home.Data(), "backups/beckon-v14-*.db"))
	if err != nil || len(copies) != 1 || table(t, copies[0], "SELECT id, title, session, branch FROM task") != before {
		t.Errorf("the copies are %q, %v", copies, err)
	}

	table(t, database, "PRAGMA user_version = 99")
	newer, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), home.Bin, append([]string{"serve"}, home.Args()...)...)
	cmd.Env = home.Env()
	text, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(text), "made by a newer Beckon") || !strings.Contains(string(text), "install the newer Beckon again") {
		t.Errorf("%v: %s", err, text)
	}
	if left, err := os.ReadFile(database); err != nil || !bytes.Equal(left, newer) {
		t.Errorf("it was changed, %v", err)
	}
}

// TestUpgradeWhileItRuns: a package takes the place of an older one, and files that it
// does not have are gone, while a program of the older one has an open question. That is
// answered after it and the agent goes on, and so does a task that is started then: its
// processes are those of the new package.
func TestUpgradeWhileItRuns(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	dpkg(t, root, "--install", olderPackage(t))
	home := client.NewHome(t, filepath.Join(root, "usr/bin/beckon"), "-- script --\nask Which side? | Left | Right\nwrite side.txt ${answer}\ntext Done.\n")
	repo := client.Repository(t, map[string]string{"README.md": "# sample\n"})
	p := home.Serve()
	project := client.Must[beckon.Project](p, "AddProject", beckon.NewProject{Dir: repo, Name: "sample", Key: "PKG", Base: "main", Trusted: true})
	begin := func(title string) beckon.Task {
		return client.Must[beckon.Task](p, "CreateTask", beckon.NewTask{ProjectID: project.ID, Title: title, Status: beckon.Queued, Policy: beckon.Wait})
	}
	before := begin("Before")
	open := p.Asked(before.ID, "Which side?")

	dpkg(t, root, "--install", one(t, "*.deb"))
	have := slices.DeleteFunc(files(t, root), func(name string) bool { return strings.HasPrefix(name, "var/lib/dpkg/") })
	if !slices.Equal(have, want) {
		t.Errorf("after the upgrade there are\n%s", strings.Join(have, "\n"))
	}
	p.Answer(open, "Left")
	after := begin("After")
	p.Answer(p.Asked(after.ID, "Which side?"), "Right")
	for id, side := range map[string]string{before.ID: "Left", after.ID: "Right"} {
		if text := client.Git(t, repo, "show", p.InReview(id).Branch+":side.txt"); text != side {
			t.Errorf("the agent wrote %q, want %s", text, side)
		}
	}
	p.Close()
	if again := home.Serve().Task(before.ID); again.Status != beckon.Review {
		t.Errorf("the new program has it as %+v", again)
	}
}

// olderPackage is the .deb under a lower version, and with a file that the newer one
// does not have.
func olderPackage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	said(t, dir, "dpkg-deb", "--raw-extract", one(t, "*.deb"), "old")
	control := filepath.Join(dir, "old/DEBIAN/control")
	text, err := os.ReadFile(control)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^Version: .*`).ReplaceAll(text, []byte("Version: 0.0.0~"))
	if err := os.WriteFile(control, text, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"old/usr/lib/beckon/old": "gone"})
	said(t, dir, "dpkg-deb", "--build", "--root-owner-group", "-Znone", "old", "old.deb")
	return filepath.Join(dir, "old.deb")
}

// table runs a statement on a database that nothing has open, and returns its rows as text.
func table(t *testing.T, path, statement string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			text.WriteString(v.String + "\t")
		}
		text.WriteString("\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
