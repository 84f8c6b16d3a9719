package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

const program = "/opt/it's here/beckon"

// TestTheHookIsPutInAndTakenOut plays each file of testdata: what a settings
// file is before, with the hook, and after it was taken out again, which is
// "before" where the file says nothing else.
func TestTheHookIsPutInAndTakenOut(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range a.Files {
				parts[f.Name] = string(f.Data)
			}
			before := []byte(parts["before"])
			with, err := install(before, Call{Program: program}.Command(false))
			same(t, "installed", with, err, parts["installed"])
			again, err := install(with, Call{Program: program}.Command(false))
			same(t, "installed twice", again, err, parts["installed"])
			after, ok := parts["removed"]
			if !ok {
				after = parts["before"]
			}
			without, err := remove(with)
			same(t, "removed", without, err, after)
			again, err = remove(without)
			same(t, "removed twice", again, err, after)
		})
	}
}

func same(t *testing.T, what string, got []byte, err error, want string) {
	t.Helper()
	if err != nil || string(got) != want {
		t.Errorf("%s: %v\n%s\nwant\n%s", what, err, got, want)
	}
}

func TestAnotherBeckonsHookIsReplaced(t *testing.T) {
	t.Parallel()
	old, err := install(nil, Call{Program: `C:\Programs\Beckon\beckon.exe`}.Command(true))
	if err != nil {
		t.Fatal(err)
	}
	now, err := install(old, Call{Program: program}.Command(false))
	want, wantErr := install(nil, Call{Program: program}.Command(false))
	if err != nil || wantErr != nil || !bytes.Equal(now, want) {
		t.Errorf("%v, %v\n%s\nwant\n%s", err, wantErr, now, want)
	}
}

// TestOnlyBeckonsOwnCommandIsTakenOut: other hooks of the event stay.
func TestOnlyBeckonsOwnCommandIsTakenOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command string
		own     bool
	}{
		{Call{Program: program}.Command(false), true},
		{Call{Program: `C:\Program Files\Beckon\beckon.exe`}.Command(true), true},
		{Call{Program: "/home/me/Beckon-1.2.AppImage"}.Command(false), true},
		{Call{Program: program, Data: "/srv/o'brien's work"}.Command(false), true},
		{Call{Program: `C:\Beckon\beckon.exe`, Data: `D:\my data`}.Command(true), true},
		{"beckon hook", false}, // a person's own
		{"'/usr/bin/beckon' hook -data '/srv'; rm -rf ~", false},
		{"'/usr/bin/beckon' hook -data ''", false},
		{"'/usr/bin/beckon' hook -data '/srv", false},
		{"'/usr/bin/other' hook", false},
		{"'/opt/beckon/tool' hook", false},
		{"'/usr/bin/beckon' hook; rm -rf ~", false},
		{"'/usr/bin/beckon' mcp", false},
		{"''", false},
		{"' hook", false},
		{"", false},
	} {
		if _, own := Parse(c.command); own != c.own {
			t.Errorf("%q is taken for Beckon's: %t", c.command, own)
		}
	}
}

func TestSettingsThatNeedAGuessAreLeftAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		why  error
	}{
		"no JSON":             {`{"hooks": `, errNotJSON},
		"two values":          {`{} {}`, errNotJSON},
		"a comment":           {"{\n  // mine\n  \"model\": \"opus\"\n}", errComments},
		"a comma at the end":  {`{"model": "opus",}`, errComments},
		"a list":              {`[]`, errShape},
		"hooks are a list":    {`{"hooks": []}`, errShape},
		"the event a string":  {`{"hooks": {"PermissionRequest": "no"}}`, errShape},
		"hooks twice":         {`{"hooks": {}, "hooks": {}}`, errTwice},
		"the event twice":     {`{"hooks": {"PermissionRequest": [], "PermissionRequest": []}}`, errTwice},
		"bytes of no charset": {"{\"a\": \"\xff\"}", errNotJSON},
	} {
		if _, err := install([]byte(c.text), Call{Program: program}.Command(false)); !errors.Is(err, c.why) {
			t.Errorf("%s: installed with %v", name, err)
		}
		if _, err := remove([]byte(c.text)); !errors.Is(err, c.why) {
			t.Errorf("%s: removed with %v", name, err)
		}
	}
}

// TestAFileThatIsNotTheUsersOwnIsLeftAlone, with the snippet to put there by
// hand.
func TestAFileThatIsNotTheUsersOwnIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		why  string
	}{
		"a link": {func(t *testing.T, path string) {
			real := filepath.Join(t.TempDir(), "settings.json")
			write(t, real, "{}")
			if err := os.Symlink(real, path); err != nil {
				t.Fatal(err)
			}
		}, "is a link"},
		"a folder": {func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a folder"},
		"read-only": {func(t *testing.T, path string) {
			write(t, path, "{}")
			if err := os.Chmod(path, 0o400); err != nil {
				t.Fatal(err)
			}
		}, "is read-only"},
		"another user's": {func(t *testing.T, path string) {
			if os.Getuid() != 0 {
				t.Skip("only root can give a file away")
			}
			write(t, path, "{}")
			if err := os.Chown(path, 65534, -1); err != nil {
				t.Fatal(err)
			}
		}, "belongs to another user"},
		"no JSON": {func(t *testing.T, path string) { write(t, path, "model = opus") }, "is not JSON"},
		"huge":    {func(t *testing.T, path string) { write(t, path, strings.Repeat(" ", maxSettings)+"{}") }, "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c.make(t, filepath.Join(dir, fileName))
			before := listing(t, dir)
			_, err := Install(dir, Call{Program: program}.Command(false))
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), `"PermissionRequest": [`) {
				t.Errorf("it was refused with %v", err)
			}
			if _, err := Remove(dir); !errors.Is(err, ErrRefused) {
				t.Errorf("it was taken out with %v", err)
			}
			if after := listing(t, dir); !slices.Equal(before, after) {
				t.Errorf("the folder has %q, had %q", after, before)
			}
		})
	}
}

func TestAnInstallationKeepsACopyAndTheModeOfTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	const text = "{\n\t\"model\": \"opus\"\n}\n"
	write(t, path, text)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	c, err := Install(dir, Call{Program: program}.Command(false))
	if err != nil || c.Empty() || !strings.Contains(c.Diff(), "+\t\t\t\t\t\t\"command\"") {
		t.Fatalf("%v, empty %t\n%s", err, c.Empty(), c.Diff())
	}
	if got := read1(t, path); got != text {
		t.Fatalf("it was written before it was asked to be:\n%s", got)
	}
	backup, err := c.Apply(time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local))
	if err != nil || filepath.Base(backup) != "settings.json.beckon-20260102-030405.bak" || read1(t, backup) != text {
		t.Fatalf("the copy %q: %v", backup, err)
	}
	if got := mode(t, backup); got != 0o600 {
		t.Errorf("the copy has the mode %o", got)
	}
	if got := mode(t, path); got != 0o640 {
		t.Errorf("the settings have the mode %o, had 640", got)
	}
	r, err := Remove(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(time.Now()); err != nil || read1(t, path) != text {
		t.Errorf("after it was taken out: %v\n%s", err, read1(t, path))
	}
}

func TestAFolderWithoutSettingsGetsSome(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude")
	c, err := Install(dir, Call{Program: program}.Command(false))
	if err != nil {
		t.Fatal(err)
	}
	backup, err := c.Apply(time.Now())
	if err != nil || backup != "" {
		t.Errorf("the copy %q, %v", backup, err)
	}
	if got := mode(t, c.Path); got != 0o600 {
		t.Errorf("the settings have the mode %o", got)
	}
	if n := len(listing(t, dir)); n != 1 {
		t.Errorf("the folder has %d files", n)
	}
}

func TestSettingsThatChangedSinceTheyWereShownAreNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	fresh, err := Install(dir, Call{Program: program}.Command(false))
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, `{"model": "opus"}`)
	if _, err := fresh.Apply(time.Now()); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that came meanwhile: %v", err)
	}
	c, err := Install(dir, Call{Program: program}.Command(false))
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, `{"model": "sonnet"}`)
	if _, err := c.Apply(time.Now()); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Apply(time.Now()); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that is gone: %v", err)
	}
	if left := listing(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// FuzzInstallAndRemove: whatever the settings hold beside the hook means the
// same before, with it, and after.
func FuzzInstallAndRemove(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"a":1}`, "{\n \"hooks\": {\"Stop\": [ ]} , \"b\":[1 , 2]\n}", `{"hooks":{"PermissionRequest":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]}}`,
		`{"hooks":{"PermissionRequest":[null,{"hooks":[]},{"hooks":7}]}}`, `{"hooks":{"PermissionRequest":[{"hooks":[{"command":"'/a/beckon' hook"},{"command":"y"}]}]}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		with, err := install([]byte(text), Call{Program: program}.Command(false))
		if err != nil {
			return
		}
		d, err := parse(with)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, with)
		}
		if last, found := d.commands(); found != 1 || last != (Call{Program: program}).Command(false) {
			t.Fatalf("%d hooks, the last %q\n%s", found, last, with)
		}
		without, err := remove(with)
		if err != nil {
			t.Fatal(err)
		}
		before, err := remove([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(meaning(t, before), meaning(t, without)) {
			t.Errorf("%q became %q", text, without)
		}
	})
}

// meaning is what settings say, without lists and objects of hooks that are
// empty, which say nothing.
func meaning(t *testing.T, text []byte) map[string]any {
	t.Helper()
	all := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		return all
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	hooks, _ := all[hooksName].(map[string]any)
	if list, ok := hooks[eventName].([]any); ok && len(list) == 0 {
		delete(hooks, eventName)
	}
	if hooks != nil && len(hooks) == 0 {
		delete(all, hooksName)
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read1(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		names = append(names, f.Name())
	}
	return names
}
