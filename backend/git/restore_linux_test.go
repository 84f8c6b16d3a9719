package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/mirror"
	"beckon/tests/timeout"
)

// A large checkout takes minutes, most of all through a filter that fetches
// files. Meanwhile the project's other tasks go on.
func TestOtherTasksDoNotWaitForAWorktreeThatIsRestored(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.repo.trusted = true
	b.commit(b.w.Dir, "a.bin", "large\n")
	b.commit(b.w.Dir, ".gitattributes", "*.bin filter=slow\n")
	b.git(b.repo.dir, "worktree", "remove", b.w.Dir)
	gate := newGate(b)
	b.git(b.repo.dir, "config", "filter.slow.smudge", gate.filter())

	restored := gate.restore(b, b.ctx)
	select {
	case err := <-inBackground(b, b.anotherTask):
		if err != nil {
			t.Error(err)
		}
	case err := <-restored:
		t.Fatalf("the restore ended before its filter did: %v", err)
	case <-time.After(timeout.For(30 * time.Second)):
		t.Error("another task waits for the restore")
	}
	gate.open(b)
	if err := awaited(b, restored); err != nil {
		t.Fatal(err)
	}
	if b.read(b.w.Dir, "a.bin") != "large\n" || b.git(b.w.Dir, "status", "--porcelain") != "" {
		t.Error("the worktree is not whole")
	}
}

// A filter that never ends must not outlive the run that waits for it.
func TestARestoreThatIsStoppedLeavesNoFolder(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.bin": "large\n", ".gitattributes": "*.bin filter=slow\n"})
	b.repo.trusted = true
	b.git(b.repo.dir, "worktree", "remove", b.w.Dir)
	gate := newGate(b)
	b.git(b.repo.dir, "config", "filter.slow.smudge", gate.filter())

	ctx, cancel := context.WithCancel(b.ctx)
	b.Cleanup(cancel)
	restored := gate.restore(b, ctx)
	cancel()
	if err := awaited(b, restored); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want canceled", err)
	}
	if exists(b.w.Dir) {
		t.Error("a half filled folder was left")
	}
	gate.open(b)
	if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
}

// anotherTask does all that a task of the same project needs git for.
func (b *bench) anotherTask() error {
	w, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-2"), "beckon/kes-2-work", "main")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "a.txt"), []byte("two\n"), 0o644); err != nil {
		return err
	}
	if _, _, err := b.repo.CommitAll(b.ctx, w, "task", nil); err != nil {
		return err
	}
	if _, err := b.repo.Merge(b.ctx, w, reviewing.MergeCommit, "task"); err != nil {
		return err
	}
	return b.repo.RemoveWorktree(b.ctx, w)
}

// inBackground does something that may wait for a lock, which no context
// ends. The test does not end before it.
func inBackground(b *bench, do func() error) <-chan error {
	done, ended := make(chan error, 1), make(chan struct{})
	go func() { defer close(ended); done <- do() }()
	b.Cleanup(func() {
		select {
		case <-ended:
		case <-time.After(timeout.For(20 * time.Second)):
			b.Error("a goroutine is left")
		}
	})
	return done
}

// awaited returns what came of it.
func awaited(b *bench, done <-chan error) error {
	b.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(timeout.For(20 * time.Second)):
		b.Fatal("it does not end")
		return nil
	}
}

// gate holds a filter up until it is opened.
type gate struct{ arrived, leave *os.File }

func newGate(b *bench) gate {
	b.Helper()
	dir := b.TempDir()
	pipe := func(name string) *os.File {
		name = filepath.Join(dir, name)
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			b.Fatal(err)
		}
		// For reading and writing: to open one end waits for the other.
		f := must(os.OpenFile(name, os.O_RDWR, 0))(b)
		b.Cleanup(func() { f.Close() })
		return f
	}
	return gate{pipe("arrived"), pipe("leave")}
}

// filter is a command that stands at the gate and then copies its input.
func (g gate) filter() string {
	return "echo x >'" + g.arrived.Name() + "' && read x <'" + g.leave.Name() + "' && cat"
}

// restore begins to restore the task's worktree and returns when its filter
// stands at the gate.
func (g gate) restore(b *bench, ctx context.Context) <-chan error {
	b.Helper()
	restored := inBackground(b, func() error { return b.repo.RestoreWorktree(ctx, b.w) })
	b.Cleanup(func() { g.open(b) }) // before it is waited for
	if err := g.arrived.SetReadDeadline(time.Now().Add(timeout.For(20 * time.Second))); err != nil {
		b.Fatal(err)
	}
	if _, err := g.arrived.Read(make([]byte, 2)); err != nil {
		b.Fatalf("no filter ran: %v", err)
	}
	return restored
}

// open lets the filters go that stand at the gate, and those that come.
func (g gate) open(b *bench) {
	if _, err := g.leave.WriteString("x\nx\n"); err != nil {
		b.Error(err)
	}
}

// TestWorkFromElsewhereIsRestoredWithoutFilters, as it was before its folder went.
func TestWorkFromElsewhereIsRestoredWithoutFilters(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.repo.trusted = true
	b.commit(b.w.Dir, "a.bin", "pointer\n")
	b.commit(b.w.Dir, ".gitattributes", "*.bin filter=big\n")
	here := mirror.Worktree{Git: b.repo.in(b.w.Dir), Branch: b.w.Branch, Ref: "refs/beckon/both/x"}
	if err := here.Isolate(b.ctx); err != nil {
		t.Fatal(err)
	}
	b.git(b.repo.dir, "worktree", "remove", b.w.Dir)
	b.git(b.repo.dir, "config", "filter.big.smudge", "sed s/pointer/content/")
	if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(b.w.Dir, "a.bin")); err != nil || string(text) != "pointer\n" {
		t.Errorf("the filter made %q, %v", text, err)
	}
}
