package git

import (
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/merge"
)

// opposed is a bench whose branch and base conflict in a file, and go together in
// another.
func opposed(t *testing.T) *bench {
	t.Helper()
	b := withTask(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "of the task\n")
	b.write(b.repo.dir, "b.txt", "two\n")
	b.git(b.repo.dir, "add", "-A")
	b.commit(b.repo.dir, "a.txt", "of main\n")
	return b
}

// TestAConflictIsResolvedByHandOrAbandoned: main is never touched, the branch only by
// what has no marks of conflicts, and abandoned all is as before.
func TestAConflictIsResolvedByHandOrAbandoned(t *testing.T) {
	t.Parallel()
	b := opposed(t)
	b.git(b.repo.dir, "config", "--unset", "user.name") // Beckon's is taken then
	b.git(b.repo.dir, "config", "--unset", "user.email")
	folder := b.repo.in(b.w.Dir)
	main, tip := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD")
	begin := func() {
		t.Helper()
		for range 2 { // the second time as after a kill
			must(0, merge.Begin(b.ctx, folder, b.w))(t)
		}
		if left := must(merge.Left(b.ctx, folder))(t); len(left) != 1 || left[0] != "a.txt" {
			t.Fatalf("in conflict are %q", left)
		}
	}
	begin()
	b.write(b.w.Dir, "a.txt", "half done\n")
	for range 2 {
		must(0, merge.Abandon(b.ctx, folder))(t)
	}
	if b.read(b.w.Dir, "a.txt")+b.read(b.w.Dir, "b.txt") != "of the task\none\n" ||
		b.git(b.w.Dir, "status", "--porcelain") != "" || b.git(b.w.Dir, "rev-parse", "HEAD") != tip {
		t.Error("abandoned, the worktree is not as before")
	}

	begin()
	b.conflict(merge.Finish(b.ctx, folder, "Merge main"), "marks of conflicts in a.txt")
	if b.git(b.w.Dir, "rev-parse", "HEAD") != tip {
		t.Error("the branch moved")
	}
	b.write(b.w.Dir, "a.txt", "of both\n")
	must(0, merge.Finish(b.ctx, folder, "Merge main"))(t)
	if got := b.git(b.w.Dir, "log", "-1", "--format=%P %s"); got != tip+" "+main+" Merge main" ||
		b.git(b.w.Dir, "status", "--porcelain") != "" {
		t.Errorf("the branch is %s", got)
	}
	if b.read(b.w.Dir, "a.txt")+b.read(b.w.Dir, "b.txt") != "of both\ntwo\n" ||
		b.git(b.repo.dir, "rev-parse", "main") != main {
		t.Error("it does not have both, or main moved")
	}
	b.conflict(merge.Finish(b.ctx, folder, "Merge main"), "no merge is under way")
	if d := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t); d.Refusal != nil || len(d.Conflicts) > 0 || d.Behind != 0 {
		t.Errorf("it cannot be merged: %q", d.Refusal)
	}
}

// TestMarksOfAConflictAreFoundInAFileOfAnySize: behind a long line too, and not in its
// middle.
func TestMarksOfAConflictAreFoundInAFileOfAnySize(t *testing.T) {
	t.Parallel()
	b := opposed(t)
	folder := b.repo.in(b.w.Dir)
	must(0, merge.Begin(b.ctx, folder, b.w))(t)
	long := strings.Repeat("x", 1<<16) + "<<<<<<< no mark\n" + strings.Repeat("y", 3<<20) + "\n"
	b.write(b.w.Dir, "a.txt", long+">>>>>>> main\n")
	b.conflict(merge.Finish(b.ctx, folder, "Merge main"), "marks of conflicts in a.txt")
	b.write(b.w.Dir, "a.txt", long)
	must(0, merge.Finish(b.ctx, folder, "Merge main"))(t)
}

// TestWhatIsLetGoByHandIsGone: a file that one side deleted may stay deleted.
func TestWhatIsLetGoByHandIsGone(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a b.txt": "one\n"})
	b.commit(b.w.Dir, "a b.txt", "two\n")
	b.git(b.repo.dir, "rm", "--quiet", "a b.txt")
	b.git(b.repo.dir, "commit", "--quiet", "-m", "drop it")
	folder := b.repo.in(b.w.Dir)
	must(0, merge.Begin(b.ctx, folder, b.w))(t)
	b.git(b.w.Dir, "rm", "--quiet", "--force", "--", filepath.Join(b.w.Dir, "a b.txt"))
	must(0, merge.Finish(b.ctx, folder, "Merge main"))(t)
	if b.git(b.w.Dir, "ls-files") != "" || b.git(b.w.Dir, "status", "--porcelain") != "" {
		t.Error("it is still there")
	}
}

// The marks of a conflict say "main", as the person does; where a tag has that name too,
// it is the branch that is merged.
func TestTheMarksOfAConflictNameTheBase(t *testing.T) {
	t.Parallel()
	for _, tagged := range []bool{false, true} {
		b := opposed(t)
		mark := ">>>>>>> main\n"
		if tagged {
			b.git(b.repo.dir, "tag", "main", "HEAD~1")
			mark = ">>>>>>> heads/main\n"
		}
		main := b.git(b.repo.dir, "rev-parse", "refs/heads/main")
		must(0, merge.Begin(b.ctx, b.repo.in(b.w.Dir), b.w))(t)
		if text := b.read(b.w.Dir, "a.txt"); !strings.Contains(text, mark) {
			t.Errorf("tagged %t: the file in conflict is %q", tagged, text)
		}
		if taken := b.git(b.w.Dir, "rev-parse", "MERGE_HEAD"); taken != main {
			t.Errorf("tagged %t: %s is merged, not %s", tagged, taken, main)
		}
	}
}
