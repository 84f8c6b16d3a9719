package nearby

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func (tr tree) folders(typed string) []Folder {
	tr.t.Helper()
	list, err := Folders(tr.t.Context(), typed, tr.top)
	if err != nil {
		tr.t.Fatalf("%q: %v", typed, err)
	}
	return list
}

func dirs(list []Folder) string {
	var all []string
	for _, f := range list {
		all = append(all, filepath.ToSlash(f.Dir))
	}
	return strings.Join(all, " ")
}

func TestAPathThatIsHalfTypedGoesOn(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.repo("src/kestrel", "Fix", 2)
	tr.write("src/Keswick/notes.txt", "")
	tr.write("src/kes.txt", "no folder")
	tr.folder("src/.kept")
	tr.folder("src/other")
	for typed, want := range map[string]string{
		"~":             "~/src",
		"~/":            "~/src",
		"~/s":           "~/src",
		"~/src/":        "~/src/Keswick ~/src/kestrel ~/src/other",
		"~/src/kes":     "~/src/Keswick ~/src/kestrel",
		"~/src/.":       "~/src/.kept",
		"~/src/nothing": "",
		"~/gone/x":      "",
		"~mira/":        "",
		"src":           "",
		"":              "",
	} {
		if got := dirs(tr.folders(typed)); got != want {
			t.Errorf("%q goes on as %q, want %q", typed, got, want)
		}
	}
	full := tr.path("src") + string(filepath.Separator) + "kest"
	list := tr.folders(full)
	if len(list) != 1 || list[0].Dir != tr.path("src/kestrel") || !list[0].Git || list[0].Branch != "main" || list[0].At == 0 {
		t.Errorf("%+v", list)
	}
	if plain := tr.folders("~/src/kesw"); len(plain) != 1 || plain[0].Git {
		t.Errorf("%+v", plain)
	}
}

func TestCompletionOffersAFewOfMany(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	for i := range 300 {
		tr.folder(fmt.Sprintf("many/%03d", i))
	}
	if got := len(tr.folders("~/many/")); got != mostOffered {
		t.Errorf("%d are offered", got)
	}
	if _, err := Folders(t.Context(), "~/"+strings.Repeat("x", longestPath), tr.top); err == nil {
		t.Error("a path of any length is taken")
	}
}

func TestALinkToAFolderCanBeChosenAndACircleCannot(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	tr := newTree(t)
	tr.repo("real", "Fix", 2)
	for name, to := range map[string]string{"link": tr.path("real"), "loop": "loop", "lost": tr.path("gone")} {
		if err := os.Symlink(to, tr.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := dirs(tr.folders("~/l")); got != "~/link" {
		t.Errorf("offered %q", got)
	}
}
