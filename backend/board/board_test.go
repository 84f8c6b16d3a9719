package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// distrust takes the project's trust away.
func (d *desktopOf) distrust() {
	d.t.Helper()
	edit := d.project
	edit.Trusted = false
	if _, err := d.EditProject(edit); err != nil {
		d.t.Fatal(err)
	}
}

// card puts a task into the backlog.
func (d *desktopOf) card(title string) beckon.Task {
	d.t.Helper()
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: title})
	if err != nil {
		d.t.Fatal(err)
	}
	return task
}

// now returns a task as the database has it.
func (d *desktopOf) now(id string) beckon.Task {
	d.t.Helper()
	task, err := d.p.store.Task(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return task
}

func TestQueueingInAnUntrustedProjectIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "text must not run\n")
	d.distrust()
	task := d.card("Queue me")
	if _, err := d.MoveTask(task.ID, beckon.Queued, 0); !errors.Is(err, beckon.ErrUntrusted) {
		t.Errorf("queueing: %v; want a refusal that asks for trust", err)
	}
	if s := d.now(task.ID).Status; s != beckon.Backlog {
		t.Errorf("the refused card is in %s", s)
	}
	for _, status := range []beckon.Status{beckon.Queued, beckon.Running} {
		_, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "New", Status: status})
		if !errors.Is(err, beckon.ErrUntrusted) {
			t.Errorf("a new task in %s: %v; want a refusal that asks for trust", status, err)
		}
	}
	if tasks, err := d.p.store.Tasks(t.Context()); err != nil || len(tasks) != 1 {
		t.Errorf("%d cards, %v; what is refused leaves none that trying again would double", len(tasks), err)
	}
}

func TestACardThatTheQueuePutsBackSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	if err := d.SaveSettings(beckon.Settings{Slots: 1, SingleKeys: true}); err != nil {
		t.Fatal(err)
	}
	first := d.run(beckon.NewTask{Title: "Takes the slot"})
	q := d.open("Go on?")
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Waits", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	d.distrust()
	d.choose(q, "Yes")
	d.ended(first.ID)
	d.until("it is put back", func() bool { return d.tasks[task.ID].Status == beckon.Backlog })
	if trouble := d.now(task.ID).Trouble; !strings.Contains(trouble, "trust") {
		t.Errorf("the card that was put back says %q", trouble)
	}
}

// goneWith collects the ids that clients hear are gone.
func (d *desktopOf) goneWith() (gone func() []string) {
	d.t.Helper()
	var mu sync.Mutex
	var ids []string
	detach := d.p.feed.Attach("gone", func(f beckon.Frame) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range f.Events {
			if e.Gone != "" {
				ids = append(ids, e.Gone)
			}
		}
	})
	d.t.Cleanup(detach)
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(ids)
	}
}

// transcripts lists the files of transcripts that are kept.
func (d *desktopOf) transcripts() []string {
	d.t.Helper()
	files, err := filepath.Glob(filepath.Join(d.p.runner.DataDir, "transcripts", "*"))
	if err != nil {
		d.t.Fatal(err)
	}
	return files
}

func TestARemovedProjectTakesItsCardsAndTranscriptsAlong(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	first, _ := d.ended(d.run(beckon.NewTask{Title: "One"}).ID)
	second := d.card("Two")
	d.until("the run is over for good", func() bool { return d.p.runner.Working() == 0 })
	gone := d.goneWith()
	if len(d.transcripts()) == 0 {
		t.Fatal("there is no transcript")
	}
	if err := d.RemoveProject(d.project.ID); err != nil {
		t.Fatal(err)
	}
	d.until("every screen knows", func() bool {
		ids := gone()
		return slices.Contains(ids, first.ID) && slices.Contains(ids, second.ID) && slices.Contains(ids, d.project.ID)
	})
	if left := d.transcripts(); len(left) != 0 {
		t.Errorf("what was said stays on the disk: %v", left)
	}
}

func TestTranscriptsThatNoRunKnowsAreRemovedInTime(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	task, run := d.ended(d.run(beckon.NewTask{Title: "Kept"}).ID)
	data := d.p.runner.DataDir
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(data, "transcripts")
	put := func(name string, age time.Duration) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-age)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const year = 365 * 24 * time.Hour
	orphan := beckon.NewID()
	away := []string{put(orphan+".ndjson", year), put(orphan+".idx", year)}
	kept := []string{
		put(beckon.NewID()+".ndjson", time.Hour), // of a database that a copy may have replaced
		put("notes.ndjson", year), put(beckon.NewID()+".txt", year),
	}
	for _, file := range d.transcripts() {
		if strings.Contains(file, run.ID) {
			kept = append(kept, file)
			old := time.Now().Add(-year)
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	again := openAt(t, data, agents(t, "text done\n"))
	for _, path := range away {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", filepath.Base(path))
		}
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	if page, err := again.Transcript(task.ID, "", 50); err != nil || len(page.Entries) == 0 {
		t.Errorf("the transcript reads %+v, %v", page, err)
	}
}

func TestAnEmptyDatabaseRemovesNoTranscript(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	dir := filepath.Join(data, "transcripts")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, beckon.NewID()+".ndjson")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().AddDate(-1, 0, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if p, err := open(t.Context(), options{data: data}, agents(t, "text done\n"), shell{}); err == nil { // which may well be refused
		defer p.close()
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a transcript beside a new database: %v", err)
	}
}
