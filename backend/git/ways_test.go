package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
)

// apart makes a repository where the task and the base went on from the same
// commit, each with its own files.
func apart(t *testing.T) *bench {
	t.Helper()
	b := withTask(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", "gone.txt": "x\n"})
	b.commit(b.repo.dir, "b.txt", "base\n")
	b.git(b.w.Dir, "config", "user.name", "Grace")
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.git(b.w.Dir, "rm", "-q", "gone.txt")
	b.git(b.w.Dir, "commit", "-q", "-m",
		"drop gone\n\nIt was never read.\n\nCo-authored-by: Claude <noreply@anthropic.com>", "--date",
		"2024-02-03T04:05:06+0700")
	b.git(b.w.Dir, "config", "user.name", "Ada")
	return b
}

func TestEveryWayBringsTheSameFilesAndIsTakenBack(t *testing.T) {
	t.Parallel()
	for way, c := range map[reviewing.MergeWay]struct{ subjects, parents string }{
		reviewing.MergeCommit: {"as said", "2"},
		reviewing.Squash:      {"as said\nchange b.txt", "1"},
		reviewing.Rebase:      {"drop gone\nchange a.txt\nchange b.txt", "1"},
	} {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			b := apart(t)
			before, tip := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD")
			if commits := must(b.repo.Commits(b.ctx,
				b.w))(t); fmt.Sprint(commits) != "[{change a.txt []} {drop gone [Claude <noreply@anthropic.com>]}]" {
				t.Errorf("the branch has %v", commits)
			}
			made := must(b.repo.Merge(b.ctx, b.w, way, "as said"))(t)
			if got := b.git(b.repo.dir, "rev-parse", "HEAD"); got != made {
				t.Errorf("the folder is at %s, not %s", got, made)
			}
			if b.read(b.repo.dir, "a.txt")+b.read(b.repo.dir, "b.txt") != "two\nbase\n" ||
				b.git(b.repo.dir, "status", "--porcelain") != "" {
				t.Error("the folder does not have both")
			}
			subjects := b.git(b.repo.dir, "log", "--format=%s", "--first-parent", "-n",
				fmt.Sprint(strings.Count(c.subjects, "\n")+1))
			parents := len(strings.Fields(b.git(b.repo.dir, "log", "-1", "--format=%P")))
			if subjects != c.subjects || fmt.Sprint(parents) != c.parents {
				t.Errorf("main says %q, its last commit has %d parents", subjects, parents)
			}
			b.merged(tip)
			if err := b.repo.Unmerge(b.ctx, b.w); err != nil {
				t.Fatal(err)
			}
			if now := b.git(b.repo.dir, "rev-parse", "main", "HEAD", "beckon/kes-1-work"); now != before+"\n"+before+"\n"+tip {
				t.Errorf("after the way back: %s", now)
			}
			if err := b.repo.Unmerge(b.ctx, b.w); err != nil {
				t.Errorf("taken back twice: %v", err)
			}
			must(b.repo.Merge(b.ctx, b.w, way, "again"))(t)
			b.commit(b.repo.dir, "c.txt", "built on it\n")
			b.conflict(b.repo.Unmerge(b.ctx, b.w), "commits since")
		})
	}
}

// merged fails unless a branch with that tip counts as merged: nothing is lost with
// it, nothing is left to merge, and what it did can still be read.
func (b *bench) merged(tip string) {
	b.Helper()
	if loss := must(b.repo.Loss(b.ctx, b.w))(b); loss.Commits != 0 {
		b.Errorf("%d commits would be lost", loss.Commits)
	}
	_, err := b.repo.Merge(b.ctx, b.w, reviewing.Squash, "again")
	b.conflict(err, "nothing to merge")
	d := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(b)
	if len(d.Files) != 2 || d.Files[0].Path != "a.txt" || !strings.Contains(d.Files[0].Patch, "+two") {
		b.Errorf("the work reads as %+v", d.Files)
	}
	if now := b.git(b.w.Dir, "rev-parse", "HEAD"); now != tip {
		b.Errorf("the branch moved to %s", now)
	}
}

func TestARebaseKeepsWhoWroteWhatAndWhen(t *testing.T) {
	t.Parallel()
	b := apart(t)
	b.git(b.w.Dir, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-m", "caf\xe9")
	b.write(b.w.Dir, "latin.txt", "x\n")
	b.git(b.w.Dir, "add", "-A")
	b.git(b.w.Dir, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--amend", "--no-edit")
	form := "--format=%an %ae %ad %s %(trailers)"
	want := b.git(b.w.Dir, "log", form, "-3")
	must(b.repo.Merge(b.ctx, b.w, reviewing.Rebase, ""))(t)
	if got := b.git(b.repo.dir, "log", form, "-3"); got != want {
		t.Errorf("rebased:\n%s\nwas:\n%s", got, want)
	}
	if got := b.git(b.repo.dir, "log", "-3", "--format=%cn"); got != "Ada\nAda\nAda" {
		t.Errorf("committed by %s", got)
	}
	b.git(b.repo.dir, "fsck", "--strict")
}

// What one by one does not amount to the merge is refused, and nothing moves.
func TestARebaseThatWouldComeOutDifferentlyIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(b *bench)
		says    string
	}{
		"a step conflicts, though the whole does not": {func(b *bench) {
			b.commit(b.repo.dir, "a.txt", "base\n")
			b.commit(b.w.Dir, "a.txt", "mine\n")
			b.commit(b.w.Dir, "a.txt", "one\n")
			b.commit(b.w.Dir, "mine.txt", "mine\n")
		}, "conflicts when it is put on top of main"},
		"the branch merged its base and decided": {func(b *bench) {
			b.commit(b.repo.dir, "base.txt", "base\n")
			b.commit(b.w.Dir, "mine.txt", "mine\n")
			b.git(b.w.Dir, "merge", "-q", "--no-commit", "main")
			b.write(b.w.Dir, "decided.txt", "in the merge\n")
			b.git(b.w.Dir, "add", "-A")
			b.git(b.w.Dir, "commit", "-q", "-m", "merge main")
		}, "comes out differently"},
		"a history of its own": {func(b *bench) {
			root := b.git(b.w.Dir, "commit-tree", "-m", "a root", b.git(b.w.Dir, "rev-parse", "HEAD^{tree}"))
			b.git(b.w.Dir, "merge", "-q", "--allow-unrelated-histories", "-m", "join", root)
			b.commit(b.w.Dir, "mine.txt", "mine\n")
		}, "a history of its own"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			c.prepare(b)
			before := b.folder()
			_, err := b.repo.Merge(b.ctx, b.w, reviewing.Rebase, "")
			b.conflict(err, c.says)
			if after := b.folder(); after != before {
				t.Errorf("the folder changed from\n%s\nto\n%s", before, after)
			}
			must(b.repo.Merge(b.ctx, b.w, reviewing.Squash, "squashed"))(t)
		})
	}
}

// TestAnyHistoryMergesToTheSameFiles has a base and a branch go on at random, in
// files of their own and shared ones: the three ways make the same tree, or refuse
// and move nothing, and what was merged can be taken back.
func TestAnyHistoryMergesToTheSameFiles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"0.txt": "a\nb\nc\nd\n", "1.txt": "a\n"})
			b.wander(rand.New(rand.NewPCG(seed, 1)))
			before, trees := b.folder(), map[string]bool{}
			for _, way := range reviewing.MergeWays {
				if _, err := b.repo.Merge(b.ctx, b.w, way, "m"); err != nil {
					b.conflict(err, "")
					continue
				}
				trees[b.git(b.repo.dir, "rev-parse", "main^{tree}")] = true
				if err := b.repo.Unmerge(b.ctx, b.w); err != nil {
					t.Fatal(err)
				}
				if after := b.folder(); after != before {
					t.Errorf("%s and back changed the folder from\n%s\nto\n%s", way, before, after)
				}
			}
			if len(trees) > 1 {
				t.Errorf("the ways made %d trees", len(trees))
			}
		})
	}
}

// wander commits, deletes and merges at random on both sides.
func (b *bench) wander(r *rand.Rand) {
	b.Helper()
	for i := range 10 {
		dir, own := b.w.Dir, "mine"
		if r.IntN(3) == 0 {
			dir, own = b.repo.dir, "base"
		}
		switch r.IntN(5) {
		case 0:
			b.commit(dir, fmt.Sprintf("%s-%d.txt", own, r.IntN(3)), fmt.Sprint(i))
		case 1:
			lines := strings.Split(b.read(dir, "0.txt"), "\n")
			lines[map[string]int{"mine": 0, "base": 3}[own]] += fmt.Sprint(i)
			b.commit(dir, "0.txt", strings.Join(lines, "\n"))
		case 2:
			b.git(dir, "commit", "-q", "--allow-empty", "-m", "nothing")
		case 3:
			b.commit(dir, fmt.Sprintf("dir-%s/%d.txt", own, i), own)
		case 4:
			_, _ = command.Git{Dir: b.w.Dir, Trusted: true}.Run(b.ctx, "merge", "-q", "--no-edit", "main")
		}
	}
}

// A kill between the note of a merge and the merge leaves the base as it was, and
// the merge can be done again.
func TestAMergeThatWasOnlyNotedDidNotHappen(t *testing.T) {
	t.Parallel()
	b := apart(t)
	before, tip := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD")
	lost := b.git(b.repo.dir, "commit-tree", "-m", "never landed", "-p", before, before+"^{tree}")
	b.write(b.repo.dir, ".git/note", before+" "+lost+" "+tip+"\n")
	b.git(b.repo.dir, "update-ref", "refs/beckon/merges", b.git(b.repo.dir, "hash-object", "-w", ".git/note"))
	if err := b.repo.Unmerge(b.ctx, b.w); err != nil {
		t.Errorf("taking back what did not happen: %v", err)
	}
	if loss := must(b.repo.Loss(b.ctx, b.w))(t); loss.Commits != 2 {
		t.Errorf("%d commits would be lost, want 2", loss.Commits)
	}
	must(b.repo.Merge(b.ctx, b.w, reviewing.Squash, "m"))(t)
	if err := b.repo.Unmerge(b.ctx, b.w); err != nil || b.git(b.repo.dir, "rev-parse", "main") != before {
		t.Errorf("not taken back: %v", err)
	}
}

func TestABranchTakesWhatItsBaseHasByNow(t *testing.T) {
	t.Parallel()
	b := apart(t)
	tip := b.git(b.w.Dir, "rev-parse", "HEAD")
	if d := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t); d.Behind != 1 {
		t.Errorf("%d behind, want 1", d.Behind)
	}
	if _, err := b.repo.Update(b.ctx, b.w, "Merge main"); err != nil {
		t.Fatal(err)
	}
	if got, want := b.git(b.w.Dir, "log", "-1", "--format=%P %s"),
		tip+" "+b.git(b.repo.dir, "rev-parse", "main")+" Merge main"; got != want {
		t.Errorf("the branch is %s, want %s", got, want)
	}
	if b.read(b.w.Dir, "a.txt")+b.read(b.w.Dir, "b.txt") != "two\nbase\n" ||
		b.git(b.w.Dir, "status", "--porcelain") != "" {
		t.Error("the worktree does not have both")
	}
	if d := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t); d.Behind != 0 || len(d.Files) != 2 {
		t.Errorf("%d behind, %d files", d.Behind, len(d.Files))
	}
	after := b.git(b.w.Dir, "rev-parse", "HEAD")
	if _, err := b.repo.Update(b.ctx, b.w, "again"); err != nil || b.git(b.w.Dir, "rev-parse", "HEAD") != after {
		t.Errorf("with nothing to take: %v", err)
	}
}

func TestABranchWithNothingOfItsOwnFollowsItsBase(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.repo.dir, "a.txt", "two\n")
	if _, err := b.repo.Update(b.ctx, b.w, "Merge main"); err != nil {
		t.Fatal(err)
	}
	if got := b.git(b.w.Dir, "rev-parse", "HEAD"); got != b.git(b.repo.dir, "rev-parse", "main") ||
		b.read(b.w.Dir, "a.txt") != "two\n" {
		t.Errorf("the branch is at %s", got)
	}
}

func TestARefusedUpdateLeavesTheWorktreeUntouched(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(b *bench)
		says    string
	}{
		"conflict": {func(b *bench) {
			b.commit(b.repo.dir, "a.txt", "base\n")
			b.commit(b.w.Dir, "a.txt", "mine\n")
		}, "conflicts with the branch in a.txt"},
		"not committed": {func(b *bench) { b.write(b.w.Dir, "a.txt", "mine\n") }, "The worktree is not clean (a.txt)"},
		"ignored, and in the way": {func(b *bench) {
			b.write(b.repo.dir, ".git/info/exclude", "kept.env\n")
			b.write(b.w.Dir, "kept.env", "secret\n")
			b.write(b.repo.dir, "kept.env", "theirs\n")
			b.git(b.repo.dir, "add", "-f", "kept.env")
			b.git(b.repo.dir, "commit", "-q", "-m", "env")
		}, "in the way in the worktree (kept.env)"},
		"on another branch": {func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "-b", "elsewhere") }, "elsewhere"},
		"in a rebase": {func(b *bench) {
			b.commit(b.repo.dir, "a.txt", "base\n")
			b.commit(b.w.Dir, "a.txt", "mine\n")
			_, _ = command.Git{Dir: b.w.Dir, Trusted: true}.Run(b.ctx, "rebase", "-q", "main")
		}, "rebase"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			b.commit(b.repo.dir, "b.txt", "base\n")
			c.prepare(b)
			state := func() string {
				return b.git(b.w.Dir, "rev-parse", "HEAD", "beckon/kes-1-work", "main") +
					b.git(b.w.Dir, "status", "--porcelain", "--ignored") + b.read(b.w.Dir, "a.txt")
			}
			before := state()
			if _, err := b.repo.Update(b.ctx, b.w, "Merge main"); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("says %v, want %q", err, c.says)
			}
			if after := state(); after != before {
				t.Errorf("from\n%s\nto\n%s", before, after)
			}
		})
	}
}

// TestAnUpdateIsTakenBackAndDoneAgain: it leaves the branch as it was, to the commit, and
// never takes what was built on it.
func TestAnUpdateIsTakenBackAndDoneAgain(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T) *bench{
		"merged": apart,
		"without work of its own": func(t *testing.T) *bench {
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			b.commit(b.repo.dir, "a.txt", "two\n")
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := make(t)
			base, before, files := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD"),
				b.read(b.w.Dir, "a.txt")
			w := b.w
			w.BaseCommit = must(b.repo.Update(b.ctx, b.w, "Merge main"))(t)
			after := b.git(b.w.Dir, "rev-parse", "HEAD")
			if w.BaseCommit != base || after == before {
				t.Fatalf("it took %s and is at %s", w.BaseCommit, after)
			}
			for range 2 { // the second time as after a kill
				if err := b.repo.TakeBackUpdate(b.ctx, w, false); err != nil || b.git(b.w.Dir, "rev-parse", "HEAD") != before ||
					b.read(b.w.Dir, "a.txt") != files {
					t.Fatalf("taken back: %v", err)
				}
			}
			for range 2 {
				if err := b.repo.TakeBackUpdate(b.ctx, w, true); err != nil || b.git(b.w.Dir, "rev-parse", "HEAD") != after {
					t.Fatalf("done again: %v", err)
				}
			}
			b.write(b.w.Dir, "a.txt", "in the middle of something\n")
			b.conflict(b.repo.TakeBackUpdate(b.ctx, w, false), "The worktree is not clean")
			b.git(b.w.Dir, "checkout", "--quiet", "--", "a.txt")
			b.commit(b.w.Dir, "c.txt", "built on it\n")
			b.conflict(b.repo.TakeBackUpdate(b.ctx, w, false), "commits since")
			if b.git(b.repo.dir, "rev-parse", "main") != base || b.git(b.w.Dir, "status", "--porcelain") != "" {
				t.Error("main or the worktree changed")
			}
		})
	}
}

// TestAnUpdateThatWasPushedStays: others may have built on it.
func TestAnUpdateThatWasPushedStays(t *testing.T) {
	t.Parallel()
	b := apart(t)
	w := b.w
	w.BaseCommit = must(b.repo.Update(b.ctx, b.w, "Merge main"))(t)
	after := b.git(b.w.Dir, "rev-parse", "HEAD")
	b.git(b.w.Dir, "update-ref", "refs/remotes/origin/"+w.Branch, after)
	b.conflict(b.repo.TakeBackUpdate(b.ctx, w, false), "it is in refs/remotes/origin/")
	if b.git(b.w.Dir, "rev-parse", "HEAD") != after {
		t.Error("the branch moved")
	}
}

// TestAMergeOfWorkFromElsewhereRunsNoFilterThatItNames: the filter is the user's, for all
// repositories, and what it is given is another machine's. One that the project names itself
// runs as ever.
func TestAMergeOfWorkFromElsewhereRunsNoFilterThatItNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ attributes, ran string }{
		"named by the work":    {"*.txt filter=big\n", ""},
		"named by the project": {"", "two\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n", ".gitattributes": "a.txt filter=big\n"})
			b.repo.trusted = true
			ran := filepath.Join(t.TempDir(), "ran")
			b.git(b.repo.dir, "config", "filter.big.smudge", "tee -a "+ran)
			b.git(b.w.Dir, "update-ref", command.IsolatedRef(b.w.Dir), "HEAD")
			b.commit(b.w.Dir, "a.txt", "two\n")
			if c.attributes != "" {
				b.commit(b.w.Dir, ".gitattributes", c.attributes)
			}
			must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
			if got := b.read(b.repo.dir, "a.txt"); got != "two\n" {
				t.Errorf("the folder has %q", got)
			}
			if text, err := os.ReadFile(ran); string(text) != c.ran {
				t.Errorf("the filter got %q (%v), want %q", text, err, c.ran)
			}
		})
	}
}
