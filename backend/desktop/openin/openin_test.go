package openin_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/desktop/openin"
	"beckon/tests/timeout"
)

// with is a machine that has some commands, which write where they are and what they
// are given into a file.
func with(t *testing.T, system string, commands ...string) (m openin.Machine, said string) {
	t.Helper()
	dir := t.TempDir()
	said = filepath.Join(dir, "said")
	for _, name := range commands {
		script := "#!/bin/sh\nprintf '%s|' \"$PWD\" \"$@\" > '" + said + ".part'\nmv '" + said + ".part' '" + said + "'\n"
		if err := process.WriteProgram(filepath.Join(dir, name), script); err != nil {
			t.Fatal(err)
		}
	}
	return openin.Machine{System: system, Find: func(command string) (string, error) { return exec.LookPath(filepath.Join(dir, command)) }}, said
}

func TestOnlyWhatIsThereIsOfferedAndNothingTwice(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are not scripts")
	}
	m, _ := with(t, "linux", "zeditor", "zed", "code", "kitty", "xterm")
	if names := m.Programs(); !slices.Equal(names, []string{"VS Code", "Zed", openin.Terminal}) {
		t.Errorf("offered are %q", names)
	}
	m, _ = with(t, "linux")
	if names := m.Programs(); names == nil || len(names) != 0 {
		t.Errorf("without any program offered are %#v", names)
	}
}

func TestAFolderIsOpenedWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are not scripts")
	}
	dir := filepath.Join(t.TempDir(), "-a b;touch x $(id)")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ program, command, args string }{
		{"VS Code", "code", dir + "|"},
		{openin.Terminal, "konsole", "--workdir|" + dir + "|"},
		{openin.Terminal, "kitty", ""},
	} {
		m, said := with(t, "linux", c.command)
		if err := m.Open(c.program, dir); err != nil {
			t.Fatal(err)
		}
		if got := read(t, said); got != dir+"|"+c.args {
			t.Errorf("%s was started as %q", c.command, got)
		}
	}
}

// read waits for a file.
func read(t *testing.T, name string) string {
	t.Helper()
	for deadline := time.Now().Add(timeout.For(10 * time.Second)); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil {
			return string(text)
		}
	}
	t.Fatalf("nobody wrote %s", name)
	return ""
}

func TestAnApplicationOfMacOSIsFoundWithoutACommand(t *testing.T) {
	t.Parallel()
	apps := t.TempDir()
	if err := os.Mkdir(filepath.Join(apps, "Zed.app"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := openin.Machine{System: "darwin", Apps: []string{apps}, Find: func(string) (string, error) { return "", exec.ErrNotFound }}
	if names := m.Programs(); !slices.Equal(names, []string{"Zed"}) {
		t.Errorf("offered are %q", names)
	}
}

func TestWhatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	m, _ := with(t, "linux")
	if err := m.Open("Zed", t.TempDir()); !errors.Is(err, beckon.ErrUnavailable) || beckon.FailureOf(err).Problem != problem.NoProgram {
		t.Errorf("without the editor: %v", err)
	}
	if err := m.Open("Zed", filepath.Join(t.TempDir(), "gone")); beckon.FailureOf(err).Problem != problem.NoFolder {
		t.Errorf("without the folder: %v", err)
	}
}

func TestALineIsOpenedInTheFileAndInNoOther(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are not scripts")
	}
	dir, other := t.TempDir(), t.TempDir()
	name := "-a b;$(id):3.go"
	secret := filepath.Join(other, "secret")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, name), nil, 0o600), os.WriteFile(secret, nil, 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700), os.Symlink(secret, filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	for _, c := range []struct {
		program, command string
		line             int
		args             string
	}{
		{"VS Code", "code", 12, dir + "|--goto|" + file + ":12|"},
		{"Zed", "zed", 0, dir + "|" + file + ":1|"},
		{"GoLand", "goland", 7, "--line|7|" + file + "|"},
	} {
		m, said := with(t, "linux", c.command)
		if err := m.OpenFile(c.program, dir, name, c.line); err != nil {
			t.Fatal(err)
		}
		if got := read(t, said); got != dir+"|"+c.args {
			t.Errorf("%s was started as %q", c.command, got)
		}
	}
	m, said := with(t, "linux", "code", "konsole")
	kindOf := func(err error) problem.Kind {
		kind, _ := problem.From(err)
		return kind
	}
	for _, path := range []string{"gone", "../" + filepath.Base(other) + "/secret", secret, "link", "folder", ""} {
		if err := m.OpenFile("VS Code", dir, path, 1); !errors.Is(err, beckon.ErrNotFound) || kindOf(err) != problem.NoFile {
			t.Errorf("%q: %v", path, err)
		}
	}
	if err := m.OpenFile(openin.Terminal, dir, name, 1); kindOf(err) != problem.NoProgram {
		t.Errorf("a terminal edits no line: %v", err)
	}
	if _, err := os.Stat(said); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was started: %v", err)
	}
}
