package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestABranchIsFollowedOnlyWhereItIsTheTasks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(b *bench)
		want string
	}{
		"renamed by its agent": {func(b *bench) { b.git(b.w.Dir, "branch", "-m", "feat/nice") }, "feat/nice"},
		"renamed from outside": {func(b *bench) {
			b.git(b.repo.dir, "branch", "-m", b.w.Branch, "feat/nice")
		}, "feat/nice"},
		"renamed twice": {func(b *bench) {
			b.git(b.w.Dir, "branch", "-m", "x")
			b.git(b.w.Dir, "branch", "-m", "feat/nice")
		}, "feat/nice"},
		"made again":             {func(b *bench) { b.leave("checkout", "-q", "-b", "feat/nice") }, "feat/nice"},
		"its own is still there": {func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "-b", "other") }, ""},
		"of somebody else": {func(b *bench) {
			// Git's notes count whole seconds.
			b.git(b.repo.dir, "-c", "alias.early=!GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git branch develop", "early")
			b.leave("checkout", "-q", "develop")
		}, ""},
		"the base": {func(b *bench) {
			b.git(b.repo.dir, "checkout", "-q", "--detach")
			b.leave("checkout", "-q", "main")
		}, ""},
		"none": {func(b *bench) { b.leave("checkout", "-q", "--detach") }, ""},
		"the folder is gone": {func(b *bench) {
			b.git(b.w.Dir, "branch", "-m", "feat/nice")
			os.RemoveAll(b.w.Dir)
		}, ""},
		"a copy of another worktree": {func(b *bench) {
			b.git(b.w.Dir, "branch", "-m", "feat/nice")
			if err := os.Rename(b.w.Dir, b.w.Dir+"-moved"); err != nil {
				b.Fatal(err)
			}
			b.git(b.repo.dir, "worktree", "repair", b.w.Dir+"-moved")
			if err := os.CopyFS(b.w.Dir, os.DirFS(b.w.Dir+"-moved")); err != nil {
				b.Fatal(err)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			b.commit(b.w.Dir, "a.txt", "two\n")
			c.do(b)
			if on := must(b.repo.Renamed(b.ctx, b.w))(t); on != c.want {
				t.Errorf("the branch is now %q, want %q", on, c.want)
			}
		})
	}
}

// leave has the worktree leave its branch, which is then deleted.
func (b *bench) leave(git ...string) {
	b.Helper()
	b.git(b.w.Dir, git...)
	b.git(b.w.Dir, "branch", "-D", b.w.Branch)
}

func TestWhatIsLeftOfATaskWithoutItsBranchIsDiscardedAndKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(b *bench)
		says string // with the name of the last commit for TIP
	}{
		"on no branch": {func(b *bench) { b.leave("checkout", "-q", "--detach") }, "on no branch, at commit TIP"},
		"on a branch of somebody else": {func(b *bench) {
			b.git(b.repo.dir, "branch", "develop", b.w.Branch)
			b.leave("checkout", "-q", "develop")
		}, "on the branch develop, at commit TIP: to go on from there, run git switch -c beckon/kes-1-work"},
		"the ref alone": {func(b *bench) {
			b.git(b.repo.dir, "update-ref", "-d", "refs/heads/"+b.w.Branch)
		}, "git update-ref refs/heads/beckon/kes-1-work TIP"},
		"in mid-rebase": {func(b *bench) {
			b.rebasing()
			b.git(b.repo.dir, "update-ref", "-d", "refs/heads/"+b.w.Branch)
		}, "git branch beckon/kes-1-work"},
		"no longer known": {func(b *bench) {
			b.prunedWhileAway()
			b.git(b.repo.dir, "branch", "-D", b.w.Branch)
		}, "no longer connected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n", ".gitignore": "ignored.txt\n"})
			b.commit(b.w.Dir, "a.txt", "two\n")
			tip := b.git(b.w.Dir, "rev-parse", "HEAD")
			b.write(b.w.Dir, "new.txt", "not committed\n")
			c.do(b)
			content := b.content()
			state := must(b.repo.Status(b.ctx, b.w))(t)
			if want := strings.ReplaceAll(c.says, "TIP", tip[:12]); !strings.Contains(state.Err().Error(), want) ||
				strings.Contains(state.Err().Error(), "COMMIT") {
				t.Errorf("it says %q, want %q", state.Err().Error(), want)
			}
			if err := b.repo.Reconnect(b.ctx, b.w); err != nil {
				t.Fatal(err)
			}
			loss := b.discard()
			if !loss.BranchGone || len(loss.Uncommitted) == 0 || loss.KeptUntil == 0 {
				t.Errorf("the loss is %+v", loss)
			}
			if name != "no longer known" {
				b.git(b.repo.dir, "merge-base", "--is-ancestor", tip, must(b.repo.Discarded(b.ctx))(t)[0].Ref)
			}
			if strings.Contains(c.says, "develop") && b.git(b.repo.dir, "rev-parse", "develop") != tip {
				t.Error("the branch of somebody else changed")
			}
			b.kept(content, nil)
		})
	}
}

// rebasing leaves the worktree in the middle of a rebase.
func (b *bench) rebasing() {
	b.Helper()
	b.write(b.w.Dir, "b.txt", "two\n")
	b.git(b.w.Dir, "add", "b.txt")
	b.git(b.w.Dir, "commit", "-q", "-m", "b")
	b.git(b.w.Dir, "-c", "sequence.editor=sed -i.bak s/^pick/edit/", "rebase", "-q", "-i", "HEAD~1")
}

// prunedWhileAway has git forget the worktree while its folder is elsewhere.
func (b *bench) prunedWhileAway() {
	b.Helper()
	if err := os.Rename(b.w.Dir, b.w.Dir+"-away"); err != nil {
		b.Fatal(err)
	}
	b.git(b.repo.dir, "worktree", "prune")
	if err := os.Rename(b.w.Dir+"-away", b.w.Dir); err != nil {
		b.Fatal(err)
	}
}

// TestTheLastCommitIsFoundWithoutBranchAndFolder: git's record of the worktree has it, as long as
// that is there; then nothing is left, which can be discarded all the same.
func TestTheLastCommitIsFoundWithoutBranchAndFolder(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	tip := b.git(b.w.Dir, "rev-parse", "HEAD")
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	b.git(b.repo.dir, "update-ref", "-d", "refs/heads/"+b.w.Branch)
	if says := must(b.repo.Status(b.ctx, b.w))(t).Err().Error(); !strings.Contains(says,
		"git branch beckon/kes-1-work "+tip[:12]) {
		t.Errorf("it says %q", says)
	}
	if loss := b.discard(); loss.Commits != 1 || !loss.BranchGone {
		t.Errorf("the loss is %+v", loss)
	}
	if list := must(b.repo.Discarded(b.ctx))(t); len(list) != 1 || list[0].Commit != tip {
		t.Errorf("kept: %+v", list)
	}
	if says := must(b.repo.Status(b.ctx, b.w))(t).Err().Error(); !strings.Contains(says, "no record of their commits") {
		t.Errorf("it says %q", says)
	}
	if loss := b.discard(); loss.Commits != 0 || loss.KeptUntil != 0 {
		t.Errorf("the loss of nothing is %+v", loss)
	}
}

func TestAWorktreeThatGitForgotIsConnectedAgain(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(b *bench){
		"pruned":  (*bench).prunedWhileAway,
		"no .git": func(b *bench) { os.Remove(filepath.Join(b.w.Dir, ".git")) },
		"neither": func(b *bench) { b.prunedWhileAway(); os.Remove(filepath.Join(b.w.Dir, ".git")) },
		"killed in between": func(b *bench) {
			b.prunedWhileAway()
			b.git(b.repo.dir, "worktree", "add", "-q", "--no-checkout", filepath.Join(b.data, "reconnect", "kes-1"), b.w.Branch)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n", "gone.txt": "x\n"})
			b.commit(b.w.Dir, "a.txt", "two\n")
			b.write(b.w.Dir, "new.txt", "not committed\n")
			os.Remove(filepath.Join(b.w.Dir, "gone.txt"))
			do(b)
			for range 2 { // the second finds it in place
				if err := b.repo.Reconnect(b.ctx, b.w); err != nil {
					t.Fatal(err)
				}
			}
			if state := must(b.repo.Status(b.ctx, b.w))(t); state.Condition != Ready {
				t.Errorf("status %+v", state)
			}
			if out := b.git(b.w.Dir, "status", "--porcelain"); out != " D gone.txt\n?? new.txt" {
				t.Errorf("git sees %q", out)
			}
			content := b.content()
			b.discard()
			b.kept(content, nil)
			if exists(filepath.Join(b.data, "reconnect")) {
				t.Error("a folder was left behind")
			}
		})
	}
}

func TestARepositoryOfItsOwnIsNotTakenForAWorktree(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	if err := os.Remove(filepath.Join(b.w.Dir, ".git")); err != nil {
		t.Fatal(err)
	}
	b.git(b.w.Dir, "init", "-q")
	if err := b.repo.Reconnect(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
	loss := must(b.repo.Loss(b.ctx, b.w))(t)
	if len(loss.Repositories) != 1 {
		t.Errorf("the loss is %+v", loss)
	}
	b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), "repositories inside it")
	if !exists(filepath.Join(b.w.Dir, ".git", "HEAD")) {
		t.Error("it is gone")
	}
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(b.w.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.repo.Reconnect(b.ctx, b.w); err != nil { // an empty folder has nothing to lose
		t.Fatal(err)
	}
	b.discard()
}
