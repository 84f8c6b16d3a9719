package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// withSpares makes a repository whose worktrees are kept ready.
func withSpares(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, map[string]string{"a.txt": "one\n", "dir/b.txt": "b\n"})
	b.repo.pool.Dir = b.data
	b.fill()
	return b
}

func (b *bench) fill() {
	b.Helper()
	if err := b.repo.FillSpares(b.ctx, "main"); err != nil {
		b.Fatal(err)
	}
}

// ready lists the folders of the spares.
func (b *bench) ready() []string {
	b.Helper()
	return must(filepath.Glob(filepath.Join(b.data, "ready", "*", "*")))(b)
}

// start makes a worktree as a task does, and fails where it is not as any other.
func (b *bench) start(name string) Worktree {
	b.Helper()
	w := must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "worktrees", name), "beckon/"+name, "main"))(b)
	if s := must(b.repo.Status(b.ctx, w))(b); s.Condition != Ready {
		b.Errorf("%s is %s: %s", name, s.Condition, s.Err())
	}
	if changed := b.git(w.Dir, "status", "--porcelain"); changed != "" ||
		b.read(w.Dir, "a.txt") != b.read(b.repo.dir, "a.txt") {
		b.Errorf("%s differs from its base: %s", name, changed)
	}
	if list := b.git(b.repo.dir, "worktree", "list", "--porcelain"); strings.Contains(list, w.Dir+"\n") &&
		strings.Contains(strings.Split(strings.SplitN(list, w.Dir+"\n", 2)[1], "\n\n")[0], "locked") {
		b.Errorf("%s is still locked", name)
	}
	return w
}

func TestATaskTakesAWorktreeThatIsReady(t *testing.T) {
	t.Parallel()
	b := withSpares(t)
	if n := len(b.ready()); n != 2 {
		t.Fatalf("%d are ready", n)
	}
	b.start("one")
	if n := len(b.ready()); n != 1 {
		t.Errorf("%d are ready once one is taken", n)
	}
	b.commit(b.repo.dir, "a.txt", "two\n") // the base goes on
	b.start("two")
	if n := len(b.ready()); n != 0 {
		t.Errorf("%d are ready once both are taken", n)
	}
	b.start("three") // made from nothing
	b.fill()
	b.commit(b.repo.dir, "a.txt", "three\n")
	b.fill()
	for _, dir := range b.ready() {
		if text := b.read(dir, "a.txt"); text != "three\n" {
			t.Errorf("a worktree that is ready has %q of an older base", text)
		}
	}
	if err := b.repo.ClearSpares(b.ctx); err != nil || len(b.ready()) != 0 {
		t.Errorf("%v, left: %q", err, b.ready())
	}
	if branches := b.git(b.repo.dir, "branch", "--list",
		"--format=%(refname:short)"); branches != "beckon/one\nbeckon/three\nbeckon/two\nmain" {
		t.Errorf("branches: %q", branches)
	}
}

// What somebody did in a worktree that is kept ready is nobody's to remove, and no
// task's work.
func TestAReadyWorktreeThatSomebodyWorkedInStays(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func(b *bench, dir string){
		"file":   func(b *bench, dir string) { b.write(dir, "mine.txt", "mine") },
		"commit": func(b *bench, dir string) { b.commit(dir, "mine.txt", "mine") },
		"branch": func(b *bench, dir string) { b.git(dir, "checkout", "-q", "-b", filepath.Base(dir)) },
		"left":   func(b *bench, dir string) { b.commit(dir, "x", "mine"); b.git(dir, "reset", "-q", "--hard", "HEAD~1") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withSpares(t)
			all := b.ready()
			for _, dir := range all {
				work(b, dir)
			}
			b.commit(b.repo.dir, "a.txt", "two\n")
			b.fill()
			if err := b.repo.ClearSpares(b.ctx); err != nil {
				t.Fatal(err)
			}
			if left := b.ready(); !slices.Equal(left, all) {
				t.Errorf("left are %q of %q", left, all)
			}
			if name != "left" {
				if w := b.start("one"); exists(filepath.Join(w.Dir, "mine.txt")) {
					t.Error("a task got somebody's work")
				}
			}
		})
	}
}

// Each step may be the last: what is left goes with the next Fill, and a task gets a
// whole worktree.
func TestKeepingWorktreesReadySurvivesAKillAtEachStep(t *testing.T) {
	t.Parallel()
	for after := time.Duration(0); after < 40*time.Millisecond; after += 4 * time.Millisecond {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			b := withSpares(t)
			b.commit(b.repo.dir, "a.txt", "two\n")
			ctx, cancel := context.WithTimeout(b.ctx, after)
			defer cancel()
			_, err := b.repo.AddWorktree(ctx, filepath.Join(b.data, "worktrees", "one"), "beckon/one", "main")
			ctx, cancel = context.WithTimeout(b.ctx, after)
			defer cancel()
			err2 := b.repo.FillSpares(ctx, "main")
			b.fill()
			if n := len(b.ready()); n != 2 {
				t.Errorf("%d are ready after %v and %v", n, err, err2)
			}
			b.start("one")
		})
	}
}

// git killed in the middle leaves what no code of ours could take back.
func TestWhatAKilledFillLeftIsRemoved(t *testing.T) {
	t.Parallel()
	b := withSpares(t)
	for _, dir := range b.ready() {
		mark := filepath.Join(b.git(dir, "rev-parse", "--absolute-git-dir"), "beckon-spare")
		if err := os.Remove(mark); err != nil {
			t.Fatal(err)
		}
	}
	half := b.ready()
	moved := filepath.Join(b.data, "worktrees", "moved")
	if err := os.MkdirAll(filepath.Dir(moved), 0o700); err != nil {
		t.Fatal(err)
	}
	b.git(b.repo.dir, "worktree", "move", "-f", "-f", half[0], moved)
	if err := os.Remove(filepath.Join(half[1], "a.txt")); err != nil {
		t.Fatal(err)
	}
	b.fill()
	if exists(moved) || len(b.ready()) != 2 || slices.Contains(b.ready(), half[1]) {
		t.Errorf("left: %q, moved: %t", b.ready(), exists(moved))
	}
	b.start("one")
}

// A repository that lost its private refs, as by a mirror's push, has the work back
// from the copy beside it.
func TestDiscardedWorkComesBackFromItsBundle(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.repo.pool.Dir = b.data
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.write(b.w.Dir, "new.txt", "new\n")
	content := b.content()
	b.discard()
	ref := must(b.repo.Discarded(b.ctx))(t)[0].Ref
	b.git(b.repo.dir, "update-ref", "-d", ref)
	b.git(b.repo.dir, "-c", "gc.reflogExpire=now", "-c", "gc.reflogExpireUnreachable=now", "gc", "-q", "--prune=now")
	if left := b.prune(time.Now().AddDate(0, 0, 400)); left != 0 {
		t.Fatalf("%d refs are left", left)
	}
	branch := must(b.repo.Restore(b.ctx, ref, ""))(t)
	if err := b.repo.RestoreWorktree(b.ctx, Worktree{Dir: b.w.Dir, Branch: branch, Base: "main"}); err != nil {
		t.Fatal(err)
	}
	if again := b.content(); again["a.txt"] != content["a.txt"] || again["new.txt"] != content["new.txt"] {
		t.Errorf("came back: %q", again)
	}
	if err := b.repo.Forget(b.ctx, ref); err != nil {
		t.Fatal(err)
	}
	if left := must(filepath.Glob(filepath.Join(b.data, "trash", "*", "*")))(t); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A bundle without its ref goes by the same 30 days.
func TestABundleIsKeptForThirtyDays(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.repo.pool.Dir = b.data
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.discard()
	ref := must(b.repo.Discarded(b.ctx))(t)[0].Ref
	b.git(b.repo.dir, "update-ref", "-d", ref)
	lost := func() int { return len(must(b.repo.Lost(b.ctx, []string{ref}))(t)) }
	bundles := func() int { return len(must(filepath.Glob(filepath.Join(b.data, "trash", "*", "*.bundle")))(t)) }
	for day := range 31 {
		if bundles() != 1 || lost() != 0 {
			t.Fatalf("after %d days it is gone", day)
		}
		b.prune(time.Now().AddDate(0, 0, day))
	}
	if b.prune(time.Now().AddDate(0, 0, 32)); bundles() != 0 || lost() != 1 {
		t.Error("after 32 days it is there")
	}
}

// TestWorktreesWithSubmodulesAreKeptReady: they come as a new one does, with the folders
// of submodules empty and named, whatever the base did with submodules meanwhile.
func TestWorktreesWithSubmodulesAreKeptReady(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.repo.pool.Dir = b.data
	add := func(name string) {
		b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, name)
		b.git(b.repo.dir, "commit", "-q", "-am", "add "+name)
	}
	names := func(w Worktree) []string { return b.repo.Complete(b.ctx, w)[EmptySubmodules] }
	add("lib")
	b.fill()
	if n := len(b.ready()); n != 2 {
		t.Fatalf("%d are ready", n)
	}
	if got := names(b.start("one")); !slices.Equal(got, []string{"lib"}) {
		t.Errorf("empty are %q", got)
	}
	if n := len(b.ready()); n != 1 {
		t.Errorf("%d are ready once one is taken", n)
	}
	add("tools") // after the other was made ready
	if got := names(b.start("two")); !slices.Equal(got, []string{"lib", "tools"}) {
		t.Errorf("empty are %q", got)
	}
	if n := len(b.ready()); n != 0 {
		t.Errorf("%d are ready once both are taken", n)
	}
	b.fill()
	b.git(b.repo.dir, "rm", "-q", "-f", "lib")
	b.git(b.repo.dir, "commit", "-q", "-m", "drop lib")
	b.fill()
	w := b.start("three")
	if got := names(w); !slices.Equal(got, []string{"tools"}) || exists(filepath.Join(w.Dir, "lib")) {
		t.Errorf("empty are %q", got)
	}
	must(0, b.repo.ClearSpares(b.ctx))(t)
	if n := len(b.ready()); n != 0 {
		t.Errorf("%d are ready once they are cleared", n)
	}
}
