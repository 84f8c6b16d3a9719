package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/review/since"
	"beckon/backend/store"
	"beckon/backend/store/checkpoints"
	"beckon/backend/store/reviewed"
	"beckon/backend/transcript"
	"beckon/backend/transcript/timeline"
	"beckon/tests/sample"
	"beckon/tests/timeout"
)

func TestMain(m *testing.M) { sample.AtHome(m) }

// bench is a task in a real repository, whose turns and questions the test writes down.
type bench struct {
	*testing.T
	ctx    context.Context
	store  *store.Store
	replay *Replayer
	task   beckon.Task
	run    beckon.Run
	log    *transcript.Log

	waited  []string // the tasks whose checkpoints were waited for
	several bool
}

func newBench(t *testing.T) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(50*time.Second))
	t.Cleanup(cancel)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx}
	dir, logs := filepath.Join(root, "repo"), filepath.Join(root, "logs")
	sample.Empty(t, dir)
	b.git(dir, "commit", "-q", "--allow-empty", "-m", "first")
	s, err := store.Open(ctx, filepath.Join(root, "data"))
	b.check(err)
	b.store = s
	p := beckon.Project{ID: beckon.NewID(), Name: "kestrel", Key: "KES", Dir: dir, Git: true, Base: "main", Mode: beckon.ModeAuto, Policy: beckon.Proceed, MergeWay: reviewing.MergeCommit}
	b.check(s.AddProject(ctx, &p))
	pool := &git.Pool{}
	w, err := pool.Open(dir, false).AddWorktree(ctx, filepath.Join(root, "kes-1"), "beckon/kes-1", "main")
	b.check(err)
	b.task = beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: "Work", Status: beckon.Review, Mode: beckon.ModeAuto, Policy: beckon.Proceed,
		Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit,
	}
	b.check(s.CreateTask(ctx, &b.task))
	b.run = beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Number: 1, Kind: beckon.TaskRun, Phase: beckon.Ended, Outcome: beckon.Succeeded, Started: 1000, Ended: 9000, Mode: beckon.ModeAuto}
	b.check(s.AddRun(ctx, &b.run))
	b.log, err = transcript.Open(logs, b.run.ID)
	b.check(err)
	seen := since.New(since.Config{
		Kept: s.Turns, Task: s.Task, Project: s.Project, MarkViewed: s.Viewed.Mark,
		Repo:      func(p beckon.Project) *git.Repo { return pool.Open(p.Dir, p.Trusted) },
		Bring:     func(context.Context, string) error { return nil },
		Live:      func(string) (beckon.RunKind, bool) { return beckon.TaskRun, false },
		Landmarks: func(context.Context, string) ([]beckon.Landmark, error) { return nil, nil },
	})
	b.replay = &Replayer{
		Since: seen, Checkpoints: s.Checkpoints, Runs: s.Runs, Logs: logs,
		Taken:   func(_ context.Context, taskID string) { b.waited = append(b.waited, taskID) },
		Several: func(context.Context, string) (bool, error) { return b.several, nil },
	}
	t.Cleanup(func() {
		seen.Close()
		_ = b.log.Close()
		_ = s.Close()
	})
	return b
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

// tree writes a file and returns what the worktree amounts to then.
func (b *bench) tree(name, text string) string {
	b.Helper()
	b.check(os.WriteFile(filepath.Join(b.task.Worktree, name), []byte(text), 0o600))
	b.git(b.task.Worktree, "add", "-A")
	return b.git(b.task.Worktree, "write-tree")
}

// past is a turn from 1000 to 5000 with a question at 3000, and files that changed before, between
// and after.
func (b *bench) past() {
	b.Helper()
	turn := reviewed.Turn{TaskID: b.task.ID, RunID: b.run.ID, Nth: 1, Began: 1000, Before: b.tree("a.txt", "one\n")}
	b.check(b.store.Turns.Begin(b.ctx, &turn))
	q := beckon.Question{ID: "q1", TaskID: b.task.ID, RunID: b.run.ID, Kind: beckon.Ask, Policy: beckon.Wait, Settlement: beckon.Open, Asked: 3000, Items: []beckon.QuestionItem{{Text: "Which?", Options: []beckon.Option{}}}}
	b.check(b.store.AddQuestion(b.ctx, q))
	b.check(b.store.Checkpoints.Add(b.ctx, checkpoints.Checkpoint{
		QuestionID: "q1", TaskID: b.task.ID, RunID: b.run.ID, At: 3000, WorkState: reviewing.WorkState{Head: "h", Tree: b.tree("b.txt", "two\n"), Staged: "s"},
	}))
	turn.After, turn.Ended = b.tree("a.txt", "one\nmore\n"), 5000
	b.check(b.store.Turns.Save(b.ctx, turn))
	b.tree("c.txt", "today\n")
	for _, line := range []string{
		string(transcript.MessageLine("u", "Begin")),
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}`,
	} {
		_, err := b.log.Append(1500, [][]byte{[]byte(line)})
		b.check(err)
	}
}

// TestFilesAreThoseThatWereRecordedLast: at a moment or before it, against what is asked for; and
// before the first one nothing is known.
func TestFilesAreThoseThatWereRecordedLast(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.past()
	status := b.git(b.task.Worktree, "status", "--porcelain")
	for _, c := range []struct {
		at      int64
		against Against
		want    string
		kind    Kind
	}{
		{999, RunStart, "", ""},
		{1000, RunStart, "", TurnBegan},
		{2999, Before, "", TurnBegan},
		{3000, RunStart, "b.txt", Asked},
		{4999, Before, "b.txt", Asked},
		{4999, Today, "a.txt c.txt", Asked},
		{5000, RunStart, "a.txt b.txt", TurnEnded},
		{1 << 50, Before, "a.txt", TurnEnded},
		{1 << 50, Today, "c.txt", TurnEnded},
	} {
		for range 2 { // read, and known
			f, err := b.replay.Files(b.ctx, b.task.ID, Ask{At: c.at, Against: c.against})
			b.check(err)
			var paths []string
			for _, one := range f.Files {
				paths = append(paths, one.Path)
			}
			if got := strings.Join(paths, " "); got != c.want || f.Moment.Kind != c.kind || (f.Shown != nil) != (c.want != "") {
				t.Errorf("at %d against %s: %q as of %s, shown %v; want %q as of %s", c.at, c.against, got, f.Moment.Kind, f.Shown, c.want, c.kind)
			}
		}
	}
	f, err := b.replay.Files(b.ctx, b.task.ID, Ask{At: 5000, Against: RunStart, Path: "b.txt"})
	if b.check(err); f.Shown.Path != "b.txt" || !strings.Contains(f.Shown.Patch, "+two") || f.From.At != 1000 || f.NotStart || f.Nth != 1 {
		t.Errorf("%+v", f.Shown)
	}
	if now := b.git(b.task.Worktree, "status", "--porcelain"); now != status {
		t.Errorf("looking changed the worktree from %q to %q", status, now)
	}
	for _, hostile := range []Ask{{Against: "--output=x"}, {Against: RunStart, Path: "../x"}, {Against: RunStart, Path: "/etc/passwd"}, {Against: RunStart, Path: "a\x00b"}} {
		if _, err := b.replay.Files(b.ctx, b.task.ID, hostile); !errors.Is(err, beckon.ErrInvalid) {
			t.Errorf("%+v: %v", hostile, err)
		}
	}
}

// TestTimelineGrowsWithItsLog: what was read is not read again, and a task without work has none.
func TestTimelineGrowsWithItsLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.past()
	line, err := b.replay.Timeline(b.ctx, b.task.ID)
	b.check(err)
	if len(line.Runs) != 1 || line.Runs[0].To != 9000 || len(line.Runs[0].Turns) != 1 || len(line.Runs[0].Calls) != 1 || line.Runs[0].Calls[0].Failed {
		t.Errorf("%+v", line.Runs)
	}
	if len(line.Moments) != 3 || line.Moments[1].Kind != Asked || line.Moments[1].QuestionID != "q1" || line.Moments[2].Turn != 1 || len(line.Lost) != 0 || len(b.waited) == 0 {
		t.Errorf("%+v", line.Moments)
	}
	_, err = b.log.Append(2000, [][]byte{[]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"no"}]}}`)})
	b.check(err)
	_, err = b.log.Append(8000, [][]byte{[]byte(`{"type":"result","uuid":"r","total_cost_usd":0.2}`)})
	b.check(err)
	line, err = b.replay.Timeline(b.ctx, b.task.ID)
	b.check(err)
	if turn := line.Runs[0].Turns[0]; turn.To != 8000 || turn.CostUSD != 0.2 || len(line.Runs[0].Calls) != 1 || !line.Runs[0].Calls[0].Failed {
		t.Errorf("%+v", line.Runs)
	}
	other := beckon.Task{ProjectID: b.task.ProjectID, Title: "None", Status: beckon.Backlog}
	b.check(b.store.CreateTask(b.ctx, &other))
	if line, err := b.replay.Timeline(b.ctx, other.ID); err != nil || len(line.Runs) != 0 || len(line.Moments) != 0 {
		t.Errorf("%+v, %v", line, err)
	}
	if f, err := b.replay.Files(b.ctx, other.ID, Ask{At: 1, Against: RunStart}); err != nil || f.Moment.At != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestARunIsComparedToItsOwnStart: also where nothing of it is recorded yet, and what was recorded
// late says so.
func TestARunIsComparedToItsOwnStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.past()
	second := b.run
	second.ID, second.Number, second.Started, second.Ended = beckon.NewID(), 2, 20_000, 29_000
	b.check(b.store.AddRun(b.ctx, &second))
	turn := reviewed.Turn{TaskID: b.task.ID, RunID: second.ID, Nth: 1, Began: 21_000, Before: b.tree("d.txt", "by hand\n"), Mixed: true}
	b.check(b.store.Turns.Begin(b.ctx, &turn))
	turn.After, turn.Ended = b.tree("e.txt", "agent\n"), 25_000
	b.check(b.store.Turns.Save(b.ctx, turn))
	for _, c := range []struct {
		at, from        int64
		kind            Kind
		notStart, mixed bool
		files           int
	}{
		{5000, 1000, TurnEnded, false, false, 2},
		{20_500, 5000, TurnEnded, true, false, 0}, // of run 2 nothing is recorded yet
		{21_000, 21_000, TurnBegan, false, true, 0},
		{25_000, 21_000, TurnEnded, false, true, 1},
	} {
		f, err := b.replay.Files(b.ctx, b.task.ID, Ask{At: c.at, Against: RunStart})
		b.check(err)
		if f.From.At != c.from || f.Moment.Kind != c.kind || f.NotStart != c.notStart || f.Moment.Mixed != c.mixed || len(f.Files) != c.files {
			t.Errorf("at %d: %+v from %+v, not the start %v, %d files; want %+v", c.at, f.Moment, f.From, f.NotStart, len(f.Files), c)
		}
	}
}

// TestWhatIsNotHereIsSaid: further repositories, work elsewhere, and work that is no more.
func TestWhatIsNotHereIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.past()
	lacks := func() string {
		f, err := b.replay.Files(b.ctx, b.task.ID, Ask{At: 5000, Against: Today})
		b.check(err)
		return fmt.Sprint(f.Lacks)
	}
	if got := lacks(); got != "[]" {
		t.Error(got)
	}
	b.several = true
	task := b.replay.Since.Task
	b.replay.Since.Task = func(ctx context.Context, id string) (beckon.Task, error) {
		one, err := task(ctx, id)
		one.Branch, one.Executor = "", "another"
		return one, err
	}
	if got := lacks(); got != "[several elsewhere noWork]" {
		t.Error(got)
	}
}

// TestATimelineHasWhatCanBeRead: commits of the branch without a look at its folder, and the rest
// where one part cannot be read.
func TestATimelineHasWhatCanBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.past()
	b.git(b.task.Worktree, "commit", "-q", "-m", "work")
	b.check(os.Rename(b.task.Worktree, b.task.Worktree+"-away"))
	line, err := b.replay.Timeline(b.ctx, b.task.ID)
	b.check(err)
	if len(line.Commits) != 1 || len(line.Lost) != 0 {
		t.Errorf("%+v, lost %v", line.Commits, line.Lost)
	}
	b.replay.Since.Project = func(context.Context, string) (beckon.Project, error) { return beckon.Project{}, os.ErrPermission }
	line, err = b.replay.Timeline(b.ctx, b.task.ID)
	b.check(err)
	if fmt.Sprint(line.Lost) != "[commits]" || len(line.Moments) != 3 || len(line.Runs[0].Calls) != 1 {
		t.Errorf("lost %v: %+v", line.Lost, line)
	}
}

// TestCallsOfATaskAreBounded: those that failed are the last ones to go.
func TestCallsOfATaskAreBounded(t *testing.T) {
	t.Parallel()
	runs := make([]Run, 20)
	for i := range runs {
		for n := range 1500 {
			runs[i].Calls = append(runs[i].Calls, timeline.Call{Failed: n == 7})
		}
	}
	thin(runs, mostCalls)
	kept, failed := 0, 0
	for _, run := range runs {
		for _, c := range run.Calls {
			if kept++; c.Failed {
				failed++
			}
		}
		if run.More != 1500-len(run.Calls) {
			t.Errorf("%d more beside %d", run.More, len(run.Calls))
		}
	}
	if kept > mostCalls || failed == 0 {
		t.Errorf("%d calls, %d failed", kept, failed)
	}
}

// TestNamesThatAreNotTextAreAlike: two of them look the same on a page. And of many tasks the one that
// is looked at stays known.
func TestNamesThatAreNotTextAreAlike(t *testing.T) {
	t.Parallel()
	if !alike("a\xffb", "a\uFFFDb") || alike("a", "b") || alike("a", "") {
		t.Error("names that look alike are not chosen by their place")
	}
	var l logs
	first := l.of("first")
	for i := range mostTasks {
		l.of(fmt.Sprint(i))
		if l.of("first") != first {
			t.Fatal("the task that is looked at was let go")
		}
	}
	if len(l.known) != mostTasks {
		t.Errorf("%d tasks are kept", len(l.known))
	}
}
