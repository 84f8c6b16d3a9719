package board

import (
	"os"
	"path/filepath"
	"testing"
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
		if got := atHome(typed); got != want {
			t.Errorf("%q is %q, not %q", typed, got, want)
		}
	}
}
