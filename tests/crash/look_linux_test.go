package crash

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/timeout"
)

// A look at a folder that blocks git neither hangs nor keeps Beckon from
// ending well: Close fails the test when it does not.
func TestBeckonEndsWhileItLooksAtAFolderThatHangs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := client.Serve(t, beckonBin, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home},
		"-data", filepath.Join(home, "data"), "-claude", agentBin)
	dir := client.Repository(t, map[string]string{"a.txt": "a\n"})
	commit := strings.TrimSpace(client.Git(t, dir, "rev-parse", "HEAD"))
	object := filepath.Join(dir, ".git", "objects", commit[:2], commit[2:])
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(object, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := client.Call[beckon.ProjectFound](p, "InspectFolder", dir)
		answer <- err
	}()
	p.Until("git waits in the folder", timeout.For(20*time.Second), stays(dir))
	p.Close()
	if err := <-answer; err == nil || time.Since(began) > timeout.For(30*time.Second) {
		t.Errorf("the look ended with %v after %s", err, time.Since(began))
	}
}

// stays returns whether the same process was found in dir ten times in a row.
func stays(dir string) func() bool {
	last, times := "", 0
	return func() bool {
		found, _ := filepath.Glob("/proc/[0-9]*/cwd")
		i := slices.IndexFunc(found, func(link string) bool {
			cwd, err := os.Readlink(link)
			return err == nil && cwd == dir
		})
		if i < 0 || found[i] != last {
			last, times = "", 0
		}
		if i >= 0 {
			last = found[i]
			times++
		}
		return times >= 10
	}
}
