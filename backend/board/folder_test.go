package board

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
	"beckon/backend/git"
	"beckon/backend/store"
)

// gitCalls puts a git first on PATH that notes how it is called, and returns
// what was called since the last time.
func gitCalls(t *testing.T) func() []string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + calls + "'\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil { //nolint:gosec // It is a program.
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() []string {
		data, _ := os.ReadFile(calls) // none where it was not called
		_ = os.Remove(calls)
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
}

// TestAStartRunsGitSeldom: each process of git costs a few milliseconds, and on
// a large repository more; a user who starts ten agents waits for all of them.
func TestAStartRunsGitSeldom(t *testing.T) { //nolint:paralleltest // It changes PATH.
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	repo := t.TempDir()
	if err := os.WriteFile(filepath.Join(repo, "a.txt"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := git.Init(t.Context(), repo, "first"); err != nil {
		t.Fatal(err)
	}
	b := New(Config{Store: s, Publish: func(beckon.Event) {}, DataDir: t.TempDir(), Prepare: func(context.Context, beckon.Task, beckon.Project) error { return nil }, Clear: func(string) {}, Withdraw: func(context.Context, string, *reason.Reason) error { return nil }})
	b.Join(nobody{})
	p, err := b.AddProject(t.Context(), beckon.NewProject{Dir: repo, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	task, err := b.CreateTask(t.Context(), beckon.NewTask{ProjectID: p.ID, Title: "Count"})
	if err != nil {
		t.Fatal(err)
	}
	called := gitCalls(t)
	f, err := b.Folder(t.Context(), task, p)
	if err != nil {
		t.Fatal(err)
	}
	atMost := func(what string, n int) {
		t.Helper()
		if calls := called(); len(calls) > n {
			t.Errorf("%s runs git %d times, more than %d:\n%s", what, len(calls), n, strings.Join(calls, "\n"))
		}
	}
	atMost("the first start", 14)
	if _, err := b.Folder(t.Context(), f.Task, p); err != nil {
		t.Fatal(err)
	}
	atMost("each further start", 8)
	if work := b.Save(t.Context(), f.Task, p, beckon.Run{Kind: beckon.TaskRun, Outcome: beckon.Succeeded}, nil); work.Trouble != nil {
		t.Fatal(work.Trouble)
	}
	atMost("the end of a run that changed nothing", 30)
}
