//go:build linux || darwin

package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"beckon/backend/executor/calls"
	"beckon/backend/executor/workspace"
)

// TestTasksThatBeginTogetherHaveOneRepository: each prepares it, and none meets the lock
// that git takes to set something.
func TestTasksThatBeginTogetherHaveOneRepository(t *testing.T) {
	t.Parallel()
	w := workspace.Workspace{Dir: t.TempDir()}
	params, err := json.Marshal(calls.Project{ID: "p1", UserName: "Ada", UserEmail: "ada@localhost"})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			got, err := w.Serve(t.Context(), calls.Prepare, params)
			if prepared, ok := got.(calls.Prepared); err != nil || !ok || prepared.Dir != filepath.Join(w.Dir, "repos", "p1.git") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	all.Wait()
	out, err := exec.CommandContext(t.Context(), "git", "--git-dir", filepath.Join(w.Dir, "repos", "p1.git"), "config", "--local", "--get-all", "user.name").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "Ada" {
		t.Errorf("the repository's user is %q, %v", out, err)
	}
}

// TestTasksComeAndGoTogether: a worktree that is half made is not taken for one that is gone.
func TestTasksComeAndGoTogether(t *testing.T) {
	t.Parallel()
	w := workspace.Workspace{Dir: t.TempDir()}
	call(t, w, calls.Prepare, calls.Project{ID: "p1", UserName: "Ada", UserEmail: "ada@localhost"})
	git := func(in string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"--git-dir", filepath.Join(w.Dir, "repos", "p1.git")}, args...)...)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	tree := git("", "mktree")
	commit := git("work", "commit-tree", tree, "-p", git("base", "commit-tree", tree))
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			for round := range 3 {
				task := calls.Task{ProjectID: "p1", ID: fmt.Sprintf("t%dr%d", i, round), Branch: fmt.Sprintf("b%dr%d", i, round)}
				call(t, w, calls.Put, calls.Work{Task: task, Commit: commit})
				call(t, w, calls.Remove, task)
			}
		})
	}
	all.Wait()
	if left := git("", "worktree", "list", "--porcelain"); strings.Count(left, "worktree ") != 1 {
		t.Errorf("there are still worktrees:\n%s", left)
	}
}

func call(t *testing.T, w workspace.Workspace, name string, params any) {
	t.Helper()
	text, err := json.Marshal(params)
	if err == nil {
		_, err = w.Serve(context.WithoutCancel(t.Context()), name, text)
	}
	if err != nil {
		t.Errorf("%s %s: %v", name, text, err)
	}
}
