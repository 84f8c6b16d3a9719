package beckon

import (
	"errors"
	"fmt"
	"testing"

	"beckon/backend/beckon/remote"
	"beckon/backend/beckon/reviewing"
)

// TestKeysTellThingsApart: two things with one key would replace each other
// in a frame, and one of them would be lost.
func TestKeysTellThingsApart(t *testing.T) {
	const id = "same"
	seen := map[string]int{}
	for i, e := range []Event{
		{Project: &Project{ID: id}},
		{Task: &Task{ID: id}},
		{Run: &Run{ID: id}},
		{Question: &Question{ID: id}},
		{Settings: &Settings{}},
		{Disk: &Disk{}},
		{Floods: &Floods{}},
		{Channels: &remote.Channels{}},
		{Entry: &Entry{ID: id, RunID: "r1"}},
		{Entry: &Entry{ID: id, RunID: "r2"}},
		{Live: &Live{RunID: id}},
		{Reload: id},
		{Pull: &reviewing.PullRequest{TaskID: id}},
		{Gone: id},
	} {
		if j, ok := seen[e.Key()]; ok {
			t.Errorf("events %d and %d share the key %q", j, i, e.Key())
		}
		seen[e.Key()] = i
	}
}

func TestCodeNamesWrappedErrors(t *testing.T) {
	for err, want := range map[error]string{
		ErrNotFound: "not_found", ErrConflict: "conflict", ErrInvalid: "invalid",
		ErrUntrusted: "untrusted", ErrUnavailable: "unavailable", ErrDiskFull: "disk_full", errors.New("else"): "internal",
	} {
		if got := Code(fmt.Errorf("told to the user: %w", err)); got != want {
			t.Errorf("Code(%v) = %q, want %q", err, got, want)
		}
	}
}

func TestIDsDoNotRepeat(t *testing.T) {
	seen := map[string]bool{}
	for range 10_000 {
		id := NewID()
		if len(id) != 26 || seen[id] {
			t.Fatalf("id %q of %d letters, seen %v", id, len(id), seen[id])
		}
		seen[id] = true
	}
}
