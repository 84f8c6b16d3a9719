package datadir

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// TestTheLockNamesItsHolder: also where an older file is there, whatever is in
// it.
func TestTheLockNamesItsHolder(t *testing.T) {
	t.Parallel()
	for _, left := range []string{
		"", "1234567", "\x00process 4194304999\n",
		"\xff\xfe garbage that is longer than what is written over it",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "beckon.lock"), []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		first, err := Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(" (process %d):", os.Getpid())
		if _, err := Lock(dir); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), want) {
			t.Errorf("after %q: %v; want %s", left, err, want)
		}
		if err := Unlock(first); err != nil {
			t.Error(err)
		}
		second, err := Lock(dir)
		if err != nil {
			t.Fatalf("after %q the lock is not given back: %v", left, err)
		}
		if err := Unlock(second); err != nil {
			t.Error(err)
		}
	}
}

// TestTheLockOfADeadProcessIsWaitedFor: what Beckon was starting as it was killed has
// the lock for a moment more.
func TestTheLockOfADeadProcessIsWaitedFor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no child inherits a lock there")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "beckon.lock")
	dead := exec.CommandContext(t.Context(), "true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, fmt.Appendf(nil, "\x00process %d\n", dead.Process.Pid), 0o600); err != nil {
		t.Fatal(err)
	}
	held := flock.New(path, flock.SetFlag(os.O_RDWR))
	if ours, err := held.TryLock(); err != nil || !ours {
		t.Fatal(ours, err)
	}
	timer := time.AfterFunc(100*time.Millisecond, func() { _ = held.Unlock() })
	defer timer.Stop()
	l, err := Lock(dir)
	if err != nil {
		t.Fatalf("a folder whose holder died: %v", err)
	}
	if err := Unlock(l); err != nil {
		t.Error(err)
	}
}
