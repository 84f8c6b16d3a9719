package rewind

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
	"beckon/backend/question"
	"beckon/backend/review/since"
	"beckon/backend/store"
	"beckon/backend/store/checkpoints"
	"beckon/tests/sample"
	"beckon/tests/timeout"
)

func TestMain(m *testing.M) { sample.AtHome(m) }

// bench is a task with a worktree and a run, whose agent the test plays.
type bench struct {
	*testing.T
	ctx   context.Context
	store *store.Store
	pool  git.Pool
	since *since.Since
	desk  *question.Desk
	taker *Taker
	dir   string // the repository's
	task  beckon.Task
	run   beckon.Run
	text  string // of the next question; empty: any
}

func newBench(t *testing.T) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout.For(50*time.Second))
	t.Cleanup(cancel)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, ctx: ctx, dir: filepath.Join(root, "repo")}
	sample.Empty(t, b.dir)
	b.check(os.WriteFile(filepath.Join(b.dir, "a.txt"), []byte("one\n"), 0o644))
	b.check(os.WriteFile(filepath.Join(b.dir, ".gitignore"), []byte("*.log\n"), 0o644))
	b.git(b.dir, "add", "-A")
	b.git(b.dir, "commit", "-q", "-m", "first")
	b.store, err = store.Open(ctx, filepath.Join(root, "data"))
	b.check(err)
	p := beckon.Project{ID: beckon.NewID(), Name: "kestrel", Key: "KES", Dir: b.dir, Git: true, Base: "main", Mode: beckon.ModeAuto, Policy: beckon.Proceed, MergeWay: reviewing.MergeCommit}
	b.check(b.store.AddProject(ctx, &p))
	w, err := b.pool.Open(b.dir, false).AddWorktree(ctx, filepath.Join(root, "kes-1"), "beckon/kes-1", "main")
	b.check(err)
	b.task = beckon.Task{
		ID: beckon.NewID(), ProjectID: p.ID, Title: "Work", Status: beckon.Backlog, Mode: beckon.ModeAuto, Policy: beckon.Proceed,
		Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit, Agent: beckon.ClaudeCode, Session: "session-1",
	}
	b.check(b.store.CreateTask(ctx, &b.task))
	b.run = beckon.Run{ID: beckon.NewID(), TaskID: b.task.ID, Kind: beckon.TaskRun, Phase: beckon.Working, Started: beckon.Now(), Session: "session-1", Turns: 2, Context: beckon.Gauge{Tokens: 4200}}
	b.task, err = b.store.StartRun(ctx, &b.run, func(t *beckon.Task) error { return t.Move(beckon.Running) })
	b.check(err)
	b.since = since.New(since.Config{
		Kept: b.store.Turns, Task: b.store.Task, Project: b.store.Project,
		Repo: func(p beckon.Project) *git.Repo { return b.pool.Open(p.Dir, p.Trusted) },
	})
	b.taker = NewTaker(Taking{
		Rows: b.store.Checkpoints, Run: b.store.Run, Capture: b.since.Capture, KeepTrees: b.since.KeepTrees,
		Several: func(context.Context, string) (bool, error) { return false, nil },
	})
	b.desk = question.New(b.store, func(beckon.Event) {})
	b.desk.Record(b.taker.Asked)
	t.Cleanup(func() {
		b.taker.Close()
		b.since.Close()
		_ = b.store.Close()
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

// in is the path of a file of the worktree.
func (b *bench) in(name string) string { return filepath.Join(b.task.Worktree, name) }

// edit writes a file of the worktree.
func (b *bench) edit(name, text string) {
	b.Helper()
	b.check(os.MkdirAll(filepath.Dir(b.in(name)), 0o755))
	b.check(os.WriteFile(b.in(name), []byte(text), 0o644))
}

// ask asks in the name of the run, answers with a label, and returns the question once the
// agent has the answer.
func (b *bench) ask(label string) beckon.Question {
	b.Helper()
	q := beckon.Question{
		ID: beckon.NewID(), TaskID: b.task.ID, RunID: b.run.ID, Kind: beckon.Ask,
		Items: []beckon.QuestionItem{{Text: cmp.Or(b.text, "Parser or planner?"), Options: []beckon.Option{{Label: "Parser"}, {Label: "Planner"}}}},
	}
	done := make(chan beckon.Question, 1)
	go func() {
		q, err := b.desk.Ask(b.ctx, q)
		if err != nil {
			b.Error(err)
		}
		done <- q
	}()
	answer := beckon.Answer{Items: []beckon.ItemAnswer{{Labels: []string{label}}}}
	for b.desk.Answer(b.ctx, q.ID, answer) != nil {
		select {
		case <-b.ctx.Done():
			b.Fatal("the question was not asked in time")
		case <-time.After(time.Millisecond):
		}
	}
	select {
	case q = <-done:
	case <-b.ctx.Done():
		b.Fatal("the agent did not hear the answer in time")
	}
	return q
}

// checkpoint returns that of a question, once it is kept.
func (b *bench) checkpoint(questionID string) checkpoints.Checkpoint {
	b.Helper()
	for {
		c, ok, err := b.store.Checkpoints.Of(b.ctx, questionID)
		b.check(err)
		if ok {
			return c
		}
		select {
		case <-b.ctx.Done():
			b.Fatal("no checkpoint was kept in time")
		case <-time.After(time.Millisecond):
		}
	}
}

// mayFail runs git in the worktree.
func (b *bench) mayFail(args ...string) error {
	cmd := exec.CommandContext(b.ctx, "git", args...)
	cmd.Dir = b.task.Worktree
	return cmd.Run()
}
