package secrets

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

// noRing takes the session's bus away, and with it the key ring.
func noRing(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
}

func TestWithoutAKeyRingTheFileIsPrivateAndSaid(t *testing.T) {
	noRing(t)
	dir := t.TempDir()
	s := New(dir)
	if s.InFile() {
		t.Error("nothing is kept, and it is said to be in the file")
	}
	if err := errors.Join(s.Set("hook", "one"), s.Set("key", "two"), s.Set("hook", "three")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil || info.Mode().Perm() != 0o600 || !s.InFile() {
		t.Errorf("the file is %v, %v", info, err)
	}
	again := New(dir)
	for name, want := range map[string]string{"hook": "three", "key": "two"} {
		if got, err := again.Get(name); got != want || err != nil {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if err := errors.Join(s.Set("hook", ""), s.Set("key", "")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, fileName)); !errors.Is(err, os.ErrNotExist) || s.InFile() {
		t.Errorf("an empty file stays: %v", err)
	}
}

func TestAFileThatCannotBeReadLosesNothing(t *testing.T) {
	noRing(t)
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(dir).Set("hook", "one"); err == nil {
		t.Error("it was written over")
	}
	if text, err := os.ReadFile(path); string(text) != "{" || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := New(dir).Get("hook"); err == nil || errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("a secret that may be there is said to be none: %v", err)
	}
}
