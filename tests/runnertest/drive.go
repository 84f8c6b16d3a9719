package runnertest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// Watch shows the transcripts of tasks, as a client does.
func (d *Driver) Watch(taskIDs ...string) {
	for _, id := range taskIDs {
		d.watched.Store(id, true)
	}
	d.Runner.Watching(taskIDs)
}

// Card puts a task into the backlog.
func (d *Driver) Card(title string) beckon.Task {
	d.T.Helper()
	task, err := d.Board.CreateTask(d.T.Context(), beckon.NewTask{ProjectID: d.Project.ID, Title: title})
	if err != nil {
		d.T.Fatal(err)
	}
	return task
}

// Run puts a task on the board, running, and shows its transcript.
func (d *Driver) Run(n beckon.NewTask) beckon.Task {
	d.T.Helper()
	n.ProjectID, n.Status = d.Project.ID, beckon.Running
	task, err := d.Board.CreateTask(d.T.Context(), n)
	if err != nil {
		d.T.Fatal(err)
	}
	d.Watch(task.ID)
	return task
}

// Now returns a task as the database has it.
func (d *Driver) Now(id string) beckon.Task {
	d.T.Helper()
	task, err := d.Store.Task(d.T.Context(), id)
	if err != nil {
		d.T.Fatal(err)
	}
	return task
}

// Distrust takes the project's trust away.
func (d *Driver) Distrust() {
	d.T.Helper()
	edit := d.Project
	edit.Trusted = false
	if _, err := d.Board.EditProject(d.T.Context(), edit); err != nil {
		d.T.Fatal(err)
	}
}

// Transcripts lists the files of transcripts that are kept.
func (d *Driver) Transcripts() []string {
	d.T.Helper()
	dir := filepath.Join(d.DataDir, "transcripts")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.T.Fatal(err)
	}
	files := make([]string, 0, len(entries))
	for _, entry := range entries {
		files = append(files, filepath.Join(dir, entry.Name()))
	}
	return files
}

// Choose answers a question of one item with an option.
func (d *Driver) Choose(q beckon.Question, label string) {
	d.T.Helper()
	d.Answer(q.ID, beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}})
}

// Answer answers a question.
func (d *Driver) Answer(id string, a beckon.Answer) {
	d.T.Helper()
	if err := d.Desk.Answer(d.T.Context(), id, a); err != nil {
		d.T.Fatal(err)
	}
}

// Git runs git in the project's folder and returns what it says.
func (d *Driver) Git(args ...string) string {
	d.T.Helper()
	out, err := exec.CommandContext(d.T.Context(), "git", append([]string{"-C", d.Project.Dir}, args...)...).CombinedOutput()
	if err != nil {
		d.T.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Gate stops git in the middle of its work: a filter of the trusted repository
// waits in it while it is shut.
type Gate struct {
	t             *testing.T
	started, shut string
}

// NewGate gives the project's *.slow files to the filter. It begins open.
func (d *Driver) NewGate() *Gate {
	d.T.Helper()
	dir := d.T.TempDir()
	g := &Gate{t: d.T, started: filepath.Join(dir, "started"), shut: filepath.Join(dir, "shut")}
	script := filepath.Join(dir, "filter.sh")
	text := "#!/bin/sh\nif [ -e " + g.shut + " ]; then : > " + g.started + "; fi\nwhile [ -e " + g.shut + " ]; do sleep 0.05; done\nexec cat\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		d.T.Fatal(err)
	}
	d.Git("config", "filter.slow.clean", script)
	if err := os.WriteFile(filepath.Join(d.Project.Dir, ".git", "info", "attributes"), []byte("*.slow filter=slow\n"), 0o600); err != nil {
		d.T.Fatal(err)
	}
	d.T.Cleanup(g.Open) // else a failed test would wait for git forever
	return g
}

// Shut has git wait from here on.
func (g *Gate) Shut() {
	g.t.Helper()
	if err := os.WriteFile(g.shut, nil, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// Open lets git go on.
func (g *Gate) Open() { _ = os.Remove(g.shut) }

// Reached waits until git waits at the gate.
func (g *Gate) Reached() {
	g.t.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(g.started); err == nil {
			return
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("git did not get to the gate in %s", Patience)
		}
	}
}
