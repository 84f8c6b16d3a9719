// Package killing kills processes of tests between two steps of what git does for them:
// it puts a git of its own before the real one, which ends its caller after the call of a
// given number that writes something.
package killing

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// script is that git. The calls that it does not name only read.
const script = `#!/bin/sh
case "$2 $3" in
"update-ref "* | "merge "* | "reset "* | "add "* | "commit "* | "commit-tree "* | "hash-object "* | "bundle create" | "bundle unbundle" | "worktree add" | "worktree remove" | "worktree unlock")
	n=$(($(cat "$BECKON_TEST_COUNT") + 1))
	echo $n >"$BECKON_TEST_COUNT"
	"$BECKON_TEST_GIT" "$@"
	status=$?
	[ $n = "$BECKON_TEST_KILL" ] && kill -9 $PPID
	exit $status
	;;
esac
exec "$BECKON_TEST_GIT" "$@"
`

// Run runs this test binary, with what more the environment is to have, until it is
// killed after the step, counted from 1, or ends; killed is false where it has no such
// step. What it leaves in the folder for temporary files goes with the test.
func Run(t *testing.T, step int, env []string, args ...string) (killed bool) {
	t.Helper()
	bin := t.TempDir()
	real, err := exec.LookPath("git")
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700), os.WriteFile(filepath.Join(bin, "count"), []byte("0"), 0o600))
	}
	self, selfErr := os.Executable()
	if err = errors.Join(err, selfErr); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "BECKON_TEST_GIT="+real, "BECKON_TEST_COUNT="+filepath.Join(bin, "count"),
		"BECKON_TEST_KILL="+strconv.Itoa(step), "TMPDIR="+t.TempDir()), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return true
	}
	if err != nil {
		t.Fatal(fmt.Errorf("step %d: %w: %s", step, err, out))
	}
	return false
}
