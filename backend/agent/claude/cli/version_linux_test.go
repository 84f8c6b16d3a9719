package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/agent/process"
	"beckon/backend/beckon"
)

// saying makes a CLI at path that says so when it is asked for its version,
// and counts how often it was.
func saying(t *testing.T, path, words string) {
	t.Helper()
	script := "#!/bin/sh\nprintf x >>'" + path + ".asked'\nprintf '%s\\n' '" + words + "'\n"
	if err := process.WriteProgram(path+".new", script); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func asked(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path + ".asked")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(text)
}

func TestAnOldCLIIsNamedAndAnOddOneIsLetThrough(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]struct {
		version string
		old     bool
	}{
		"1.0.128 (Claude Code)":        {"1.0.128", true},
		"2.0.0 (Claude Code)":          {"2.0.0", false},
		"2.0.0-beta.1 (Claude Code)":   {"2.0.0-beta.1", false},
		"10.0.1 (Claude Code)":         {"10.0.1", false},
		"v0.9.30":                      {"v0.9.30", true},
		"hello":                        {"hello", false},
		"":                             {"?", false},
		"99999999999999999999.0.0 odd": {"99999999999999999999.0.0", false},
	} {
		path := filepath.Join(t.TempDir(), "claude")
		saying(t, path, says)
		version, err := new(cli.Versions).Of(within(t), cli.Options{Path: path}, false).Wait(within(t))
		if version != want.version || errors.Is(err, cli.ErrTooOld) != want.old ||
			err != nil && !errors.Is(err, beckon.ErrUnavailable) {
			t.Errorf("%q is version %q, %v", says, version, err)
		}
		if err != nil && (!strings.Contains(err.Error(), want.version) ||
			!strings.Contains(err.Error(), "npm install -g @anthropic-ai/claude-code") ||
			strings.Contains(err.Error(), "unavailable")) {
			t.Errorf("it says %q", err)
		}
	}
}

func TestACLIIsAskedForItsVersionOnceUntilItIsReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "claude")
	var known cli.Versions
	look := func(fresh bool, want string) {
		t.Helper()
		if version, _ := known.Of(within(t), cli.Options{Path: path}, fresh).Wait(within(t)); version != want {
			t.Errorf("version %q, want %q", version, want)
		}
	}
	saying(t, path, "2.1.0")
	look(false, "2.1.0")
	look(true, "2.1.0")
	if n := asked(t, path); n != 1 {
		t.Errorf("a good one was asked %d times", n)
	}
	saying(t, path, "1.0.0")
	look(false, "1.0.0")
	look(false, "1.0.0")
	if n := asked(t, path); n != 2 {
		t.Errorf("it and then an old one were asked %d times", n)
	}
	look(true, "1.0.0") // the file may be a script that starts another
	if n := asked(t, path); n != 3 {
		t.Errorf("a fresh look at an old one asked %d times", n)
	}
	saying(t, path, "2.1.1")
	look(false, "2.1.1")
}

func TestACLIThatHangsIsNamedAndEnded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "claude")
	pid := path + ".pid"
	if err := process.WriteProgram(path, "#!/bin/sh\nsleep 600 &\necho $! >'"+pid+"'\nwait\n"); err != nil {
		t.Fatal(err)
	}
	_, err := new(cli.Versions).Of(within(t), cli.Options{Path: path}, false).Wait(within(t))
	if !errors.Is(err, cli.ErrSilent) || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("it hangs: %v", err)
	}
	awaitGone(t, awaitPID(t, pid))
}
