//go:build !windows

package tmux

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/observe/dialog"
)

func TestOldVersionsOfTmuxAreNotOffered(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"3.0": true, "3.0a": true, "3.3a": true, "3.6": true, "next-3.5": true, "master": true, "10.1": true,
		"2.9a": false, "1.8": false, "": false, "unknown": false,
	} {
		if recent(version) != want {
			t.Errorf("%q: %v, want %v", version, !want, want)
		}
	}
}

// TestWithoutTmuxTheWayIsNotOffered (T6).
func TestWithoutTmuxTheWayIsNotOffered(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := os.Stat("/usr/local/bin/tmux"); err == nil {
		t.Skip("it is also found beside the path here")
	}
	if _, err := Find(t.Context(), Process{PID: os.Getpid()}); !errors.Is(err, dialog.Because(dialog.NoTmux)) {
		t.Errorf("%v, want that there is no tmux", err)
	}
}

// TestOnlyTheUsersOwnSocketsAreTrusted (S-f): what else lies where a socket is said
// to be is not asked.
func TestOnlyTheUsersOwnSocketsAreTrusted(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "beckon-sock-") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "tmux")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(socket, link)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		socket: true, file: false, link: false, dir: false, filepath.Join(dir, "none"): false,
		"tmux": false, "": false, strings.Repeat("/x", 3000): false, "/tmp/\x00": false,
	} {
		if trusted(path) != want {
			t.Errorf("%.40q: trusted %v, want %v", path, !want, want)
		}
	}
}

func TestOnlyPanesAreNamed(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"%0": true, "%12": true, "%": false, "0": false, "%1;kill-server": false, "%1 x": false, "": false} {
		if isPane(id) != want {
			t.Errorf("%q: %v, want %v", id, !want, want)
		}
	}
}

func TestOnlyTheKeysOfAnAnswerAreTyped(t *testing.T) {
	t.Parallel()
	p := &Pane{id: "%0"}
	for _, key := range []string{"", "0", "a", "C-c", "Enter ; kill-server", "11", "q"} {
		if err := p.Key(t.Context(), key); err == nil || errors.Is(err, dialog.Because(dialog.Gone)) {
			t.Errorf("%q was on its way: %v", key, err)
		}
	}
}
