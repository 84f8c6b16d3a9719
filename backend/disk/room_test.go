package disk

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

func write(t *testing.T, size int, names ...string) {
	t.Helper()
	name := filepath.Join(names...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheRoomOfAProjectIsThatOfItsOwnFolders(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	write(t, 1000, outside, "large")
	write(t, 10, dir, "worktrees", "kes-1", "deep", "a")
	write(t, 5, dir, "worktrees", "kes-1.with", "proto", "a") // of a further repository
	write(t, 20, dir, "worktrees", "led-1", "a")
	write(t, 30, dir, "ready", "kes", "a")
	write(t, 40, dir, "trash", "kes", "a")
	if err := os.Symlink(outside, filepath.Join(dir, "worktrees", "kes-1", "link")); err != nil {
		t.Skip(err)
	}
	var moments error
	m := &RoomMeter{
		Dir: dir,
		Tasks: func(context.Context, string) ([]beckon.Task, error) {
			return []beckon.Task{{Worktree: filepath.Join(dir, "worktrees", "kes-1")}, {Worktree: outside}, {}}, nil
		},
		Own: func(context.Context, string) (string, string, error) {
			return filepath.Join(dir, "ready", "kes"), filepath.Join(dir, "trash", "none"), nil
		},
		Moments: func(context.Context, string) (int64, error) { return 50, moments },
	}
	for id, want := range map[string]beckon.DiskUse{
		"kes": {Worktrees: 15, Spare: 30, Moments: 50},
		"":    {Worktrees: 35, Spare: 30, Discarded: 40},
	} {
		if got, err := m.Of(t.Context(), id); err != nil || got != want {
			t.Errorf("%q takes %+v, %v; want %+v", id, got, err, want)
		}
	}
	moments = context.Canceled
	if got, err := m.Of(t.Context(), "kes"); err != nil || !got.Partial || got.Worktrees != 15 {
		t.Errorf("without git it takes %+v, %v", got, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := m.Of(gone, ""); err != nil || !got.Partial {
		t.Errorf("what was not counted is not said: %+v, %v", got, err)
	}
}
