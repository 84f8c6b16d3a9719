package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// names are file names that break parsers.
var names = []string{
	"line\nbreak", "tab\tand \"quotes\"", "ünïcödé 日本", "\u202Egpj.exe", " leading", "-dash",
	":(top)magic", "*glob*", "back\\slash", string([]byte("bad\xffutf8")), "a b/c\nd/e",
}

func TestCommitHoldsWhatTheAgentMadeAndNothingOfOurs(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{
		"kept.txt": "one\n", "gone.txt": "x\n", "dir/inner.txt": "x\n", "file": "x\n",
		".gitignore": "*.log\n",
	})
	b.commit(b.w.Dir, "own.txt", "the agent's own commit\n")
	own := b.git(b.w.Dir, "rev-parse", "HEAD")
	for _, name := range names {
		b.write(b.w.Dir, name, "new\n")
	}
	b.write(b.w.Dir, "kept.txt", "two\n")
	b.write(b.w.Dir, "debug.log", "ignored\n")
	b.write(b.w.Dir, ".claude/settings.json", "{}")
	b.git(b.w.Dir, "add", "-f", ".claude/settings.json")
	b.git(b.w.Dir, "init", "-q", "inner")
	for _, name := range []string{"gone.txt", "dir", "file"} {
		if err := os.RemoveAll(filepath.Join(b.w.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	b.write(b.w.Dir, "dir", "a file where a folder was\n")
	b.write(b.w.Dir, "file/inner.txt", "a folder where a file was\n")

	commit, ok, err := b.repo.CommitAll(b.ctx, b.w, "#1 --force $(x)\n\nbody", []string{".claude/settings.json"})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if parent := b.git(b.w.Dir, "rev-parse", commit+"^"); parent != own {
		t.Errorf("parent is %s, not the agent's own commit", parent)
	}
	if author := b.git(b.w.Dir, "log", "-1", "--format=%an <%ae>", commit); author != "Ada <ada@example.org>" {
		t.Errorf("author is %s", author)
	}
	listed := strings.Split(b.git(b.w.Dir, "ls-tree", "-r", "-z", "--name-only", commit), "\x00")
	want := append([]string{"kept.txt", "dir", "file/inner.txt", "own.txt", ".gitignore", ""}, names...)
	for _, name := range want {
		found := false
		for _, l := range listed {
			found = found || l == name
		}
		if !found {
			t.Errorf("%q is not in the commit", name)
		}
	}
	if len(listed) != len(want) {
		t.Errorf("the commit has %q", listed)
	}
	if _, ok, err := b.repo.CommitAll(b.ctx, b.w, "again", []string{".claude/settings.json"}); ok || err != nil {
		t.Errorf("a second, empty commit: %v, %v", ok, err)
	}
}

// TestWorkThatTwoSaveAtOnceIsCommittedOnce: the end of a run saves it, and so does what
// brings it home once the link is back.
func TestWorkThatTwoSaveAtOnceIsCommittedOnce(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	before := b.git(b.w.Dir, "rev-parse", "HEAD")
	b.write(b.w.Dir, "a.txt", "two\n")
	const savers = 4
	errs := make(chan error, savers)
	for range savers {
		go func() {
			_, _, err := b.repo.CommitAll(b.ctx, b.w, "Two", nil)
			errs <- err
		}()
	}
	for range savers {
		if err := <-errs; err != nil {
			t.Errorf("the work is not saved: %v", err)
		}
	}
	if parent := b.git(b.w.Dir, "rev-parse", "HEAD^"); parent != before {
		t.Errorf("the commit is on %s, want %s", parent, before)
	}
}

func TestCommitWithoutIdentityStillSavesTheWork(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.git(b.repo.dir, "config", "--unset", "user.name")
	b.git(b.repo.dir, "config", "--unset", "user.email")
	b.git(b.repo.dir, "config", "user.useConfigOnly", "true")
	b.write(b.w.Dir, "a.txt", "two\n")
	commit, ok, err := b.repo.CommitAll(b.ctx, b.w, "", nil)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.git(b.w.Dir, "log", "-1", "--format=%an <%ae> %s", commit); got != "Beckon <beckon@localhost> Untitled" {
		t.Errorf("the commit is by %s", got)
	}
}

func TestCommitDoesNotEndTheAgentsMergeForIt(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.commit(b.repo.dir, "a.txt", "three\n")
	before := b.git(b.w.Dir, "rev-parse", "HEAD")
	b.repo.in(b.w.Dir).Run(b.ctx, "merge", "main")
	_, ok, err := b.repo.CommitAll(b.ctx, b.w, "x", nil)
	b.conflict(err, "merge --abort")
	if ok || b.git(b.w.Dir, "rev-parse", "HEAD") != before {
		t.Error("a commit was made")
	}
	if state := must(b.repo.Status(b.ctx, b.w))(t); state.Condition != Busy {
		t.Errorf("status %+v, want busy", state)
	}
}

func TestStagedLeftoversOfOursDoNotTouchATrackedFile(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{".claude/settings.json": "theirs\n", "a.txt": "one\n"})
	b.write(b.w.Dir, ".claude/settings.json", "changed\n")
	b.git(b.w.Dir, "add", "-A")
	b.write(b.w.Dir, "a.txt", "two\n")
	commit, _, err := b.repo.CommitAll(b.ctx, b.w, "x", []string{".claude/settings.json"})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.git(b.w.Dir, "show", commit+":.claude/settings.json"); got != "theirs" {
		t.Errorf("the commit has %q", got)
	}
	if b.read(b.w.Dir, ".claude/settings.json") != "changed\n" {
		t.Error("the file itself was changed")
	}
}

// Whatever the agent did with its branch, Beckon's commit never lands on
// another one, and the error leads to the work.
func TestCommitLeavesEveryOtherBranchAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(b *bench)
		on    string
	}{
		"a new branch": {func(b *bench) { b.git(b.w.Dir, "checkout", "-q", "-b", "other") }, "other"},
		"the user's own": {func(b *bench) {
			b.git(b.repo.dir, "branch", "users-own")
			b.git(b.w.Dir, "switch", "-q", "users-own")
		}, "users-own"},
		"no branch":        {func(b *bench) { b.git(b.w.Dir, "switch", "-q", "--detach") }, ""},
		"an unborn branch": {func(b *bench) { b.git(b.w.Dir, "switch", "-q", "--orphan", "unborn") }, "unborn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			c.leave(b)
			if c.on != "unborn" {
				b.commit(b.w.Dir, "committed.txt", "by the agent\n")
			}
			b.write(b.w.Dir, "loose.txt", "not committed\n")
			b.git(b.w.Dir, "add", "loose.txt")
			before, staged := b.git(b.repo.dir, "for-each-ref"), b.git(b.w.Dir, "status", "--porcelain")
			_, ok, err := b.repo.CommitAll(b.ctx, b.w, "task", nil)
			var away *OtherBranchError
			if ok || !errors.As(err, &away) || !errors.Is(err, beckon.ErrConflict) {
				t.Fatalf("committed %v, error %v", ok, err)
			}
			if away.On != c.on || away.Branch != b.w.Branch || away.Dir != b.w.Dir {
				t.Errorf("the error leads to %+v", away)
			}
			if after := b.git(b.repo.dir, "for-each-ref"); after != before {
				t.Errorf("refs were\n%s\nand are\n%s", before, after)
			}
			if after := b.git(b.w.Dir, "status", "--porcelain"); after != staged {
				t.Errorf("the folder was\n%s\nand is\n%s", staged, after)
			}
			if c.on != "unborn" {
				b.takenOver(err)
			}
		})
	}
}

// takenOver does what the error says and fails unless that brings the work.
func (b *bench) takenOver(err error) {
	b.Helper()
	_, rest, found := strings.Cut(err.Error(), "run ")
	advice, _, ends := strings.Cut(rest, " in that folder")
	if !found || !ends {
		b.Fatalf("%q says nothing to run", err)
	}
	for step := range strings.SplitSeq(advice, " && ") {
		b.git(b.w.Dir, strings.Fields(step)[1:]...)
	}
	if _, ok, err := b.repo.CommitAll(b.ctx, b.w, "task", nil); err != nil || !ok {
		b.Fatal(ok, err)
	}
	for _, name := range []string{"committed.txt", "loose.txt"} {
		b.git(b.w.Dir, "cat-file", "-e", b.w.Branch+":"+name)
	}
}

func TestCommitSaysThatTheWorktreeIsGoneAndWhatIsKept(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	tip := b.git(b.w.Dir, "rev-parse", "HEAD")
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.repo.CommitAll(b.ctx, b.w, "task", nil)
	var gone *WorktreeGoneError
	if !errors.As(err, &gone) || gone.Commit != tip || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("error %v", err)
	}
	b.conflict(err, b.w.Branch)
	if _, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"); err != nil { // what is kept can still be merged
		t.Error(err)
	}
	b.write("", b.w.Dir, "a file in its place")
	_, _, err = b.repo.CommitAll(b.ctx, b.w, "task", nil)
	b.conflict(err, "no longer connected")
	b.git(b.repo.dir, "update-ref", "-d", "refs/heads/"+b.w.Branch)
	_, _, err = b.repo.CommitAll(b.ctx, b.w, "task", nil)
	b.refused(err, beckon.ErrNotFound, "is gone")
}

func TestAFolderInThePlaceOfAFileIsCommitted(t *testing.T) {
	t.Parallel()
	for name, staged := range map[string]bool{"staged": true, "not staged": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a": "one\n", "d/b": "two\n"})
			b.git(b.w.Dir, "rm", "-q", "a", "d/b")
			b.write(b.w.Dir, "a/x", "in the place of a file\n")
			b.write(b.w.Dir, "d", "in the place of a folder\n")
			if staged {
				b.git(b.w.Dir, "add", "-A")
			}
			var shown []string
			for _, f := range must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t).Files {
				shown = append(shown, string(f.Change)+" "+f.Path)
			}
			if want := []string{"D a", "A a/x", "A d", "D d/b"}; !slices.Equal(shown, want) {
				t.Errorf("shown: %q, want %q", shown, want)
			}
			if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
				t.Fatal(err)
			}
			if got := b.git(b.w.Dir, "ls-tree", "-r", "--name-only", "HEAD"); got != "a/x\nd" {
				t.Errorf("committed: %q", got)
			}
			if status := b.git(b.w.Dir, "status", "--porcelain"); status != "" {
				t.Errorf("left: %q", status)
			}
		})
	}
}

// TestALinkInThePlaceOfAFolderIsCommitted: git names the files that were in it, and cannot look
// for them behind the link.
func TestALinkInThePlaceOfAFolderIsCommitted(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"dir/inner.txt": "x\n", "other/inner.txt": "y\n"})
	if err := errors.Join(os.RemoveAll(filepath.Join(b.w.Dir, "dir")), os.Symlink("other", filepath.Join(b.w.Dir, "dir"))); err != nil {
		t.Fatal(err)
	}
	commit, ok, err := b.repo.CommitAll(b.ctx, b.w, "a link", nil)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if files := b.git(b.w.Dir, "ls-tree", "-r", "--name-only", commit); files != "dir\nother/inner.txt" {
		t.Errorf("committed is %q", files)
	}
}
