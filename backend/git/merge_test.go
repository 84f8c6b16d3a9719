package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/git/merge"

	"beckon/backend/beckon/reviewing"
)

// folder is everything in the project's folder and where it stands, so that
// a test sees whether anything changed.
func (b *bench) folder() string {
	b.Helper()
	var all strings.Builder
	all.WriteString(b.git(b.repo.dir, "rev-parse", "HEAD", "main"))
	all.WriteString(b.git(b.repo.dir, "status", "--porcelain", "--ignored", "--branch"))
	err := filepath.WalkDir(b.repo.dir, func(name string, d os.DirEntry, err error) error {
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			all.WriteString(name + "\n" + b.read("", name))
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return all.String()
}

func TestMergeIsAMergeCommitAndTheFolderFollows(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.commit(b.repo.dir, "b.txt", "two\n")
	b.write(b.repo.dir, "mine.txt", "untracked, and not in the way\n")
	base := b.git(b.repo.dir, "rev-parse", "main")
	commit := must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "Reject overlapping bookings"))(t)
	if got := b.git(b.repo.dir, "log", "-1", "--format=%P %s", "main"); got != base+" "+b.git(b.w.Dir, "rev-parse", "HEAD")+" Reject overlapping bookings" {
		t.Errorf("main is %s", got)
	}
	if b.git(b.repo.dir, "rev-parse", "HEAD") != commit || b.read(b.repo.dir, "a.txt") != "two\n" ||
		b.read(b.repo.dir, "b.txt") != "two\n" {
		t.Error("the folder did not follow")
	}
	if got := b.git(b.repo.dir, "status", "--porcelain"); got != "?? mine.txt" {
		t.Errorf("the folder has %q", got)
	}
	_, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "again")
	b.conflict(err, "nothing to merge")
}

func TestMergeIntoABranchThatIsNotCheckedOut(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.git(b.repo.dir, "checkout", "-q", "-b", "elsewhere")
	b.write(b.repo.dir, "a.txt", "the user is at work here\n")
	commit := must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
	if got := b.git(b.repo.dir, "rev-parse", "main"); got != commit {
		t.Errorf("main is at %s", got)
	}
	if got := b.git(b.repo.dir, "show", "main:a.txt"); got != "two" ||
		b.read(b.repo.dir, "a.txt") != "the user is at work here\n" {
		t.Errorf("main has %q", got)
	}
}

// stopRebase leaves a rebase of the folder's branch in its middle.
func (b *bench) stopRebase(dir string) {
	b.Helper()
	b.git(dir, "-c", "alias.stop=!git rebase -q --exec false HEAD~1 2>/dev/null || true", "stop")
}

func TestRefusedMergeLeavesTheFolderUntouched(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(b *bench)
		says    string
	}{
		"conflict": {func(b *bench) { b.commit(b.repo.dir, "a.txt", "three\n") }, "conflicts with main in a.txt"},
		"dirty":    {func(b *bench) { b.write(b.repo.dir, "b.txt", "mine\n") }, "not clean (b.txt)"},
		"staged":   {func(b *bench) { b.write(b.repo.dir, "c", "x"); b.git(b.repo.dir, "add", "c") }, "not clean (c)"},
		"untracked": {func(b *bench) {
			b.write(b.repo.dir, "new/n.txt", "mine\n")
		}, "in the way in the project's folder (new/n.txt)"},
		"ignored":        {func(b *bench) { b.write(b.repo.dir, "kept.env", "secret\n") }, "(kept.env)"},
		"file as folder": {func(b *bench) { b.write(b.repo.dir, "new", "mine\n") }, "(new)"},
		"folder as file": {func(b *bench) { b.write(b.repo.dir, "kept.env/mine", "x\n") }, "(kept.env)"},
		"mid merge": {func(b *bench) {
			b.git(b.repo.dir, "branch", "side")
			b.commit(b.repo.dir, "x", "x\n")
			b.git(b.repo.dir, "checkout", "-q", "side")
			b.commit(b.repo.dir, "y", "y\n")
			b.git(b.repo.dir, "checkout", "-q", "main")
			b.git(b.repo.dir, "merge", "-q", "--no-commit", "side")
		}, "middle of a merge"},
		"mid rebase": {func(b *bench) {
			b.commit(b.repo.dir, "x", "x\n")
			b.stopRebase(b.repo.dir)
		}, "main is in the middle of a rebase in "},
		"mid rebase elsewhere": {func(b *bench) {
			b.commit(b.repo.dir, "x", "x\n")
			b.git(b.repo.dir, "checkout", "-q", "-b", "side")
			b.git(b.repo.dir, "worktree", "add", "-q", b.data+"/other", "main")
			b.stopRebase(b.data + "/other")
		}, "/other: finish or abort it first"},
		"mid bisect": {func(b *bench) {
			for _, name := range []string{"x", "y", "z"} {
				b.commit(b.repo.dir, name, "x\n")
			}
			b.git(b.repo.dir, "bisect", "start", "HEAD", "HEAD~3")
		}, "main is in the middle of a bisect in "},
		"other worktree": {func(b *bench) {
			b.git(b.repo.dir, "checkout", "-q", "-b", "side")
			b.git(b.repo.dir, "worktree", "add", "-q", b.data+"/other", "main")
		}, "not the project's folder"},
		"base gone": {func(b *bench) {
			b.git(b.repo.dir, "branch", "-m", "main", "trunk")
			b.git(b.repo.dir, "tag", "main")
		}, "base branch main is gone"},
		"uncommitted": {func(b *bench) { b.write(b.w.Dir, "late.txt", "x") }, "no commit holds (late.txt)"},
		"switched":    {func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "--detach") }, "git switch"},
		"unrelated": {func(b *bench) {
			b.git(b.repo.dir, "checkout", "-q", "--orphan", "fresh")
			b.git(b.repo.dir, "commit", "-q", "-m", "x")
			b.git(b.repo.dir, "branch", "-M", "main")
		}, "no commit in common"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", ".gitignore": "*.env\n"})
			b.write(b.w.Dir, "kept.env", "the agent's\n")
			b.git(b.w.Dir, "add", "-f", "kept.env")
			b.write(b.w.Dir, "new/n.txt", "the agent's\n")
			b.commit(b.w.Dir, "a.txt", "two\n")
			c.prepare(b)
			before := b.folder()
			diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
			_, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge")
			b.conflict(err, c.says)
			if !strings.Contains(diff.Refusal.String(), c.says) {
				t.Errorf("the page said %q", diff.Refusal)
			}
			if name == "conflict" && (len(diff.Conflicts) != 1 || diff.Conflicts[0] != "a.txt") {
				t.Errorf("conflicts %q", diff.Conflicts)
			}
			if after := b.folder(); after != before {
				t.Errorf("the folder changed from\n%s\nto\n%s", before, after)
			}
		})
	}
}

func TestMergeThatCanNotWriteIsUndone(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{
		"a.txt": "one\n", "m.bin": "one\n", "gone.txt": "x\n",
		".gitattributes": "*.bin filter=broken\n",
	})
	b.write(b.w.Dir, "aa.txt", "written before the one that fails\n")
	b.write(b.w.Dir, "z.bin", "new\n")
	b.git(b.w.Dir, "rm", "-q", "gone.txt")
	b.write(b.w.Dir, "m.bin", "two\n")
	b.commit(b.w.Dir, "a.txt", "two\n")
	before := b.folder()
	b.git(b.repo.dir, "config", "filter.broken.clean", "cat")
	b.git(b.repo.dir, "config", "filter.broken.smudge", `x=$(cat); test "$x" = one && echo one`)
	b.git(b.repo.dir, "config", "filter.broken.required", "true")
	b.repo.trusted = true
	_, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge")
	b.conflict(err, "bin")
	b.git(b.repo.dir, "config", "--remove-section", "filter.broken")
	if after := b.folder(); after != before {
		t.Errorf("the folder changed from\n%s\nto\n%s", before, after)
	}
}

// The folder may change between the look at it and the merge: what a person
// made there in that moment is theirs.
func TestFileThatAppearsWhileMergingIsNotTakenForOurs(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"new.txt": "untracked\n", "a.txt": "changed\n"} {
		b := withTask(t, map[string]string{"a.txt": "one\n"})
		b.write(b.w.Dir, "new.txt", "the agent's\n")
		b.commit(b.w.Dir, "a.txt", "two\n")
		p := must(merge.New(b.ctx, b.repo.at(), b.w, State{Condition: Ready}, nil))(t)
		b.write(b.repo.dir, name, text)
		before := b.folder()
		_, err := p.Do(b.ctx, reviewing.MergeCommit, "merge")
		b.conflict(err, "try again")
		if after := b.folder(); after != before {
			t.Errorf("the folder changed from\n%s\nto\n%s", before, after)
		}
	}
}
