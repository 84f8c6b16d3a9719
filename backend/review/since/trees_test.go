package since

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/store/reviewed"
)

// listed returns the trees that are in a list, however deep.
func (b *bench) listed(log TreeLog, tree string) (trees []string) {
	b.Helper()
	list, err := log.list(b.ctx, tree)
	b.check(err)
	if len(list) > 4*shelf {
		b.Errorf("a list has %d entries at its top", len(list))
	}
	for _, e := range list {
		if e.level == 0 {
			trees = append(trees, e.hash)
		} else {
			trees = append(trees, b.listed(log, e.hash)...)
		}
	}
	return trees
}

// someTrees makes trees of files with random text, and returns what each has.
func (b *bench) someTrees(log TreeLog, n int, random *rand.Rand) (trees []string, has map[string]string) {
	b.Helper()
	has = map[string]string{}
	var input strings.Builder
	dir := b.TempDir()
	for i := range n {
		name := filepath.Join(dir, fmt.Sprint(i))
		b.write(name, fmt.Sprint("text ", random.Uint64()))
		input.WriteString(name + "\n")
	}
	log.Git.Input = input.String()
	out, err := log.Git.Run(b.ctx, "hash-object", "-w", "--stdin-paths")
	b.check(err)
	blobs := strings.Fields(out)
	input.Reset()
	var wants []string
	for _, blob := range blobs {
		want := fmt.Sprintf("100644 blob %s\ta.txt", blob)
		if random.IntN(2) == 0 {
			want += fmt.Sprintf("\n100644 blob %s\tb.txt", blobs[random.IntN(n)])
		}
		wants = append(wants, want)
		input.WriteString(want + "\n\n")
	}
	log.Git.Input = input.String()
	out, err = log.Git.Run(b.ctx, "mktree", "--batch")
	b.check(err)
	trees = strings.Fields(out)
	for i, tree := range trees {
		has[tree] = wants[i]
	}
	return trees, has
}

// TestEveryTurnStaysHoweverManyThereAre: a list that an older version began goes on, git's
// own cleaning takes nothing of it, and where a turn could not be added all others stay.
func TestEveryTurnStaysHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	at, _, _, err := b.since.folder(b.ctx, b.task.ID)
	b.check(err)
	log, random := at.log, rand.New(rand.NewPCG(3, 9))
	trees, has := b.someTrees(log, 340, random)

	// The list of an older version: all at the top.
	log.Git.Input = ""
	for _, tree := range trees[:40] {
		log.Git.Input += "040000 tree " + tree + "\t" + tree + "\n"
	}
	old, err := log.Git.Line(b.ctx, "mktree")
	b.check(err)
	log.Git.Input = ""
	ref := prefix + b.task.ID
	b.git(b.dir, "update-ref", ref, old)

	// Git may take from the test what is not kept yet.
	for _, tree := range trees[40:] {
		log.Git.Input += "040000 tree " + tree + "\t" + tree + "\n"
	}
	rest, err := log.Git.Line(b.ctx, "mktree")
	b.check(err)
	log.Git.Input = ""
	b.git(b.dir, "update-ref", "refs/tests/rest", rest)

	want := slices.Clone(trees[:40])
	all := func() {
		b.Helper()
		b.git(b.dir, "gc", "--quiet", "--prune=now")
		got := b.listed(log, b.git(b.dir, "rev-parse", ref))
		sorted := slices.Clone(want)
		slices.Sort(got)
		slices.Sort(sorted)
		if !slices.Equal(slices.Compact(got), slices.Compact(sorted)) {
			t.Fatalf("of %d trees %d are kept", len(want), len(got))
		}
		asked := log.Git
		asked.Input = strings.Join(want, "\n") + "\n"
		out, err := asked.Run(b.ctx, "cat-file", "--batch-check=%(objecttype)")
		b.check(err)
		if out != strings.Repeat("tree\n", len(want)) {
			t.Fatal("trees are gone")
		}
	}
	for i, tree := range trees[40:] {
		if i%7 == 3 {
			tree = want[random.IntN(len(want))] // what the files were before
		}
		if i == 100 || i == 231 {
			// Beckon dies between the objects and the ref.
			lock := filepath.Join(b.dir, ".git", filepath.FromSlash(ref)+".lock")
			b.check(os.MkdirAll(filepath.Dir(lock), 0o755))
			b.check(os.WriteFile(lock, nil, 0o644))
			if err := log.Keep(b.ctx, b.task.ID, tree); err == nil {
				t.Fatal("a locked ref was changed")
			}
			b.check(os.Remove(lock))
		}
		b.check(log.Keep(b.ctx, b.task.ID, tree))
		if want = append(want, tree); i%100 == 99 {
			all()
		}
	}
	b.git(b.dir, "update-ref", "-d", "refs/tests/rest")
	all()
	b.git(b.dir, "fsck", "--strict")
	for _, tree := range trees[:60] { // git checked them all against their hashes
		if slices.Contains(want, tree) && b.git(b.dir, "ls-tree", tree) != has[tree] {
			t.Errorf("%s has something else", tree)
		}
	}
}

// TestWhatGitLostOfAListEndsNoRecording: neither a list that is gone nor a tree of it.
func TestWhatGitLostOfAListEndsNoRecording(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	at, _, _, err := b.since.folder(b.ctx, b.task.ID)
	b.check(err)
	trees, _ := b.someTrees(at.log, 4, rand.New(rand.NewPCG(5, 6)))
	lose := func(hash string) {
		b.Helper()
		b.check(os.Remove(filepath.Join(b.dir, ".git", "objects", hash[:2], hash[2:])))
	}
	kept := func() []string { return b.listed(at.log, b.git(b.dir, "rev-parse", prefix+b.task.ID)) }
	b.check(at.log.Keep(b.ctx, b.task.ID, trees[0]))
	b.check(at.log.Keep(b.ctx, b.task.ID, trees[1]))
	lose(trees[0])
	b.check(at.log.Keep(b.ctx, b.task.ID, trees[2]))
	if got := kept(); len(got) != 2 || !slices.Contains(got, trees[1]) || !slices.Contains(got, trees[2]) {
		t.Errorf("without the first %q are kept of %q", got, trees)
	}
	// What a newer Beckon put there is not lost: the list stays.
	ref, list := prefix+b.task.ID, b.git(b.dir, "rev-parse", prefix+b.task.ID)
	newer := at.log
	newer.Git.Input = "040000 tree " + trees[1] + "\tnewer\n"
	other, err := newer.Git.Line(b.ctx, "mktree")
	b.check(err)
	b.git(b.dir, "update-ref", ref, other)
	if err := at.log.Keep(b.ctx, b.task.ID, trees[3]); err == nil || b.git(b.dir, "rev-parse", ref) != other {
		t.Errorf("a list that is not known was replaced, %v", err)
	}
	b.git(b.dir, "update-ref", ref, list)
	lose(list)
	b.check(at.log.Keep(b.ctx, b.task.ID, trees[3]))
	if got := kept(); !slices.Equal(got, trees[3:]) {
		t.Errorf("without the list %q are kept", got)
	}
}

// TestWhatIsReviewedInAFurtherRepositoryIsKept: under a ref of its own, whatever that is called.
func TestWhatIsReviewedInAFurtherRepositoryIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	at, _, _, err := b.since.folder(b.ctx, b.task.ID)
	b.check(err)
	tree := b.git(b.dir, "rev-parse", "HEAD^{tree}")
	for _, name := range []string{b.task.ID + "/proto", b.task.ID + "/a b..c~", b.task.ID} {
		b.check(at.log.Keep(b.ctx, name, tree))
	}
	if refs := strings.Fields(b.git(b.dir, "for-each-ref", "--format=%(refname)", prefix)); len(refs) != 3 {
		t.Errorf("the refs are %q", refs)
	}
	b.check(at.log.Drop(b.ctx, b.task.ID+"/proto", b.task.ID+"/a b..c~", b.task.ID, b.task.ID+"/never"))
	if refs := b.git(b.dir, "for-each-ref", prefix); refs != "" {
		t.Errorf("%q stay", refs)
	}
}

// TestTheRoomOfTurnsIsWhatNoBranchHas: git keeps what differs once, and what was committed is
// not counted.
func TestTheRoomOfTurnsIsWhatNoBranchHas(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	size := func() int64 {
		b.Helper()
		n, err := b.since.Size(b.ctx, b.dir)
		b.check(err)
		return n
	}
	if n := size(); n != 0 {
		t.Errorf("before the first turn %d bytes", n)
	}
	var text strings.Builder
	for random := rand.New(rand.NewPCG(1, 2)); text.Len() < 100_000; {
		fmt.Fprintln(&text, random.Uint64())
	}
	b.begin()
	b.turn("Write", func() { b.edit("large.txt", text.String()) })
	first := size()
	if first < 40_000 || first > 110_000 {
		t.Errorf("a file of 100 KB takes %d bytes", first)
	}
	b.turn("Write again", func() { b.edit("b.txt", "b\n") })
	if n := size(); n < first || n > first+2000 {
		t.Errorf("with a small file %d bytes, %d without", n, first)
	}
	b.end()
	b.git(b.task.Worktree, "add", "-A")
	b.git(b.task.Worktree, "commit", "-q", "-m", "work")
	if n := size(); n > 2000 {
		t.Errorf("what was committed is counted: %d bytes", n)
	}
}

// TestWhatIsKeptOfTurnsGoesThirtyDaysAfterTheTaskWasMergedOrArchived: not while the work
// is in its worktree, an agent works on it or a step of it can be taken back. All that was
// there is looked at by then as what is gone, and what comes later is kept.
func TestWhatIsKeptOfTurnsGoesThirtyDaysAfterTheTaskWasMergedOrArchived(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	work := func(text string) {
		b.Helper()
		b.begin()
		b.turn(text, func() { b.edit("a.txt", text) })
		b.end()
	}
	work("two\n")
	kept := func(now time.Time) bool {
		b.Helper()
		b.check(b.since.sweep(b.ctx, now))
		return b.git(b.dir, "for-each-ref", "refs/beckon/turns/") != ""
	}
	change := func(edit func(*beckon.Task)) {
		b.Helper()
		_, err := b.store.UpdateTask(b.ctx, b.task.ID, func(t *beckon.Task) error { edit(t); return nil })
		b.check(err)
	}
	now := time.Now()
	unused := func(after time.Duration) int {
		b.Helper()
		refs, err := b.since.unused(b.ctx, now.Add(after), "")
		b.check(err)
		return len(refs)
	}
	late := overFor + time.Hour
	for _, status := range []beckon.Status{beckon.Backlog, beckon.Review, beckon.Done} {
		if change(func(t *beckon.Task) { t.Status = status }); unused(late) != 0 {
			t.Errorf("in %s, not merged, it goes", status)
		}
	}
	for _, of := range []struct {
		status     beckon.Status
		resolution beckon.Resolution
	}{{beckon.Done, beckon.Merged}, {beckon.Archived, beckon.Merged}, {beckon.Archived, ""}} {
		change(func(t *beckon.Task) { t.Status, t.Resolution = of.status, of.resolution })
		if unused(late) != 0 {
			t.Errorf("%v: it goes though the worktree is there", of)
		}
	}
	if !kept(now.Add(late)) {
		t.Fatal("it went though the worktree is there")
	}
	b.git(b.dir, "worktree", "remove", "--force", b.task.Worktree)
	if !kept(now.Add(overFor - time.Hour)) {
		t.Fatal("it went before its 30 days were over")
	}
	if kept(now.Add(late)) || unused(late) != 0 {
		t.Error("it did not go after 30 days")
	}

	// The task is worked on again.
	change(func(t *beckon.Task) { t.Status, t.Resolution = beckon.Review, "" })
	b.git(b.dir, "worktree", "add", b.task.Worktree, b.task.Branch)
	b.git(b.dir, "gc", "--quiet", "--prune=now")
	b.refuses("turn-1", problem.SinceGone)
	turn := reviewed.Turn{TaskID: b.task.ID, Number: 9, Nth: 2} // which began before git had looked
	b.check(b.since.begin(b.ctx, &turn, beckon.Run{TaskID: b.task.ID, Number: 9}))
	if turn.Before != "" || turn.Mixed {
		t.Errorf("a turn begins with what is gone: %+v", turn)
	}
	work("three\n")
	b.git(b.dir, "gc", "--quiet", "--prune=now")
	b.want("turn-2", "M a.txt")
	if !kept(now) {
		t.Error("what came later is not kept")
	}
}
