package secrets

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/timeout"

	"github.com/zalando/go-keyring"
)

// ring begins a session's bus with a key ring that is open.
func ring(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_DATA_HOME", home)
	t.Setenv("XDG_RUNTIME_DIR", home)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", daemon(t, "", "dbus-daemon", "--session", "--nofork", "--print-address=1"))
	daemon(t, "a password\n", "gnome-keyring-daemon", "--unlock", "--foreground", "--components=secrets")
	for end := time.Now().Add(timeout.For(30 * time.Second)); reachable() != nil || !answers(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the key ring does not begin")
		}
	}
}

// answers reports whether the key ring of the session's bus keeps anything.
func answers() bool {
	_, err := patiently(func() (string, error) { return "", keyring.Set(service, "a test", "x") })
	return err == nil
}

func TestTheKeyRingIsPreferred(t *testing.T) {
	noRing(t)
	dir := t.TempDir()
	s := New(dir)
	if err := s.Set("hook", "one"); err != nil {
		t.Fatal(err)
	}
	ring(t)
	if got, err := s.Get("hook"); got != "one" || err != nil {
		t.Errorf("what was kept before there was a key ring: %q, %v", got, err)
	}
	if err := s.Set("hook", "two"); err != nil || s.InFile() {
		t.Errorf("still in the file, %v", err)
	}
	if got, err := s.Get("hook"); got != "two" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := New(t.TempDir()).Get("hook"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("another data folder has it: %v", err)
	}
	if err := s.Set("hook", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("hook"); !errors.Is(err, beckon.ErrNotFound) {
		t.Errorf("it is not gone: %v", err)
	}
}

func TestASecretThatTheKeyRingMayStillHaveIsNotCalledForgotten(t *testing.T) {
	ring(t)
	s := New(t.TempDir())
	if err := s.Set("hook", "one"); err != nil {
		t.Fatal(err)
	}
	noRing(t)
	if err := s.Set("hook", ""); err == nil {
		t.Error("it is called forgotten, and is back with the key ring")
	}
	if err := New(t.TempDir()).Set("hook", ""); err != nil {
		t.Errorf("where there never was a key ring: %v", err)
	}
}

// daemon starts a program that ends with the test, and returns its first line.
func daemon(t *testing.T, input, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	d := exec.CommandContext(ctx, name, args...)
	d.Stdin = strings.NewReader(input)
	out, err := d.StdoutPipe()
	if err == nil {
		err = d.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Logf("%s: %v", name, err)
	}
	t.Cleanup(func() {
		cancel()
		_ = d.Wait() // it was killed
	})
	return strings.TrimSpace(line)
}
