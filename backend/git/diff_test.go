package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/diff"
)

func TestDiffShowsEverythingTheTaskChanged(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of text\n", 40)
	b := withTask(t, map[string]string{
		"a.txt": "one\n", "old.txt": long, "gone.txt": "x\n",
		"run.sh": "true\n", "plain": "x\n",
	})
	b.commit(b.repo.dir, "unrelated.txt", "the base went on\n")
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.git(b.w.Dir, "mv", "old.txt", "new.txt")
	b.git(b.w.Dir, "rm", "-q", "gone.txt")
	b.write(b.w.Dir, "bin", "\x00\x01")
	if err := os.Chmod(filepath.Join(b.w.Dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(b.w.Dir, "plain")),
		os.Symlink("a.txt", filepath.Join(b.w.Dir, "plain"))); err != nil {
		t.Skip(err)
	}
	b.write(b.w.Dir, "zz.txt", "untracked\n")

	diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	contents := map[string]bool{}
	for i, f := range diff.Files {
		contents[f.Content] = true
		diff.Files[i].Content = ""
	}
	if len(contents) != 7 || contents[""] { // the two that changed in mode alone too
		t.Errorf("the contents are named %v", contents)
	}
	want := []beckon.FileDiff{
		{Path: "a.txt", Kind: "file", Change: "M", Added: 1, Removed: 1, Patch: "@@ -1 +1 @@\n-one\n+two\n"},
		{Path: "bin", Kind: "file", Change: "A", Binary: true, Size: 2},
		{Path: "gone.txt", Kind: "file", Change: "D", Removed: 1, Patch: "@@ -1 +0,0 @@\n-x\n"},
		{Path: "new.txt", OldPath: "old.txt", Kind: "file", Change: "R", Similar: 100},
		{
			Path: "plain", Kind: "link", Change: "M", Mode: "100644 → 120000", Added: 1, Removed: 1,
			Patch: "@@ -1 +0,0 @@\n-x\n@@ -0,0 +1 @@\n+a.txt\n\\ No newline at end of file\n",
		},
		{Path: "run.sh", Kind: "file", Change: "M", Mode: "100644 → 100755"},
		{Path: "zz.txt", Kind: "file", Change: "A", Added: 1, Patch: "@@ -0,0 +1 @@\n+untracked\n"},
	}
	if d := cmp.Diff(want, diff.Files); d != "" {
		t.Error(d)
	}
	if !strings.Contains(diff.Refusal.String(), "no commit holds") || len(diff.Uncommitted) != 7 {
		t.Errorf("refusal %q, uncommitted %q", diff.Refusal, diff.Uncommitted)
	}
	sum := beckon.Changes{Files: 7, Added: 3, Removed: 3, Commits: 1}
	for _, f := range want {
		sum.Paths = append(sum.Paths, f.Path)
	}
	if d := cmp.Diff(sum, must(b.repo.Summary(b.ctx, b.w))(t)); d != "" {
		t.Error("summary: " + d)
	}
	b.started(reviewing.View{})
	if staged := b.git(b.w.Dir, "diff", "--cached", "--name-only"); strings.Contains(staged, "zz.txt") {
		t.Error("looking at the diff staged a file")
	}
}

func TestDiffKeepsHostileNamesApart(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	for i, name := range names {
		b.write(b.w.Dir, name, fmt.Sprintf("file %d\ndiff --git a/x b/x\n@@ -1 +1 @@\n", i))
	}
	diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	patches := map[string]string{}
	for _, f := range diff.Files {
		patches[f.Path] = f.Patch
	}
	for i, name := range names {
		name = strings.ToValidUTF8(name, "\uFFFD")
		want := fmt.Sprintf("@@ -0,0 +1,3 @@\n+file %d\n+diff --git a/x b/x\n+@@ -1 +1 @@\n", i)
		if patches[name] != want {
			t.Errorf("%q has the patch %q", name, patches[name])
		}
	}
	if len(diff.Files) != len(names) {
		t.Errorf("%d files, want %d", len(diff.Files), len(names))
	}
	b.started(reviewing.View{})
	for _, path := range must(b.repo.Summary(b.ctx, b.w))(t).Paths {
		delete(patches, path)
	}
	if len(patches) > 0 {
		t.Errorf("the card does not say that these were changed: %q", patches)
	}
}

func TestHugeDiffIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.write(b.w.Dir, "a-line.txt", strings.Repeat("x", 2<<20))
	for i := range 45 { // of 512 KB each, more than 20 MB in all
		b.write(b.w.Dir, fmt.Sprintf("b%02d.txt", i), strings.Repeat("0123456789abcde\n", 40_000))
	}
	for i := range diff.MaxFiles {
		b.write(b.w.Dir, fmt.Sprintf("c/%04d", i), "x\n")
	}
	shown := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	total := 0
	for _, f := range shown.Files {
		total += len(f.Patch)
		if len(f.Patch) > diff.MaxPatch {
			t.Errorf("%s has a patch of %d bytes", f.Path, len(f.Patch))
		}
	}
	if first, last := shown.Files[0], shown.Files[len(shown.Files)-1]; !first.Cut || len(first.Patch) != diff.MaxPatch ||
		!last.Cut || last.Patch != "" {
		t.Errorf("first %v with %d bytes, last %v with %d", first.Cut, len(first.Patch), last.Cut, len(last.Patch))
	}
	if len(shown.Files) != diff.MaxFiles || shown.Omitted != 46 || total > diff.MaxAll {
		t.Errorf("%d files, %d left out, %d bytes", len(shown.Files), shown.Omitted, total)
	}
}

func TestMergedWorkCanStillBeRead(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.repo.dir, "before.txt", "the base went on\n")
	b.commit(b.w.Dir, "a.txt", "two\n")
	want := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t).Files
	must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
	b.commit(b.repo.dir, "after.txt", "and on\n")
	diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	if d := cmp.Diff(want, diff.Files); d != "" || len(want) != 1 {
		t.Error(d)
	}
	if !strings.Contains(diff.Refusal.String(), "nothing to merge") {
		t.Errorf("refusal %q", diff.Refusal)
	}
}

func TestBaseThatWentOnIsNotTheTasksWork(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.repo.dir, "b.txt", "two\n")
	b.git(b.w.Dir, "merge", "-q", "main") // the agent takes it over, as it is
	b.commit(b.repo.dir, "c.txt", "three\n")
	if got := must(b.repo.Summary(b.ctx, b.w))(t); !cmp.Equal(got, beckon.Changes{Paths: []string{}}) {
		t.Errorf("summary %+v of a task that did nothing", got)
	}
}

func TestDiffOfArchivedTaskIsThatOfItsBranch(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	if err := os.RemoveAll(b.w.Dir); err != nil {
		t.Fatal(err)
	}
	diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	if len(diff.Files) != 1 || diff.Files[0].Path != "a.txt" || diff.Refusal != nil {
		t.Errorf("diff %+v", diff)
	}
	b.git(b.repo.dir, "worktree", "prune")
	b.git(b.repo.dir, "branch", "-D", b.w.Branch)
	_, err := b.repo.Diff(b.ctx, b.w, reviewing.View{})
	b.refused(err, beckon.ErrNotFound, b.w.Branch)
}

// git tells by size and time alone what changed, unless a file is as new as
// the index.
func TestChangeOfTheSameSizeInTheSameSecondIsSeen(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.commit(b.w.Dir, "a.txt", "two\n")
	b.write(b.w.Dir, "a.txt", "six\n")
	time.Sleep(1100 * time.Millisecond)
	diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t)
	if len(diff.Files) != 1 || !strings.HasSuffix(diff.Files[0].Patch, "+six\n") {
		t.Errorf("the diff has %+v", diff.Files)
	}
}

func TestWhiteSpaceDoesNotCountWhereNobodyWantsToSeeIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of text\n", 40)
	b := withTask(t, map[string]string{
		"a.txt": "one\ntwo\n", "b.txt": "one\n", "c.txt": "one\n", "d.txt": "one\n",
		"run.sh": "true\n", "old.txt": long,
	})
	b.write(b.w.Dir, "a.txt", "  one\nzwei\n")
	b.write(b.w.Dir, "b.txt", "one  \n")
	b.write(b.w.Dir, "c.txt", "eins\n")
	b.write(b.w.Dir, "d.txt", "\tone\n")
	b.write(b.w.Dir, "run.sh", "true \n")
	if err := os.Chmod(filepath.Join(b.w.Dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.write(b.w.Dir, " e\t.txt", "new\n")
	b.git(b.w.Dir, "mv", "old.txt", "new.txt")
	b.write(b.w.Dir, "new.txt", strings.Replace(long, "a line", "a  line", 1))

	shown := must(b.repo.Diff(b.ctx, b.w, reviewing.View{IgnoreSpace: true}))(t)
	got := map[string]string{}
	for _, f := range shown.Files {
		got[f.Path] = fmt.Sprintf("+%d -%d %s", f.Added, f.Removed, f.Patch)
	}
	want := map[string]string{
		" e\t.txt": "+1 -0 @@ -0,0 +1 @@\n+new\n",
		"a.txt":    "+1 -1 @@ -1,2 +1,2 @@\n   one\n-two\n+zwei\n",
		"b.txt":    "+0 -0 ",
		"c.txt":    "+1 -1 @@ -1 +1 @@\n-one\n+eins\n",
		"d.txt":    "+0 -0 ",
		"new.txt":  "+0 -0 ",
		"run.sh":   "+0 -0 ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, f := range must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t).Files {
		if f.Added == 0 {
			t.Errorf("%s has no lines where white space counts", f.Path)
		}
	}
}
