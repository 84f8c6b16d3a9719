package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestAFolderByAnotherNameIsNotElsewhere: a home folder may be a link, as /home to /var/home,
// and the agent names files by what it leads to. The card would say a lie.
func TestAFolderByAnotherNameIsNotElsewhere(t *testing.T) {
	// What is temporary is no work, and a checkout may be temporary as a whole.
	t.Setenv("TMPDIR", t.TempDir())
	base, err := os.MkdirTemp(".", "strays-")
	if err == nil {
		base, err = filepath.Abs(base)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	home, link, other := filepath.Join(base, "home"), filepath.Join(base, "link"), filepath.Join(base, "other")
	for _, dir := range []string{home, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(home, link); err != nil {
		t.Skip("this machine makes no links")
	}
	for here, files := range map[string][]string{link: {home + "/a", link + "/b"}, home: {home + "/a", link + "/b"}} {
		began, strays := time.Now().Add(-time.Minute), Strays{Dir: here}
		for _, file := range append(files, other+"/made", other+"/gone") {
			if filepath.Base(file) != "gone" {
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			strays.Note(file)
		}
		if got := strays.Folders(began); !slices.Equal(got, []string{other}) {
			t.Errorf("in %s it strayed to %q, want %s alone", here, got, other)
		}
	}
}
