package replay

import (
	"context"
	"errors"
	"os"
	"os/exec"
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
	b.replay = &Replayer{Since: seen, Checkpoints: s.Checkpoints, Runs: s.Runs, Logs: logs}
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
	cmd := exec.CommandContext(b.ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
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
	if b.check(err); f.Shown.Path != "b.txt" || !strings.Contains(f.Shown.Patch, "+two") || f.From != 1000 {
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
	if len(line.Moments) != 3 || line.Moments[1].Kind != Asked || line.Moments[1].QuestionID != "q1" || line.Moments[2].Turn != 1 {
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
