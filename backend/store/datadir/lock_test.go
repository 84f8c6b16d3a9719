package datadir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLockNamesItsHolder: also where an older file is there, whatever is in
// it.
func TestTheLockNamesItsHolder(t *testing.T) {
	t.Parallel()
	for _, left := range []string{"", "1234567", "\x00process 4194304999\n", "\xff\xfe garbage that is longer than what is written over it"} {
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
