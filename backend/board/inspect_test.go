package board_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/runnertest"
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
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", d.Project.Dir, dir).CombinedOutput(); err != nil {
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
			found, err := d.Board.InspectFolder(t.Context(), dir)
			got <- answer{found, err}
		}()
		select {
		case a := <-got:
			return a
		case <-time.After(runnertest.Patience):
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
	if _, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: dir}); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("error %v, want a conflict", err)
	}
}
