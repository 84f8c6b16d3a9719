package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

func TestHostileTitlesAreOnlyText(t *testing.T) {
	t.Parallel()
	hostileTitles := []string{
		"Reject overlapping bookings", "--force", "-", "$(touch canary)", "`touch canary`", "../x", "a.lock", "@{-1}", "HEAD",
		"refs/heads/main", "a\x00b", "line\nbreak", "tab\tand\rreturn", "~^:?*[\\", "🚀", "\u202Etxt.exe", "日本語だけ",
		"'; drop table --", "%s%n%d", "", "   ", strings.Repeat("long ", 800), strings.Repeat("x", 4096),
		string([]byte{0xff, 0xfe}), "beckon/x", "/",
	}
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	for i, title := range hostileTitles {
		w := must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, fmt.Sprint(i)), command.BranchName("", fmt.Sprint("KES-", i), i, title), "main"))(t)
		b.write(w.Dir, "made.txt", title)
		commit, ok, err := b.repo.CommitAll(b.ctx, w, title, nil)
		if err != nil || !ok {
			t.Fatalf("commit %.40q: %v, %v", title, ok, err)
		}
		if got, want := b.git(w.Dir, "log", "-1", "--format=%B", commit),
			strings.TrimSpace(workdir.CleanMessage(title)); strings.TrimSpace(got) != want {
			t.Errorf("title %.40q became the message %.40q", title, got)
		}
		if i%5 != 1 {
			continue // every commit takes its message the same way
		}
		merge := must(b.repo.Merge(b.ctx, w, reviewing.MergeCommit, title))(t)
		if got := b.git(b.repo.dir, "rev-parse", "main"); got != merge {
			t.Errorf("main is at %s, not at the merge %s", got, merge)
		}
		b.git(b.repo.dir, "reset", "-q", "--hard", "HEAD~1")
	}
	if names := must(os.ReadDir(b.repo.dir))(t); len(names) != 2 {
		t.Errorf("the repository has %v, want .git and a.txt", names)
	}
}

func TestTakenNamesGetANumberAndNothingIsOverwritten(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "first task\n")
	second := must(b.repo.AddWorktree(b.ctx, b.w.Dir, b.w.Branch, "main"))(t)
	if second.Branch != b.w.Branch+"-2" || second.Dir != b.w.Dir+"-2" {
		t.Errorf("second worktree is %+v", second)
	}
	if b.read(b.w.Dir, "a.txt") != "first task\n" || b.read(second.Dir, "a.txt") != "one\n" {
		t.Error("the worktrees share a file")
	}
}

func TestEightWorktreesAtOnce(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("d%d/f%d.txt", i%7, i)] = "text\n"
	}
	b := newBench(t, files)
	var wg sync.WaitGroup
	trees, errs := make([]Worktree, 8), make([]error, 8)
	for i := range trees {
		wg.Go(func() {
			trees[i], errs[i] = b.repo.AddWorktree(b.ctx, filepath.Join(b.data, fmt.Sprint(i)), "beckon/same", "main")
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for i, w := range trees {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if out := b.git(w.Dir, "status", "--porcelain"); out != "" || seen[w.Branch] ||
			!exists(filepath.Join(w.Dir, "d0/f0.txt")) {
			t.Errorf("worktree %+v is not whole: %s", w, out)
		}
		seen[w.Branch] = true
	}
}

func TestFailedWorktreeLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.bin": "one\n", ".gitattributes": "*.bin filter=broken\n"})
	b.repo.trusted = true
	b.git(b.repo.dir, "config", "filter.broken.smudge", "exit 1")
	b.git(b.repo.dir, "config", "filter.broken.required", "true")
	_, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "x"), "beckon/x", "main")
	if err == nil || !strings.Contains(err.Error(), "a.bin") {
		t.Fatalf("error %v, want git's words on a.bin", err)
	}
	if exists(filepath.Join(b.data, "x")) || b.git(b.repo.dir, "branch", "--list", "beckon/*") != "" {
		t.Error("a folder or branch was left behind")
	}
}

func TestMissingBaseAndWrongNamesAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	dir := filepath.Join(b.data, "x")
	for _, base := range []string{"gone", "main~0", "--all", "HEAD", ""} {
		_, err := b.repo.AddWorktree(b.ctx, dir, "beckon/x", base)
		b.refused(err, beckon.ErrNotFound, "base branch")
	}
	for _, branch := range []string{"", "a..b", "@{-1}", "x.lock"} {
		_, err := b.repo.AddWorktree(b.ctx, dir, branch, "main")
		b.refused(err, beckon.ErrInvalid, "branch name")
	}
	_, err := b.repo.AddWorktree(b.ctx, "relative", "beckon/x", "main")
	b.refused(err, beckon.ErrInvalid, "not absolute")
	b.git(b.repo.dir, "branch", "beckon")
	_, err = b.repo.AddWorktree(b.ctx, dir, "beckon/x", "main")
	b.conflict(err, "git branch -m beckon")
	if exists(b.data) {
		t.Error("a folder was made")
	}
}

func TestArchivingRefusesWhatOnlyTheFolderHas(t *testing.T) {
	t.Parallel()
	for name, dirty := range map[string]func(b *bench){
		"untracked":   func(b *bench) { b.write(b.w.Dir, "new.txt", "x") },
		"changed":     func(b *bench) { b.write(b.w.Dir, "a.txt", "x") },
		"staged":      func(b *bench) { b.write(b.w.Dir, "a.txt", "x"); b.git(b.w.Dir, "add", "-A") },
		"deleted":     func(b *bench) { os.Remove(filepath.Join(b.w.Dir, "a.txt")) },
		"own repo":    func(b *bench) { b.git(b.w.Dir, "init", "-q", "inner") },
		"detached":    func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "--detach"); b.commit(b.w.Dir, "n", "x") },
		"other":       func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "-b", "other"); b.commit(b.w.Dir, "n", "x") },
		"locked":      func(b *bench) { b.git(b.w.Dir, "worktree", "lock", "--reason", "mine", b.w.Dir) },
		"link broken": func(b *bench) { os.Remove(filepath.Join(b.w.Dir, ".git")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			dirty(b)
			b.conflict(b.repo.RemoveWorktree(b.ctx, b.w), "")
			if !exists(b.w.Dir) {
				t.Error("the folder is gone")
			}
		})
	}
}

func TestArchivedWorktreeComesBack(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	for _, remove := range []func() error{
		func() error { return b.repo.RemoveWorktree(b.ctx, b.w) },
		func() error { return os.RemoveAll(b.w.Dir) }, // behind git's back
	} {
		if err := remove(); err != nil || exists(b.w.Dir) {
			t.Fatalf("remove: %v", err)
		}
		if state := must(b.repo.Status(b.ctx, b.w))(t); state.Condition != Missing || state.Err() == nil {
			t.Errorf("status %+v, want missing", state)
		}
		for range 2 { // the second finds it in place
			if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
				t.Fatal(err)
			}
		}
		if state := must(b.repo.Status(b.ctx, b.w))(t); state.Condition != Ready || b.read(b.w.Dir, "a.txt") != "two\n" {
			t.Errorf("status %+v, want ready with the branch's file", state)
		}
	}
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	if err := b.repo.RemoveWorktree(b.ctx, b.w); err != nil {
		t.Errorf("remove what is gone already: %v", err)
	}
	b.git(b.repo.dir, "branch", "-D", b.w.Branch)
	b.refused(b.repo.RestoreWorktree(b.ctx, b.w), beckon.ErrNotFound, b.w.Branch)
}

func TestStatusExplainsWhatSomebodyDidByHand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(b *bench)
		want Condition
		says string
	}{
		"switched": {func(b *bench) {
			b.git(b.w.Dir, "checkout", "-q", "-b", "other")
		}, Switched, "git switch beckon/kes-1-work"},
		"detached": {func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "--detach") }, Switched, "no branch"},
		"branch": {func(b *bench) {
			b.git(b.w.Dir, "checkout", "-q", "--detach")
			b.git(b.w.Dir, "branch", "-D", b.w.Branch)
		}, Gone, "is gone"},
		"link": {func(b *bench) { os.Remove(filepath.Join(b.w.Dir, ".git")) }, Broken, "worktree repair"},
		"other git": {func(b *bench) {
			os.Remove(filepath.Join(b.w.Dir, ".git"))
			b.git(b.w.Dir, "init", "-q")
		}, Broken, "no longer connected"},
		"pruned": {func(b *bench) { os.RemoveAll(b.w.Dir); b.git(b.repo.dir, "worktree", "prune") }, Missing, "is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			c.do(b)
			state := must(b.repo.Status(b.ctx, b.w))(t)
			if state.Condition != c.want || !strings.Contains(fmt.Sprint(state.Err()), c.says) {
				t.Errorf("status %+v, want %s that says %q", state, c.want, c.says)
			}
		})
	}
}

// A worktree that lost its .git file must not be taken for a part of the
// repository that the data folder may lie in.
func TestBrokenWorktreeIsNotCommittedToTheRepositoryAboveIt(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.git(filepath.Dir(b.data), "init", "-q")
	if err := os.Remove(filepath.Join(b.w.Dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := b.repo.CommitAll(b.ctx, b.w, "x", nil); err == nil || ok {
		t.Error("a commit was made somewhere else")
	}
}

func TestExcludeIsWrittenOnceAndKeepsWhatWasThere(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	exclude := filepath.Join(b.repo.dir, ".git/info/exclude")
	if err := os.WriteFile(exclude, []byte("mine"), 0o644); err != nil { // no line break
		t.Fatal(err)
	}
	for range 3 {
		if err := b.repo.Exclude(b.ctx, b.w.Dir, "/.claude/settings.json", "/other"); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.read(b.repo.dir, ".git/info/exclude"); got != "mine\n/.claude/settings.json\n/other\n" {
		t.Errorf("exclude is %q", got)
	}
	b.write(b.w.Dir, ".claude/settings.json", "{}")
	if out := b.git(b.w.Dir, "status", "--porcelain"); out != "" {
		t.Errorf("git still sees %q", out)
	}
	b.refused(b.repo.Exclude(b.ctx, b.w.Dir, "a\n*"), beckon.ErrInvalid, "line")
}

// A .git folder that was unpacked may have a link for exclude, to a file of
// the user's.
func TestExcludeIsNotWrittenThroughALink(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]string{"file": "exclude", "folder": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			target := t.TempDir()
			b.write(target, "exclude", "the user's\n")
			at := filepath.Join(b.repo.dir, ".git/info", link)
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(target, link), at); err != nil {
				t.Skip(err)
			}
			b.conflict(b.repo.Exclude(b.ctx, b.w.Dir, "/.claude/settings.json"), "nothing is written")
			if got := b.read(target, "exclude"); got != "the user's\n" {
				t.Errorf("the user's file became %q", got)
			}
		})
	}
}

func TestTrackedGuardsWhatTheRepositoryOwns(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{".claude/settings.json": "{}", ":(top)magic": "x"})
	if err := os.Symlink("/tmp", filepath.Join(b.repo.dir, "link")); err != nil {
		t.Skip(err)
	}
	b.git(b.repo.dir, "add", "-A")
	for file, want := range map[string]bool{
		".claude/settings.json": true, ".claude/settings.local.json": false, ":(top)magic": true, "a.txt": false,
		"link/settings.json": true, "--all": false,
	} {
		if got := b.repo.Tracked(b.ctx, b.repo.dir, file); got != want {
			t.Errorf("tracked %q: %v", file, got)
		}
	}
	if !b.repo.Tracked(b.ctx, t.TempDir(), "x") {
		t.Error("where git cannot tell, the file is free to be overwritten")
	}
}

func TestCancelledWorktreeEndsSoonAndLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.bin": "one\n", ".gitattributes": "*.bin filter=slow\n"})
	b.repo.trusted = true
	b.git(b.repo.dir, "config", "filter.slow.smudge", "exec sleep 40")
	ctx, cancel := context.WithTimeout(b.ctx, time.Second)
	defer cancel()
	start := time.Now()
	_, err := b.repo.AddWorktree(ctx, filepath.Join(b.data, "x"), "beckon/x", "main")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Errorf("error %v after %v, want that the time was up", err, time.Since(start))
	}
	if exists(filepath.Join(b.data, "x")) || b.git(b.repo.dir, "branch", "--list", "beckon/*") != "" {
		t.Error("a folder or branch was left behind")
	}
}

func TestANameThatAKilledGitLeftLockedGetsANumber(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one"})
	b.write(b.repo.dir, ".git/refs/heads/beckon/x.lock", "")
	w, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "x"), "beckon/x", "main")
	if err != nil || w.Branch != "beckon/x-2" {
		t.Errorf("got %q, %v", w.Branch, err)
	}
}
