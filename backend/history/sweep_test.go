package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/history"
	"beckon/backend/store"
	"beckon/tests/runnertest"
)

func TestTranscriptsThatNoRunKnowsAreRemovedInTime(t *testing.T) {
	t.Parallel()
	d := runnertest.Start(t, "text done\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Kept"}).ID)
	data := d.DataDir
	if err := d.Close(); err != nil {
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
	for _, file := range d.Transcripts() {
		if strings.Contains(file, run.ID) {
			kept = append(kept, file)
			old := time.Now().Add(-year)
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	again := runnertest.Open(t, data, runnertest.Agents(t, "text done\n"))
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
	if page, err := again.History.Transcript(t.Context(), task.ID, "", 50); err != nil || len(page.Entries) == 0 {
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
	if s, err := store.Open(t.Context(), data); err == nil { // which may well be refused
		defer s.Close()
		past := history.History{Store: s, Dir: dir}
		if err := past.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a transcript beside a new database: %v", err)
	}
}
