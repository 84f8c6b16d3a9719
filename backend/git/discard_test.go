package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"beckon/backend/beckon"
)

// discard discards as the page does, with the token of the loss it showed.
func (b *bench) discard() beckon.Loss {
	b.Helper()
	loss := must(b.repo.Loss(b.ctx, b.w))(b)
	if err := b.repo.Discard(b.ctx, b.w, loss.Token); err != nil {
		b.Fatal(err)
	}
	return loss
}

// Whatever mixture of work there is, each file that git does not ignore must
// be found under the private ref, and each commit too.
func TestDiscardedWorkIsKeptWhateverItWas(t *testing.T) {
	t.Parallel()
	for seed := range uint64(9) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			files := map[string]string{".gitignore": "ignored*\n"}
			for i := range 6 {
				files[fmt.Sprintf("f%d.txt", i)] = "base\n"
			}
			b := withTask(t, files)
			var commits []string
			if seed%3 == 0 { // away from the branch, which has a commit of its own
				b.commit(b.w.Dir, "f0.txt", "on the branch")
				b.git(b.w.Dir, "checkout", "-q", "--detach", "main")
			}
			for i := range 12 {
				name := fmt.Sprintf("f%d.txt", random.IntN(8))
				if random.IntN(3) == 0 {
					name = names[random.IntN(len(names))]
				}
				switch random.IntN(5) {
				case 0:
					b.commit(b.w.Dir, name, fmt.Sprint("committed ", seed, i))
					commits = append(commits, b.git(b.w.Dir, "rev-parse", "HEAD"))
				case 1:
					b.write(b.w.Dir, name, fmt.Sprint("staged ", seed, i))
					b.git(b.w.Dir, "add", "-A")
				case 2:
					os.Remove(filepath.Join(b.w.Dir, name))
				default:
					b.write(b.w.Dir, name, fmt.Sprint("written ", seed, i))
				}
			}
			commits = append(commits, b.git(b.w.Dir, "rev-parse", b.w.Branch), b.git(b.w.Dir, "rev-parse", "HEAD"))
			b.write(b.w.Dir, "ignored.txt", "x")
			content := b.content()
			loss := b.discard()
			if !slices.Equal(loss.Ignored, []string{"ignored.txt"}) {
				t.Errorf("the loss names %q as ignored", loss.Ignored)
			}
			b.kept(content, commits)
		})
	}
}

// content returns the files of the worktree that git does not ignore.
func (b *bench) content() map[string]string {
	b.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(b.w.Dir, func(name string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(b.w.Dir, name)
		if d.Type().IsRegular() && rel != ".git" && rel != "ignored.txt" {
			files[filepath.ToSlash(rel)] = b.read("", name)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// kept fails unless the worktree and branch are gone and can be had again.
func (b *bench) kept(content map[string]string, commits []string) {
	b.Helper()
	if exists(b.w.Dir) || b.git(b.repo.dir, "branch", "--list", b.w.Branch) != "" {
		b.Error("the worktree or branch is still there")
	}
	b.git(b.repo.dir, "-c", "gc.reflogExpire=now", "gc", "-q", "--prune=now")
	list := must(b.repo.Discarded(b.ctx))(b)
	if len(list) != 1 || list[0].Branch != b.w.Branch {
		b.Fatalf("kept: %+v", list)
	}
	for _, commit := range commits {
		b.git(b.repo.dir, "merge-base", "--is-ancestor", commit, list[0].Ref)
	}
	branch := must(b.repo.Restore(b.ctx, list[0].Ref, ""))(b)
	restored := Worktree{Dir: b.w.Dir, Branch: branch, Base: "main"}
	if err := b.repo.RestoreWorktree(b.ctx, restored); err != nil || branch != b.w.Branch {
		b.Fatal(branch, err)
	}
	again := b.content()
	for name, text := range content {
		if again[name] != text {
			b.Errorf("%q has %q, want %q", name, again[name], text)
		}
	}
	if len(again) != len(content) {
		b.Errorf("%d files came back of %d", len(again), len(content))
	}
	if same := must(b.repo.Restore(b.ctx, list[0].Ref, ""))(b); same != branch {
		b.Errorf("restored again as %s", same)
	}
	if err := b.repo.Forget(b.ctx, list[0].Ref); err != nil {
		b.Fatal(err)
	}
	_, err := b.repo.Restore(b.ctx, list[0].Ref, "")
	b.refused(err, beckon.ErrNotFound, list[0].Ref)
}

func TestDiscardRefusesWhenThereIsMoreToLose(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]func(b *bench){
		"commit":    func(b *bench) { b.commit(b.w.Dir, "late.txt", "x") },
		"untracked": func(b *bench) { b.write(b.w.Dir, "late.txt", "x") },
		"branch": func(b *bench) {
			b.git(b.w.Dir, "checkout", "-q", "--detach")
			b.git(b.w.Dir, "commit", "-q", "--allow-empty", "-m", "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			b.commit(b.w.Dir, "a.txt", "two\n")
			b.write(b.w.Dir, "b.txt", "new\n")
			loss := must(b.repo.Loss(b.ctx, b.w))(t)
			if loss.Commits != 1 || !slices.Equal(loss.Uncommitted, []string{"b.txt"}) ||
				loss.KeptUntil < time.Now().Add(29*24*time.Hour).UnixMilli() {
				t.Errorf("loss %+v", loss)
			}
			more(b)
			b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), "changed since you were asked")
			if !exists(filepath.Join(b.w.Dir, "b.txt")) {
				t.Error("the worktree is gone")
			}
		})
	}
}

func TestDiscardRefusesWhatItCanNotKeep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(b *bench)
		says string
	}{
		"own repository": {func(b *bench) {
			b.git(b.w.Dir, "init", "-q", "inner")
			b.write(b.w.Dir, "inner/x", "x")
		}, "(inner)"},
		"submodule": {func(b *bench) {
			b.git(b.w.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, "sub")
			b.git(b.w.Dir, "commit", "-q", "-m", "submodule")
		}, "(sub)"},
		"submodule of a deleted folder": {func(b *bench) {
			b.git(b.w.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, "sub")
			b.git(b.w.Dir, "commit", "-q", "-m", "submodule")
			if err := os.RemoveAll(b.w.Dir); err != nil {
				b.Fatal(err)
			}
		}, "/modules/sub)"},
		"checked out twice": {func(b *bench) {
			b.git(b.w.Dir, "checkout", "-q", "--detach")
			b.git(b.repo.dir, "checkout", "-q", b.w.Branch)
		}, "is checked out in"},
		"locked": {func(b *bench) { b.git(b.repo.dir, "worktree", "lock", "--reason", "mine", b.w.Dir) }, "locked (mine)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			c.do(b)
			there := exists(b.w.Dir)
			loss := must(b.repo.Loss(b.ctx, b.w))(t)
			b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), c.says)
			if exists(b.w.Dir) != there || b.git(b.repo.dir, "branch", "--list", b.w.Branch) == "" {
				t.Error("the worktree or branch is gone")
			}
		})
	}
}

func TestDiscardInTheMiddleOfAMergeKeepsBothSides(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.commit(b.repo.dir, "a.txt", "three\n")
	b.repo.in(b.w.Dir).Run(b.ctx, "merge", "main")
	content := b.content()
	b.discard()
	b.kept(content, nil)
}

func TestDiscardOfADeletedFolderKeepsTheCommits(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	content, tip := b.content(), b.git(b.w.Dir, "rev-parse", "HEAD")
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	b.discard()
	b.kept(content, []string{tip})
}

func TestProjectsOwnFolderIsNeverDiscarded(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.w = Worktree{Dir: b.repo.dir, Branch: "main", Base: "main"}
	_, err := b.repo.Loss(b.ctx, b.w)
	b.refused(err, beckon.ErrInvalid, "own folder")
	if err := b.repo.RemoveWorktree(b.ctx, b.w); err == nil || !exists(filepath.Join(b.repo.dir, "a.txt")) {
		t.Errorf("the project's folder was removed: %v", err)
	}
}

// prune prunes at the time and returns how many branches are left.
func (b *bench) prune(at time.Time) int {
	b.Helper()
	if err := b.repo.Prune(b.ctx, at); err != nil {
		b.Fatal(err)
	}
	return len(must(b.repo.Discarded(b.ctx))(b))
}

func TestDiscardedWorkIsKeptForThirtyDays(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.git(b.repo.dir, "update-ref", "refs/beckon/discarded/not-ours", "main")
	b.discard()
	now := time.Now()
	for day := range 30 {
		if left := b.prune(now.AddDate(0, 0, day)); left != 1 {
			t.Fatalf("after %d days %d are left", day, left)
		}
	}
	if left := b.prune(now.Add(30*24*time.Hour + time.Hour)); left != 0 {
		t.Errorf("after 30 days %d are left", left)
	}
	if refs := b.git(b.repo.dir, "for-each-ref", "--format=%(refname)",
		"refs/beckon"); refs != "refs/beckon/discarded/not-ours" {
		t.Errorf("refs left: %s", refs)
	}
}

// A clock that jumps, there and back and once more, lets nothing go; nor does
// the branch that was discarded while it was wrong.
func TestAClockThatJumpsLetsNothingGo(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.discard()
	now := time.Now()
	for _, days := range []int{0, 31, 0, 400, 400, 40, -20_000, 31, 0, 36_500} {
		if left := b.prune(now.AddDate(0, 0, days)); left != 1 {
			t.Fatalf("a jump of %d days let the branch go", days)
		}
	}
	for day := range 40 { // an old branch is seen for long
		b.prune(now.AddDate(0, 0, 10_000+day))
	}
	ref := "refs/beckon/discarded/beckon/late/100" // in 1970, as a wrong clock has it
	b.git(b.repo.dir, "update-ref", ref, "main")
	if left := b.prune(now.AddDate(0, 0, 10_100)); left != 1 {
		t.Errorf("the branch that was just discarded went: %d left", left)
	}
	b.git(b.repo.dir, "update-ref", "refs/beckon/seen", "main") // not a text of ours
	if left := b.prune(now.AddDate(0, 0, 20_000)); left != 1 {
		t.Errorf("with the days lost, %d are left", left)
	}
}

// TestAnOverlookedFileOfTheSameSizeAndTimeIsKept: git was asked to overlook it, and its size
// and time are those that git noted.
func TestAnOverlookedFileOfTheSameSizeAndTimeIsKept(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"--assume-unchanged", "--skip-worktree"} {
		b := withTask(t, map[string]string{"a.txt": "one\n"})
		b.git(b.repo.dir, "config", "core.trustctime", "false") // nobody sets that time
		name, at := filepath.Join(b.w.Dir, "a.txt"), time.Now().Add(-time.Hour)
		b.write(b.w.Dir, "a.txt", "two\n")
		must(0, os.Chtimes(name, at, at))(t)
		b.git(b.w.Dir, "commit", "-q", "-am", "two")
		b.git(b.w.Dir, "update-index", mark, "a.txt")
		b.write(b.w.Dir, "a.txt", "six\n")
		must(0, os.Chtimes(name, at, at))(t)
		b.conflict(b.repo.RemoveWorktree(b.ctx, b.w), "a.txt")
		b.discard()
		if got := b.git(b.repo.dir, "show", must(b.repo.Discarded(b.ctx))(t)[0].Ref+":a.txt"); got != "six" {
			t.Errorf("%s: kept is %q", mark, got)
		}
	}
}
