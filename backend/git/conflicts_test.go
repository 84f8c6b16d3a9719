package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/merge"

	"github.com/google/go-cmp/cmp"
)

// TestConflictsAreListedWithTheirPlaces: both sides of each place, what they grew from
// and where they are, whatever the file itself has of marks.
func TestConflictsAreListedWithTheirPlaces(t *testing.T) {
	t.Parallel()
	lines := func(second, last string) string {
		return "<<<<<<< not a mark\n" + second + "\n=======\n4\n5\n6\n7\n8\n9\n10\n" + last + "\n"
	}
	b := withTask(t, map[string]string{
		"a b.txt": lines("2", "11"), "gone here": "one\n", "gone there": "one\n", "pic": "\x00one",
		"fine": "one\n", "dos": "1\r\n2\r\n",
	})
	b.write(b.w.Dir, "gone there", "two\n")
	b.write(b.w.Dir, "pic", "\x00two")
	b.write(b.w.Dir, "dos", "1\r\ntask\r\n")
	b.write(b.w.Dir, "new", "task\n")
	b.git(b.w.Dir, "rm", "--quiet", "gone here")
	b.git(b.w.Dir, "add", "-A")
	b.commit(b.w.Dir, "a b.txt", lines("task", "task\ntoo"))
	b.write(b.repo.dir, "gone here", "two\n")
	b.write(b.repo.dir, "pic", "\x00three")
	b.write(b.repo.dir, "dos", "1\r\nbase\r\n")
	b.write(b.repo.dir, "new", "base\n")
	b.write(b.repo.dir, "fine", "two\n")
	b.git(b.repo.dir, "rm", "--quiet", "gone there")
	b.git(b.repo.dir, "add", "-A")
	b.commit(b.repo.dir, "a b.txt", lines("first\nbase", "base"))
	before := b.folder()

	got := must(merge.Conflicts(b.ctx, b.repo.at(), b.w))(t)
	none := []reviewing.ConflictHunk{}
	want := []reviewing.Conflict{
		{Path: "a b.txt", Kind: reviewing.BothChanged, Hunks: []reviewing.ConflictHunk{
			{
				BaseLine: 2, TaskLine: 2, Before: []string{"<<<<<<< not a mark"}, Base: []string{"first", "base"},
				Common: []string{"2"}, Task: []string{"task"},
				After: []string{"=======", "4", "5"},
			},
			{
				BaseLine: 12, TaskLine: 11, Before: []string{"8", "9", "10"}, Base: []string{"base"}, Common: []string{"11"},
				Task:  []string{"task", "too"},
				After: []string{},
			},
		}},
		{Path: "dos", Kind: reviewing.BothChanged, Hunks: []reviewing.ConflictHunk{
			{
				BaseLine: 2, TaskLine: 2, Before: []string{"1"}, Base: []string{"base"}, Common: []string{"2"},
				Task: []string{"task"}, After: []string{},
			},
		}},
		{Path: "gone here", Kind: reviewing.TaskDeleted, Hunks: none},
		{Path: "gone there", Kind: reviewing.BaseDeleted, Hunks: none},
		{Path: "new", Kind: reviewing.BothChanged, Hunks: []reviewing.ConflictHunk{
			{
				BaseLine: 1, TaskLine: 1, Before: []string{}, Base: []string{"base"}, Common: []string{},
				Task: []string{"task"}, After: []string{},
			},
		}},
		{Path: "pic", Kind: reviewing.NoText, Hunks: none},
	}
	for i, c := range got {
		if c.Commits != 1 || !slices.Equal(c.Authors, []string{"Ada"}) || c.At < 1e12 {
			t.Errorf("%s was touched by %d commits of %q at %d", c.Path, c.Commits, c.Authors, c.At)
		}
		if c.Token == "" {
			t.Errorf("no side of %s can be taken", c.Path)
		}
		got[i].Commits, got[i].Authors, got[i].At, got[i].Token = 0, nil, 0, ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b.folder() != before {
		t.Error("the folder changed")
	}
}

// TestAConflictOfAnySizeIsListed: a file that is long is cut, and says so.
func TestAConflictOfAnySizeIsListed(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a": "one\n"})
	b.commit(b.w.Dir, "a", strings.Repeat("task\n", 2000))
	b.commit(b.repo.dir, "a", strings.Repeat("base\n", 2000))
	got := must(merge.Conflicts(b.ctx, b.repo.at(), b.w))(t)
	if len(got) != 1 || !got[0].Cut || len(got[0].Hunks) != 1 || len(got[0].Hunks[0].Base) != 400 ||
		len(got[0].Hunks[0].Task) != 400 {
		t.Errorf("%d files, of which the first has %d hunks", len(got), len(got[0].Hunks))
	}
}

// TestAConflictNamesWhoCommittedTheOtherSide: the last one first, each once, whatever they
// are called, and nobody who touched another file.
func TestAConflictNamesWhoCommittedTheOtherSide(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a\nb": "one\n", "c": "one\n"})
	b.commit(b.w.Dir, "a\nb", "of the task\n")
	for i, name := range []string{"Mira", "Grace", "\u202eevil\x1e", "Grace"} {
		b.git(b.repo.dir, "config", "user.name", name)
		b.commit(b.repo.dir, "a\nb", strings.Repeat("base\n", i+1))
	}
	b.git(b.repo.dir, "config", "user.name", "Stranger")
	b.commit(b.repo.dir, "c", "two\n")
	got := must(merge.Conflicts(b.ctx, b.repo.at(), b.w))(t)
	if len(got) != 1 || got[0].Commits != 4 || len(got[0].Authors) != 3 || got[0].Authors[0] != "Grace" ||
		got[0].Authors[2] != "Mira" {
		t.Errorf("it is %+v", got)
	}
}

// TestTheSidesThatWereTakenResolveAConflict, with the line ends and the rest of each file as they
// are; what was shown otherwise is refused, and leaves all as it was.
func TestTheSidesThatWereTakenResolveAConflict(t *testing.T) {
	t.Parallel()
	lines := func(second, last string) string {
		return "one\r\n" + second + "\r\nthree\r\nfour\r\nfive\r\n" + last + "\r\n"
	}
	b := withTask(t, map[string]string{"a.txt": lines("two", "six"), "kept.txt": "one\n", "gone.txt": "one\n", "pic.bin": "\x00one"})
	b.write(b.w.Dir, "kept.txt", "of the task\n")
	b.write(b.w.Dir, "pic.bin", "\x00task")
	b.write(b.w.Dir, "a.txt", lines("of the task", "last of the task"))
	must(0, os.Remove(filepath.Join(b.w.Dir, "gone.txt")))(t)
	b.git(b.w.Dir, "add", "-A")
	b.git(b.w.Dir, "commit", "-qm", "task")
	b.write(b.repo.dir, "gone.txt", "of main\n")
	b.write(b.repo.dir, "pic.bin", "\x00main")
	b.write(b.repo.dir, "a.txt", lines("of main", "last of main"))
	must(0, os.Remove(filepath.Join(b.repo.dir, "kept.txt")))(t)
	b.git(b.repo.dir, "add", "-A")
	b.git(b.repo.dir, "commit", "-qm", "main")
	main, tip, folder := b.git(b.repo.dir, "rev-parse", "main"), b.git(b.w.Dir, "rev-parse", "HEAD"), b.repo.in(b.w.Dir)

	token := map[string]string{}
	for _, c := range must(merge.Conflicts(b.ctx, b.repo.at(), b.w))(t) {
		token[c.Path] = c.Token
	}
	take := func(path string, sides ...reviewing.ConflictSide) reviewing.TakenSides {
		return reviewing.TakenSides{Path: path, Token: token[path], Sides: sides}
	}
	must(0, merge.Begin(b.ctx, folder, b.w))(t)
	for _, bad := range []reviewing.TakenSides{
		take("a.txt", reviewing.TakeBase), take("pic.bin", reviewing.TakeBoth), take("a.txt", "all", "all"), take("../a.txt", reviewing.TakeBase),
		{Path: "a.txt", Token: "another", Sides: []reviewing.ConflictSide{reviewing.TakeBase, reviewing.TakeBase}},
	} {
		b.conflict(merge.Take(b.ctx, b.repo.at(), folder, b.w, []reviewing.TakenSides{take("kept.txt", reviewing.TakeTask), bad}), "in conflict otherwise")
	}
	if left := must(merge.Left(b.ctx, folder))(t); len(left) != 4 {
		t.Fatalf("refused, in conflict are %q", left)
	}
	all := []reviewing.TakenSides{
		take("a.txt", reviewing.TakeBoth, reviewing.TakeTask), take("pic.bin", reviewing.TakeBase),
		take("kept.txt", reviewing.TakeTask), take("gone.txt", reviewing.TakeTask),
	}
	must(0, merge.Take(b.ctx, b.repo.at(), folder, b.w, all))(t)
	must(0, merge.Finish(b.ctx, folder, "Merge main"))(t)
	if got := b.read(b.w.Dir, "a.txt"); got != lines("of main\r\nof the task", "last of the task") {
		t.Errorf("a.txt is %q", got)
	}
	if b.read(b.w.Dir, "pic.bin")+b.read(b.w.Dir, "kept.txt") != "\x00mainof the task\n" || b.git(b.w.Dir, "ls-files", "gone.txt") != "" {
		t.Error("a file has another side than the one that was taken")
	}
	if got := b.git(b.w.Dir, "log", "-1", "--format=%P"); got != tip+" "+main || b.git(b.w.Dir, "status", "--porcelain") != "" {
		t.Errorf("the commit is of %s", got)
	}
}

// TestASideIsTakenWholeWhateverItsLinesLookLike: where a line may be text or a mark, none is taken.
func TestASideIsTakenWholeWhateverItsLinesLookLike(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"base.md": "Top\n", "task.md": "Top\n", "end.txt": "a\none"})
	b.write(b.repo.dir, "base.md", "Top\nHistory\n=======\n\nof main\n")
	b.write(b.repo.dir, "task.md", "Top\nof main\n")
	b.write(b.repo.dir, "end.txt", "a\nmain")
	b.git(b.repo.dir, "commit", "-qam", "main")
	b.write(b.w.Dir, "base.md", "Top\nof the task\n")
	b.write(b.w.Dir, "task.md", "Top\nInstall\n=======\n\nof the task\n")
	b.write(b.w.Dir, "end.txt", "a\ntask")
	b.git(b.w.Dir, "commit", "-qam", "task")
	token := map[string]string{}
	for _, c := range must(merge.Conflicts(b.ctx, b.repo.at(), b.w))(t) {
		token[c.Path] = c.Token
		if c.Path == "base.md" && !slices.Equal(c.Hunks[0].Base, []string{"History", "=======", "", "of main"}) {
			t.Errorf("the base's side is %q", c.Hunks[0].Base)
		}
	}
	if token["base.md"] == "" || token["end.txt"] == "" || token["task.md"] != "" {
		t.Fatalf("the tokens are %q", token)
	}
	for _, c := range []struct {
		side      reviewing.ConflictSide
		base, end string
	}{
		{reviewing.TakeBase, "Top\nHistory\n=======\n\nof main\n", "a\nmain"},
		{reviewing.TakeTask, "Top\nof the task\n", "a\ntask"},
		{reviewing.TakeBoth, "Top\nHistory\n=======\n\nof main\nof the task\n", "a\nmain\ntask"},
	} {
		folder := b.repo.in(b.w.Dir)
		must(0, merge.Begin(b.ctx, folder, b.w))(t)
		must(0, merge.Take(b.ctx, b.repo.at(), folder, b.w, []reviewing.TakenSides{
			{Path: "base.md", Token: token["base.md"], Sides: []reviewing.ConflictSide{c.side}},
			{Path: "end.txt", Token: token["end.txt"], Sides: []reviewing.ConflictSide{c.side}},
		}))(t)
		if got := b.read(b.w.Dir, "base.md"); got != c.base {
			t.Errorf("%s: base.md is %q", c.side, got)
		}
		if got := b.read(b.w.Dir, "end.txt"); got != c.end {
			t.Errorf("%s: end.txt is %q", c.side, got)
		}
		must(0, merge.Abandon(b.ctx, folder))(t)
		if got := b.git(b.w.Dir, "status", "--porcelain"); got != "" {
			t.Fatalf("%s: abandoned is left %s", c.side, got)
		}
	}
}
