package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/tests/sample"
	"beckon/tests/timeout"
)

// TestMain gives git a home of its own, so that no setting of the person who
// runs the tests counts.
func TestMain(m *testing.M) {
	lookIfAsked()
	beKilledIfAsked()
	sample.AtHome(m)
}

// bench is a repository with a task's worktree, and shorthand for the test.
type bench struct {
	*testing.T
	ctx  context.Context
	data string // folder for worktrees
	repo *Repo
	w    Worktree
}

// newBench makes a repository of the files, on main, without a worktree yet.
func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(50*time.Second))
	t.Cleanup(cancel)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx, data: filepath.Join(dir, "data"), repo: new(Pool).Open(filepath.Join(dir, "repo"), false)}
	sample.Empty(t, b.repo.dir)
	for name, text := range files {
		b.write(b.repo.dir, name, text)
	}
	b.git(b.repo.dir, "add", "-A")
	b.git(b.repo.dir, "commit", "-q", "--allow-empty", "-m", "first")
	return b
}

// withTask makes a repository with a worktree.
func withTask(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := newBench(t, files)
	b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1-work", "main"))(t)
	return b
}

// must returns a function that fails the test on err and returns the value.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// git runs git as a user or agent would, with hooks and all.
func (b *bench) git(dir string, args ...string) string {
	b.Helper()
	cmd := exec.CommandContext(b.ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func (b *bench) write(dir, name, text string) {
	b.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) read(dir, name string) string {
	b.Helper()
	return string(must(os.ReadFile(filepath.Join(dir, name)))(b))
}

// commit writes a file in dir and commits it, as an agent or user would.
func (b *bench) commit(dir, name, text string) {
	b.Helper()
	b.write(dir, name, text)
	b.git(dir, "add", "-A")
	b.git(dir, "commit", "-q", "--no-verify", "-m", "change "+filepath.Base(name))
}

// refused fails unless err wraps want and says word.
func (b *bench) refused(err, want error, word string) {
	b.Helper()
	if !errors.Is(err, want) || !strings.Contains(err.Error(), word) {
		b.Fatalf("error %v, want one of kind %q that says %q", err, want, word)
	}
}

func (b *bench) conflict(err error, word string) {
	b.Helper()
	b.refused(err, beckon.ErrConflict, word)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
