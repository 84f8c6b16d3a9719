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
	commit := pushed(t, w, "p1")
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
	if left := git(t, w, "p1", "", "worktree", "list", "--porcelain"); strings.Count(left, "worktree ") != 1 {
		t.Errorf("there are still worktrees:\n%s", left)
	}
}

func call(t *testing.T, w workspace.Workspace, name string, params any) (given any) {
	t.Helper()
	text, err := json.Marshal(params)
	if err == nil {
		given, err = w.Serve(context.WithoutCancel(t.Context()), name, text)
	}
	if err != nil {
		t.Errorf("%s %s: %v", name, text, err)
	}
	return given
}

// git runs git in a project's repository.
func git(t *testing.T, w workspace.Workspace, projectID, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"--git-dir", filepath.Join(w.Dir, "repos", projectID+".git")}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// pushed returns a commit that putWorktree takes, in a project's repository.
func pushed(t *testing.T, w workspace.Workspace, projectID string) string {
	t.Helper()
	tree := git(t, w, projectID, "", "mktree")
	return git(t, w, projectID, "work", "commit-tree", tree, "-p", git(t, w, projectID, "base", "commit-tree", tree))
}
