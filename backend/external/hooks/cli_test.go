package hooks

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNothingIsInstalledBeforeTheUserConfirms(t *testing.T) {
	t.Parallel()
	for answer, installs := range map[string]bool{"y\n": true, "Yes\n": true, "n\n": false, "\n": false, "": false, "yesterday\n": false} {
		dir := t.TempDir()
		var said bytes.Buffer
		c := CLI{In: strings.NewReader(answer), Out: &said, ConfigDir: dir, Command: Call{Program: program}.Command(false)}
		if err := c.Run("install"); err != nil {
			t.Errorf("%q: %v", answer, err)
		}
		shown := strings.Index(said.String(), `"command": "'/opt/it'\\''s here/beckon' hook"`)
		asked := strings.Index(said.String(), "Install it?")
		if shown < 0 || asked < shown {
			t.Errorf("%q: the change is not shown before it is asked about:\n%s", answer, &said)
		}
		if _, err := os.Stat(filepath.Join(dir, fileName)); (err == nil) != installs {
			t.Errorf("%q: installed %t", answer, err == nil)
		}
	}
}

func TestTheCommandLineInstallsShowsAndRemoves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	beckon := filepath.Join(dir, "beckon")
	write(t, beckon, "")
	write(t, filepath.Join(dir, fileName), "{}\n")
	for _, step := range []struct {
		action string
		says   []string
	}{
		{"status", []string{"Not installed", "beckon hooks install"}},
		{"remove", []string{"No hook of Beckon's is installed."}},
		{"install", []string{"Installed.", "What was there before is in " + filepath.Join(dir, fileName) + ".beckon-"}},
		{"install", []string{"The hook is installed already."}},
		{"status", []string{"Installed in " + filepath.Join(dir, fileName) + " since 2", "It calls '" + beckon + "' hook"}},
		{"remove", []string{"-", "Removed."}},
		{"status", []string{"Not installed"}},
	} {
		var said bytes.Buffer
		err := CLI{In: strings.NewReader(""), Out: &said, ConfigDir: dir, Command: Call{Program: beckon}.Command(false), Yes: true}.Run(step.action)
		for _, words := range step.says {
			if err != nil || !strings.Contains(said.String(), words) {
				t.Errorf("%s says %q, %v; want %q", step.action, &said, err, words)
			}
		}
	}
	if err := (CLI{}).Run("frobnicate"); err == nil || !strings.Contains(err.Error(), "install, status or remove") {
		t.Errorf("an unknown action: %v", err)
	}
}

func TestStatusSaysWhatKeepsTheHookFromBeingCalled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	managed := filepath.Join(dir, "managed-settings.json")
	text, err := install(nil, Call{Program: program}.Command(false))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, fileName), string(text))
	if s, err := readStatus(dir, managed); err != nil || !s.ProgramGone || s.DisabledBy != "" || !s.Since.IsZero() {
		t.Errorf("%+v, %v; want its program gone", s, err)
	}
	write(t, managed, `{"disableAllHooks": true}`)
	if s, err := readStatus(dir, managed); err != nil || s.DisabledBy != managed {
		t.Errorf("%+v, %v; want it disabled by %s", s, err, managed)
	}
	write(t, filepath.Join(dir, fileName), "{ // mine\n}")
	if _, err := readStatus(dir, managed); !errors.Is(err, errComments) {
		t.Errorf("settings with a comment: %v", err)
	}
}
