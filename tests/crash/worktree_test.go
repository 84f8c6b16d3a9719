//go:build !windows

package crash

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/client"
)

// TestABeckonKilledWhileItReadsAWorktreeLeavesNoCopy: the copy of an index goes when
// Beckon starts again, and that of another Beckon stays.
func TestABeckonKilledWhileItReadsAWorktreeLeavesNoCopy(t *testing.T) {
	t.Parallel()
	bin, temp := t.TempDir(), t.TempDir()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	armed := filepath.Join(bin, "armed")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$2\" = write-tree ] && rm %q 2>/dev/null; then kill -9 $PPID; exit 1; fi\nexec %q \"$@\"\n", armed, git)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil { //nolint:gosec // It is to be executable.
		t.Fatal(err)
	}
	others := filepath.Join(temp, "beckon-index-0011223344556677-1")
	if err := os.Mkdir(others, 0o700); err != nil {
		t.Fatal(err)
	}
	v := raise(t, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TMPDIR="+temp)
	v.Asked(v.task.ID, "Which colour?")
	if err := os.WriteFile(armed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Call[beckon.ReviewDiff](v.Program, "Review", v.task.ID, reviewing.View{}); err == nil {
		t.Fatal("the worktree was read by a Beckon that was killed")
	}
	copies := func() []string {
		found, _ := filepath.Glob(filepath.Join(temp, "beckon-index-*")) // the pattern is valid
		return found
	}
	if left := copies(); len(left) < 2 {
		t.Fatalf("a killed Beckon leaves %q; want a copy beside that of another", left)
	}
	v.slain()
	if left := copies(); len(left) != 1 || left[0] != others {
		t.Errorf("when it started again there are %q; want only that of another", left)
	}
}
