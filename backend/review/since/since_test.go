package since

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/store"
	"beckon/tests/sample"
	"beckon/tests/timeout"
)

func TestMain(m *testing.M) { sample.AtHome(m) }

// bench is a task with a worktree, whose agent the test plays.
type bench struct {
	*testing.T
	ctx   context.Context
	data  string
	store *store.Store
	pool  git.Pool
	since *Since
	live  atomic.Bool
	dir   string // the repository's
	task  beckon.Task
	run   beckon.Run
	marks []beckon.Landmark
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(50*time.Second))
	t.Cleanup(cancel)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx, data: filepath.Join(root, "data"), dir: filepath.Join(root, "repo")}
	sample.Empty(t, b.dir)
	for name, text := range files {
		b.write(filepath.Join(b.dir, name), text)
	}
	b.git(b.dir, "add", "-A")
	b.git(b.dir, "commit", "-q", "--allow-empty", "-m", "first")
	b.open()
	p := beckon.Project{ID: beckon.NewID(), Name: "kestrel", Key: "KES", Dir: b.dir, Git: true, Base: "main", Mode: beckon.ModeAuto, Policy: beckon.Proceed, MergeWay: reviewing.MergeCommit}
	b.check(b.store.AddProject(ctx, &p))
	w, err := b.pool.Open(b.dir, false).AddWorktree(ctx, filepath.Join(root, "kes-1"), "beckon/kes-1", "main")
	b.check(err)
	b.task = beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: "Work", Status: beckon.Review, Mode: beckon.ModeAuto, Policy: beckon.Proceed,
		Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit,
	}
	b.check(b.store.CreateTask(ctx, &b.task))
	return b
}

// open opens the store, and what records.
func (b *bench) open() {
	b.Helper()
	var err error
	b.store, err = store.Open(b.ctx, b.data)
	b.check(err)
	s := b.store
	since := New(Config{
		Kept: s.Turns, Task: s.Task, Project: s.Project, MarkViewed: s.Viewed.Mark,
		Repo:      func(p beckon.Project) *git.Repo { return b.pool.Open(p.Dir, p.Trusted) },
		Bring:     func(context.Context, string) error { return nil },
		Live:      func(string) (beckon.RunKind, bool) { return beckon.TaskRun, b.live.Load() },
		Landmarks: func(context.Context, string) ([]beckon.Landmark, error) { return b.marks, nil },
		Whole: func(ctx context.Context, id string, v reviewing.View) (beckon.ReviewDiff, error) {
			t, err := s.Task(ctx, id)
			if err != nil {
				return beckon.ReviewDiff{}, err
			}
			return b.pool.Open(b.dir, false).Diff(ctx, git.Worktree{Dir: t.Worktree, Branch: t.Branch, Base: t.Base, BaseCommit: t.BaseCommit}, v)
		},
	})
	b.since = since
	b.Cleanup(func() {
		since.Close()
		_ = s.Close() // it may be closed already
	})
}

func (b *bench) check(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) git(dir string, args ...string) string {
	b.Helper()
	return sample.Git(b.ctx, b, dir, args...)
}

func (b *bench) write(name, text string) {
	b.Helper()
	b.check(os.MkdirAll(filepath.Dir(name), 0o755))
	b.check(os.WriteFile(name, []byte(text), 0o644))
}

// edit writes a file of the worktree.
func (b *bench) edit(name, text string) {
	b.Helper()
	b.write(filepath.Join(b.task.Worktree, name), text)
}

// settle waits until all is recorded.
func (b *bench) settle() {
	b.Helper()
	b.since.mu.Lock()
	last := b.since.last[b.task.ID]
	b.since.mu.Unlock()
	if last == nil {
		return
	}
	select {
	case <-last:
	case <-b.ctx.Done():
		b.Fatal("nothing was recorded in time")
	}
}

// is publishes the run in a phase, and has what follows from that recorded.
func (b *bench) is(phase beckon.Phase, verb beckon.Verb) {
	b.Helper()
	b.happens(phase, verb)
	b.settle()
}

func (b *bench) happens(phase beckon.Phase, verb beckon.Verb) {
	run := b.run
	run.Phase, run.Activity.Verb = phase, verb
	b.since.OnEvent(beckon.Event{Run: &run})
}

// begin begins a run.
func (b *bench) begin() {
	b.run = beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Number: b.run.Number + 1, Kind: beckon.TaskRun}
	b.live.Store(true)
	b.is(beckon.Starting, "")
}

// turn is a turn of the agent in which it does something; said is what began it.
func (b *bench) turn(said string, do func()) {
	b.Helper()
	b.marks = append(b.marks, beckon.Landmark{RunID: b.run.ID, Kind: beckon.UserEntry, Text: said})
	b.is(beckon.Working, "")
	b.happens(beckon.Working, beckon.Editing)
	do()
	b.run.Turns++
	b.is(beckon.Idle, "")
	b.marks = append(b.marks, beckon.Landmark{RunID: b.run.ID, Kind: beckon.TurnEntry})
}

func (b *bench) end() {
	b.live.Store(false)
	b.is(beckon.Ended, "")
}

// shows returns the files of a part of the work, as letters and paths.
func (b *bench) shows(since string) []string {
	b.Helper()
	d, err := b.since.Review(b.ctx, b.task.ID, reviewing.View{Since: since})
	b.check(err)
	if d.Since != since {
		b.Errorf("%q is shown as %q", since, d.Since)
	}
	list := []string{}
	for _, f := range d.Files {
		text := string(f.Change) + " " + f.Path
		if f.Past {
			text += " past"
		}
		list = append(list, text)
	}
	return list
}

func (b *bench) want(since string, files ...string) {
	b.Helper()
	if got := b.shows(since); !slices.Equal(got, files) {
		b.Errorf("%q shows %q, want %q", since, got, files)
	}
}

// refuses reports whether a part of the work is refused by that name.
func (b *bench) refuses(since string, kind problem.Kind) {
	b.Helper()
	_, err := b.since.Review(b.ctx, b.task.ID, reviewing.View{Since: since})
	if got, _ := problem.From(err); got != kind || !errors.Is(err, beckon.ErrNotFound) {
		b.Errorf("%q: %v; want %s", since, err, kind)
	}
}

func (b *bench) ranges() reviewing.Ranges {
	b.Helper()
	r, err := b.since.Ranges(b.ctx, b.task.ID)
	b.check(err)
	return r
}

func TestATurnIsShownAloneThoughNothingIsCommitted(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n", ".gitignore": "*.log\n"})
	b.begin()
	b.turn("Add b", func() { b.edit("b.txt", "new\n"); b.edit("x.log", "ignored\n") })
	b.edit("hand.txt", "the user's, between two turns\n")
	b.turn("Change a", func() { b.edit("a.txt", "two\n"); b.edit("b.txt", "newer\n") })
	b.end()
	b.begin()
	b.turn("", func() { b.check(os.Remove(filepath.Join(b.task.Worktree, "b.txt"))) })
	b.end()
	b.want("turn-1", "A b.txt past")
	b.want("turn-2", "M a.txt", "M b.txt past")
	b.want("turn-3", "D b.txt")
	b.want("", "M a.txt", "A hand.txt")
	r := b.ranges()
	var texts []string
	for i, turn := range r.Turns {
		texts = append(texts, turn.Text)
		if turn.Number != i+1 || turn.State != reviewing.TurnRecorded || turn.Mixed || turn.Began == 0 {
			t.Errorf("%+v", turn)
		}
	}
	if !slices.Equal(texts, []string{"Add b", "Change a", ""}) {
		t.Errorf("they began with %q", texts)
	}
	lines, err := b.since.Shown(b.ctx, b.task.ID, reviewing.Stretch{Since: "turn-1", Path: "b.txt"})
	if err != nil || !slices.Equal(lines["b.txt"], []string{"new"}) {
		t.Errorf("after the first turn: %q, %v", lines, err)
	}
	if status := b.git(b.task.Worktree, "diff", "--cached", "--name-only"); status != "" {
		t.Errorf("the agent's index has %q", status)
	}
	b.refuses("turn-4", problem.SinceGone)
	b.refuses("turn-x", problem.SinceGone)
	if _, err := b.since.Review(b.ctx, b.task.ID, reviewing.View{Since: "--output=x"}); !errors.Is(err, beckon.ErrInvalid) {
		t.Errorf("what is no part of the work: %v", err)
	}
}

// TestTurnsSurviveGitsCleaning: no commit has what a turn left, and the branch goes on.
func TestTurnsSurviveGitsCleaning(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.turn("First", func() { b.edit("a.txt", "two\n") })
	b.turn("Second", func() { b.edit("a.txt", "three\n") })
	b.end()
	b.git(b.dir, "gc", "--quiet", "--prune=now")
	b.git(b.dir, "fsck", "--strict")
	b.want("turn-1", "M a.txt past")
	w := git.Worktree{Dir: b.task.Worktree, Branch: b.task.Branch, Base: "main", BaseCommit: b.task.BaseCommit}
	repo := b.pool.Open(b.dir, false)
	loss, err := repo.Loss(b.ctx, w)
	if err != nil || loss.Commits != 0 || !slices.Equal(loss.Uncommitted, []string{"a.txt"}) {
		t.Errorf("what would be lost: %+v, %v", loss, err)
	}
	if err := repo.RemoveWorktree(b.ctx, w); err == nil {
		t.Error("a worktree was removed whose work only the trees of turns have")
	}
	b.check(repo.Discard(b.ctx, w, loss.Token))
	if out := b.git(b.dir, "log", "--all", "--oneline"); strings.Count(out, "\n") != 1 {
		t.Errorf("the history has more than the first commit and what was discarded:\n%s", out)
	}

	// The card is deleted: what is kept of its turns goes once it cannot come back.
	b.check(b.store.DeleteTask(b.ctx, b.task.ID))
	b.check(b.since.sweep(b.ctx, time.Now()))
	if refs := b.git(b.dir, "for-each-ref", "refs/beckon/turns/"); refs != "" {
		t.Errorf("kept for nobody: %s", refs)
	}
}

func TestAnAgentThatIsQuickerThanGitIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	// All that was known of the first is what the worktree was made of, which is right.
	b.happens(beckon.Working, beckon.Editing)
	b.edit("a.txt", "two\n")
	b.settle()
	// The second follows at once, and works before the first one's end is read.
	b.run.Turns++
	b.happens(beckon.Working, "")
	b.happens(beckon.Working, beckon.Executing)
	b.settle()
	b.edit("a.txt", "three\n")
	b.run.Turns++
	b.is(beckon.Idle, "")
	b.end()
	b.want("turn-1", "M a.txt past")
	b.want("turn-2", "M a.txt")
	turns := b.ranges().Turns
	if len(turns) != 2 || !turns[0].Mixed || !turns[1].Mixed {
		t.Errorf("which changes are whose is said to be known: %+v", turns)
	}
}

// TestATurnThatIsOverBeforeItIsHeardIsOne: the end of a very short turn may be heard first,
// and what looks like a turn behind it is none.
func TestATurnThatIsOverBeforeItIsHeardIsOne(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	for i, text := range []string{"two\n", "three\n"} {
		b.begin()
		b.edit("a.txt", text)
		b.happens(beckon.Starting, beckon.Writing)
		b.run.Turns++
		b.is(beckon.Starting, "")
		b.is(beckon.Working, "")
		b.end()
		if turns := b.ranges().Turns; len(turns) != i+1 || turns[i].State != reviewing.TurnRecorded || turns[i].Mixed != (i > 0) {
			t.Errorf("after %d: %+v", i+1, turns)
		}
	}
	b.want("turn-1", "M a.txt past")
	b.want("turn-2", "M a.txt")
}

func TestATurnThatBeckonDidNotSeeIsSaidToBeUnrecorded(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.turn("First", func() { b.edit("a.txt", "two\n") })
	// Killed between the row and the look at the folder.
	seen := turn(b.task.ID, b.run.ID, 2)
	b.check(b.store.Turns.Begin(b.ctx, &seen))
	b.end()
	// Killed within the turn after it.
	b.begin()
	b.is(beckon.Working, "")
	b.edit("a.txt", "three\n")
	b.since.Close()
	b.check(b.store.Close())
	b.live.Store(false)
	b.open()
	turns := b.ranges().Turns
	if len(turns) != 3 || turns[1].State != reviewing.TurnUnrecorded || turns[2].State != reviewing.TurnRecorded || !turns[2].Mixed {
		t.Errorf("%+v", turns)
	}
	b.refuses("turn-2", problem.TurnUnrecorded)
	b.want("turn-3", "M a.txt")
}

func TestARunningTurnIsShownUpToNow(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.begin()
	b.is(beckon.Working, "")
	b.edit("a.txt", "two\n")
	b.want("turn-1", "M a.txt")
	b.edit("b.txt", "two\n")
	b.want("turn-1", "M a.txt", "A b.txt")
	if turns := b.ranges().Turns; len(turns) != 1 || turns[0].State != reviewing.TurnRunning {
		t.Errorf("%+v", turns)
	}
	// The message of the next one is taken back before the agent has it.
	b.run.Turns++
	b.is(beckon.Working, "")
	b.is(beckon.Idle, "")
	if turns := b.ranges().Turns; len(turns) != 1 || turns[0].State != reviewing.TurnRecorded {
		t.Errorf("%+v", turns)
	}
}

func TestTheLastReviewIsThatOfAnotherState(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.edit("a.txt", "two\n")
	b.refuses("review", problem.NotReviewed)
	if r := b.ranges(); r.Reviewed != 0 {
		t.Errorf("reviewed at %d", r.Reviewed)
	}
	b.check(b.since.View(b.ctx, b.task.ID, "a.txt", "1-2"))
	b.settle()
	b.refuses("review", problem.NotReviewed) // that is what there is
	b.edit("b.txt", "new\n")
	b.want("review", "A b.txt")
	failed := errors.New("not sent")
	if err := b.since.Reviewing(b.ctx, b.task.ID, func() error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	b.check(b.since.Reviewing(b.ctx, b.task.ID, func() error { b.edit("c.txt", "the agent, at once\n"); return nil }))
	b.want("review", "A c.txt")
	if r := b.ranges(); r.Reviewed == 0 {
		t.Error("nothing is said to be reviewed")
	}
	b.check(b.since.View(b.ctx, b.task.ID, "a.txt", ""))
	b.settle()
	b.want("review", "A c.txt")
}

// TestCommentsDoNotWaitForAFolderThatTakesLong: they go out, and what they are about
// counts as reviewed where no agent changed it before git had read it.
func TestCommentsDoNotWaitForAFolderThatTakesLong(t *testing.T) {
	t.Parallel()
	for name, acts := range map[string]bool{"the agent is quiet": false, "the agent is quicker": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n"})
			b.edit("a.txt", "two\n")
			b.begin()
			for range mostLooks {
				b.since.places <- struct{}{}
			}
			sent := false
			b.check(b.since.Reviewing(b.ctx, b.task.ID, func() error { sent = true; return nil }))
			if !sent {
				t.Error("they were not sent")
			}
			if acts {
				b.happens(beckon.Working, beckon.Editing)
			}
			for range mostLooks {
				<-b.since.places
			}
			b.settle()
			b.edit("b.txt", "new\n")
			if acts {
				b.refuses("review", problem.NotReviewed)
			} else {
				b.want("review", "A b.txt")
			}
		})
	}
}

func TestAFileIsShownFurtherThanAllOfThem(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcde\n", 40_000)
	b := newBench(t, map[string]string{"old.txt": long})
	b.begin()
	b.turn("First", func() { b.git(b.task.Worktree, "mv", "old.txt", "new.txt"); b.edit("new.txt", long+"more\n") })
	b.turn("Second", func() { b.edit("new.txt", strings.ToUpper(long)); b.edit("a.txt", "one \n") })
	b.end()
	whole, err := b.since.Review(b.ctx, b.task.ID, reviewing.View{Since: "turn-2"})
	if err != nil || len(whole.Files) != 2 || !whole.Files[1].Cut {
		t.Fatalf("%d files, %v", len(whole.Files), err)
	}
	f, err := b.since.File(b.ctx, b.task.ID, reviewing.File{View: reviewing.View{Since: "turn-2"}, Path: "new.txt"})
	if err != nil || f.Cut || f.Past || !strings.HasPrefix(f.Patch, whole.Files[1].Patch) || f.Content != whole.Files[1].Content {
		t.Errorf("cut %v, past %v, %d bytes, %v", f.Cut, f.Past, len(f.Patch), err)
	}
	f, err = b.since.File(b.ctx, b.task.ID, reviewing.File{View: reviewing.View{Since: "turn-1"}, Path: "new.txt", OldPath: "old.txt"})
	if err != nil || f.Change != beckon.FileRenamed || !f.Past || f.Added != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	_, err = b.since.File(b.ctx, b.task.ID, reviewing.File{Path: "none.txt"})
	if kind, _ := problem.From(err); kind != problem.SinceGone {
		t.Errorf("one that is not there: %v", err)
	}
	for _, path := range []string{"", "../x", "/x", "a\x00b"} {
		if _, err := b.since.File(b.ctx, b.task.ID, reviewing.File{Path: path}); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestACommitIsShownAloneUntilHistoryIsRewritten(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	commit := func(name, text string) string {
		b.edit(name, text)
		b.git(b.task.Worktree, "add", "-A")
		b.git(b.task.Worktree, "commit", "-q", "-m", "change "+name+"\n\nmore")
		return b.git(b.task.Worktree, "rev-parse", "HEAD")
	}
	first, second := commit("a.txt", "two\n"), commit("b.txt", "two\n")
	b.edit("c.txt", "not committed\n")
	commits := b.ranges().Commits
	if len(commits) != 2 || commits[0].Hash != second || commits[1].Subject != "change a.txt" || commits[1].At == 0 {
		t.Errorf("%+v", commits)
	}
	b.want("commit-"+first, "M a.txt")
	b.want("commit-"+second, "A b.txt")
	b.refuses("commit-"+b.task.BaseCommit, problem.SinceGone) // it is the base's
	b.git(b.task.Worktree, "commit", "-q", "--amend", "-m", "other")
	b.refuses("commit-"+second, problem.SinceGone)
	b.want("commit-"+first, "M a.txt")
}

// TestOddWorktreesAreRecorded: whatever the agent did to git in there.
func TestOddWorktreesAreRecorded(t *testing.T) {
	t.Parallel()
	for name, odd := range map[string]func(b *bench){
		"detached":     func(b *bench) { b.git(b.task.Worktree, "checkout", "-q", "--detach") },
		"other branch": func(b *bench) { b.git(b.task.Worktree, "checkout", "-q", "-b", "elsewhere") },
		"staged":       func(b *bench) { b.edit("s.txt", "s\n"); b.git(b.task.Worktree, "add", "s.txt") },
		"no commit":    func(b *bench) { b.git(b.task.Worktree, "checkout", "-q", "--orphan", "empty") },
		"a repository inside": func(b *bench) {
			b.git(b.task.Worktree, "init", "-q", "inner")
			b.edit("inner/x.txt", "x\n")
		},
		"a gitlink": func(b *bench) {
			b.git(b.task.Worktree, "init", "-q", "inner")
			b.git(filepath.Join(b.task.Worktree, "inner"), "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "in")
			b.git(b.task.Worktree, "-c", "advice.addEmbeddedRepo=false", "add", "inner")
		},
		"an LFS pointer": func(b *bench) {
			b.edit(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
			b.edit("x.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("0", 64)+"\nsize 3\n")
		},
		"no .git": func(b *bench) { b.check(os.Remove(filepath.Join(b.task.Worktree, ".git"))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n"})
			b.begin()
			b.turn("Odd", func() { odd(b); b.edit("a.txt", "two\n") })
			b.turn("Next", func() { b.edit("b.txt", "new\n") })
			b.end()
			turns := b.ranges().Turns
			if name == "no .git" {
				if len(turns) != 2 || turns[1].State != reviewing.TurnUnrecorded {
					t.Errorf("what cannot be read is shown: %+v", turns)
				}
				return
			}
			if len(turns) != 2 || turns[0].State != reviewing.TurnRecorded || turns[1].State != reviewing.TurnRecorded {
				t.Fatalf("%+v", turns)
			}
			if got := b.shows("turn-2"); !slices.Equal(got, []string{"A b.txt"}) && !slices.Equal(got, []string{"A b.txt past"}) {
				t.Errorf("the next turn shows %q", got)
			}
			if first := b.shows("turn-1"); !slices.ContainsFunc(first, func(f string) bool { return strings.HasPrefix(f, "M a.txt") }) {
				t.Errorf("the odd turn shows %q", first)
			}
		})
	}
}

func TestTheLargestChangesComeFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"gone.txt": "a\nb\nc\n", "same.txt": "same\n"})
	b.write(filepath.Join(b.task.Worktree, "new.txt"), "1\n2\n3\n4\n5\n")
	b.write(filepath.Join(b.task.Worktree, "small.txt"), "1\n")
	b.check(os.Remove(filepath.Join(b.task.Worktree, "gone.txt")))
	got, err := b.since.Largest(b.ctx, b.task.ID, 2)
	want := []reviewing.FileSize{{Path: "new.txt", Added: 5}, {Path: "gone.txt", Removed: 3}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the largest are %+v, %v", got, err)
	}
}
