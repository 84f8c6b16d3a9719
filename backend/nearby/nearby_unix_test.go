//go:build unix

package nearby

import (
	"os"
	"syscall"
	"testing"
)

func TestPipesAndLockedFoldersHoldNothingUp(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.repo("app", "App", 1)
	tr.folder("piped/.git/logs")
	tr.write("logged/.git/HEAD", "ref: refs/heads/main\n")
	tr.folder("logged/.git/logs")
	for _, name := range []string{"piped/.git/HEAD", "logged/.git/logs/HEAD", "pipe"} {
		if err := syscall.Mkfifo(tr.path(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tr.write("huge/.git/HEAD", "ref: refs/heads/main\n")
	tr.write("huge/.git/logs/HEAD", "")
	if err := os.Truncate(tr.path("huge/.git/logs/HEAD"), 8<<30); err != nil {
		t.Fatal(err)
	}
	tr.folder("locked/inside")
	if err := os.Chmod(tr.path("locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(tr.path("locked"), 0o700) })
	found := tr.search()
	if got := names(found); got != "app huge logged" || found.Cut {
		t.Fatalf("found %q, cut %v", got, found.Cut)
	}
	for _, r := range found.Repositories[1:] {
		if r.Subject != "" || r.At != 0 {
			t.Errorf("%+v", r)
		}
	}
}
