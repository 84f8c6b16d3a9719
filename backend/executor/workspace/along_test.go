//go:build linux || darwin

package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/executor/calls"
	"beckon/backend/executor/workspace"
)

// TestWhatGoesAlongReplacesNothingAndLeadsNowhere: files come whole, once, and only where git
// ignores them; a link, a name that leads out and a file that is there stay as they are.
func TestWhatGoesAlongReplacesNothingAndLeadsNowhere(t *testing.T) {
	t.Parallel()
	w := workspace.Workspace{Dir: t.TempDir()}
	call(t, w, calls.Prepare, calls.Project{ID: "p1", UserName: "Ada", UserEmail: "ada@localhost"})
	task := calls.Task{ProjectID: "p1", ID: "t1", Branch: "b1"}
	dir := call(t, w, calls.Put, calls.Work{Task: task, Commit: pushed(t, w, "p1")}).(calls.Worktree).Dir
	outside := t.TempDir()
	for name, text := range map[string]string{".gitignore": ".env*\nout/\n", ".env.mine": "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}

	meeting := call(t, w, calls.Meet, task).(calls.Meeting).Dir
	stream := "commit refs/heads/along\ncommitter B <b@localhost> 0 +0000\ndata 0\n"
	for name, text := range map[string]string{".env": "A=1", ".env.mine": "theirs", "kept.go": "package x", ".envs/deep/one": "x"} {
		stream += "M 100755 inline " + name + "\ndata " + string(rune('0'+len(text))) + "\n" + text + "\n"
	}
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", meeting, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(stream)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commit, err := exec.CommandContext(t.Context(), "git", "--git-dir", meeting, "rev-parse", "along").Output()
	if err != nil {
		t.Fatal(err)
	}
	missed := call(t, w, calls.Along, calls.Files{Task: task, Commit: strings.TrimSpace(string(commit))}).(calls.Missed)
	if strings.Join(missed.Paths, " ") != ".env.mine kept.go" {
		t.Errorf("missed %q", missed.Paths)
	}
	for name, want := range map[string]string{".env": "A=1", ".env.mine": "mine", ".envs/deep/one": "x"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, ".env")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("it runs no more: %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(meeting); err == nil {
		t.Error("what they came in is still there")
	}
	if again := call(t, w, calls.Meet, task).(calls.Meeting); again.Dir != "" {
		t.Errorf("they are asked for again: %+v", again)
	}
}
