package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// The page looks at each folder that is dropped, typed or handed over, before
// anybody trusts it.
func TestAFolderThatWouldHangIsRefusedOrListed(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	d := start(t, "text hello\n")
	dir := filepath.Join(t.TempDir(), "hostile")
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", d.project.Dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, ".gitattributes")); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		found beckon.ProjectFound
		err   error
	}
	look := func() answer {
		t.Helper()
		got := make(chan answer, 1)
		go func() {
			found, err := d.InspectFolder(dir)
			got <- answer{found, err}
		}()
		select {
		case a := <-got:
			return a
		case <-time.After(patience):
			t.Fatal("the look does not end")
			panic("unreachable")
		}
	}
	if a := look(); a.err != nil || a.found.Dir != dir {
		t.Errorf("found %+v, %v", a.found, a.err)
	}
	config, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = config.WriteString("[include]\npath = /dev/tty\n")
		err = errors.Join(err, config.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if a := look(); !errors.Is(a.err, beckon.ErrConflict) {
		t.Errorf("error %v, want a conflict that names the file", a.err)
	}
	if _, err := d.AddProject(beckon.NewProject{Dir: dir}); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("error %v, want a conflict", err)
	}
}
