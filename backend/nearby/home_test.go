package nearby

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
)

func TestAFolderIsNamedFromHomeAsInAShell(t *testing.T) {
	t.Parallel()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for typed, want := range map[string]string{
		"~":          home,
		"~/src/a b":  filepath.Join(home, "src", "a b"),
		" ~/src ":    filepath.Join(home, "src"),
		"~root/src":  "~root/src",
		"/a/~/b":     "/a/~/b",
		"$HOME/src":  "$HOME/src",
		"~/../other": filepath.Join(filepath.Dir(home), "other"),
	} {
		if got := AtHome(typed); got != want {
			t.Errorf("%q is %q, not %q", typed, got, want)
		}
	}
}

func TestAFolderThatCannotBeReadForSessionsIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused := map[string]problem.Kind{
		"": problem.Relative, "src/kestrel": problem.Relative,
		filepath.Join(dir, "gone"): problem.NoFolder, file: problem.NotFolder,
	}
	if os.Getuid() == 0 {
		others := filepath.Join(dir, "others")
		if err := os.Mkdir(others, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(others, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		refused[others] = problem.NotYours
	}
	for name, want := range refused {
		if _, err := Own(name); err == nil || beckon.FailureOf(err).Problem != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	if clean, err := Own(" " + dir + "/ "); err != nil || clean != dir {
		t.Errorf("%q, %v", clean, err)
	}
}
