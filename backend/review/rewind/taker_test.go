package rewind

import (
	"context"
	"os"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/checkpoints"
)

// TestAQuestionKeepsWhatTheWorktreeWasWhenItWasAsked: staged, changed, untracked and deleted
// files, none that git ignores, and git's clean-up takes nothing of it.
func TestAQuestionKeepsWhatTheWorktreeWasWhenItWasAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.edit("a.txt", "staged\n")
	b.git(b.task.Worktree, "add", "a.txt")
	b.edit("a.txt", "changed\n")
	b.edit("new/b.txt", "untracked\n")
	b.edit("noise.log", "ignored\n")
	head := b.git(b.task.Worktree, "rev-parse", "HEAD")
	q := b.ask("Parser")
	b.taker.TakenOf(b.ctx, b.task.ID)
	if all, err := b.store.Checkpoints.OfTask(b.ctx, b.task.ID); err != nil || len(all) != 1 {
		t.Errorf("%d checkpoints are kept after the wait: %v", len(all), err)
	}
	b.edit("a.txt", "after the answer\n")
	b.check(os.RemoveAll(b.in("new")))

	c := b.checkpoint(q.ID)
	if c.None != checkpoints.Taken || c.Head != head || c.RunID != b.run.ID || c.Session != "session-1" || c.Turn != 3 || c.Context != 4200 || c.At != q.Asked {
		t.Errorf("the checkpoint is %+v", c)
	}
	b.git(b.dir, "gc", "--quiet", "--prune=now")
	for _, want := range []struct{ object, text string }{
		{c.Tree + ":a.txt", "changed"}, {c.Tree + ":new/b.txt", "untracked"}, {c.Staged + ":a.txt", "staged"},
	} {
		if is := b.git(b.dir, "show", want.object); is != want.text {
			t.Errorf("%s is %q", want.object, is)
		}
	}
	if files := b.git(b.dir, "ls-tree", "-r", "--name-only", c.Tree); files != ".gitignore\na.txt\nnew/b.txt" {
		t.Errorf("it has %q", files)
	}
	if refs := b.git(b.dir, "for-each-ref", "--format=%(refname)", "refs/beckon"); refs != "refs/beckon/turns/"+b.task.ID {
		t.Errorf("refs %q", refs)
	}
}

// TestAnAnswerDoesNotWaitForASlowWorktree: it is heard after a moment, and then the checkpoint
// is none, rather than what the agent did next.
func TestAnAnswerDoesNotWaitForASlowWorktree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	capture, slow := b.taker.Capture, make(chan struct{})
	b.taker.Capture = func(ctx context.Context, id string) (reviewing.WorkState, error) {
		<-slow
		return capture(ctx, id)
	}
	began := time.Now()
	q := b.ask("Parser")
	if took := time.Since(began); took < answerWait || took > 20*time.Second {
		t.Errorf("the answer took %s", took)
	}
	close(slow)
	if c := b.checkpoint(q.ID); c.None != checkpoints.Late || c.Tree != "" {
		t.Errorf("the checkpoint is %+v", c)
	}
}

// TestWhyThereIsNoCheckpointIsKept: the reader learns that there is none, and why.
func TestWhyThereIsNoCheckpointIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run, several := b.taker.Run, b.taker.Several
	b.taker.Run = func(ctx context.Context, id string) (beckon.Run, error) {
		r, err := run(ctx, id)
		r.Executor = "box"
		return r, err
	}
	if c := b.checkpoint(b.ask("Parser").ID); c.None != checkpoints.Elsewhere {
		t.Errorf("on another computer: %+v", c)
	}
	b.taker.Run = run
	b.taker.Several = func(context.Context, string) (bool, error) { return true, nil }
	if c := b.checkpoint(b.ask("Parser").ID); c.None != checkpoints.Several {
		t.Errorf("in several repositories: %+v", c)
	}
	b.taker.Several = several
	b.git(b.task.Worktree, "checkout", "-q", "-b", "elsewhere")
	if c := b.checkpoint(b.ask("Parser").ID); c.None != checkpoints.Unready || c.Head != "" {
		t.Errorf("on another branch: %+v", c)
	}
	b.git(b.task.Worktree, "checkout", "-q", "beckon/kes-1")
	b.edit("a.txt", "theirs\n")
	b.git(b.task.Worktree, "commit", "-q", "-am", "theirs")
	b.git(b.task.Worktree, "branch", "theirs")
	b.git(b.task.Worktree, "reset", "-q", "--hard", "HEAD~1")
	b.edit("a.txt", "ours\n")
	b.git(b.task.Worktree, "commit", "-q", "-am", "ours")
	if b.mayFail("merge", "-q", "theirs") == nil {
		t.Fatal("the merge has no conflict")
	}
	if c := b.checkpoint(b.ask("Parser").ID); c.None != checkpoints.Unready {
		t.Errorf("in the middle of a merge: %+v", c)
	}
	b.taker.Run = func(ctx context.Context, id string) (beckon.Run, error) {
		r, err := run(ctx, id)
		r.Kind = beckon.ChatRun
		return r, err
	}
	chat := b.ask("Parser")
	b.taker.Close()
	if _, ok, err := b.store.Checkpoints.Of(b.ctx, chat.ID); ok || err != nil {
		t.Errorf("a chat's question has a checkpoint, %v", err)
	}
}

// TestWhatAnAgentDecidedByItselfHasACheckpoint: of when it said so.
func TestWhatAnAgentDecidedByItselfHasACheckpoint(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.edit("b.txt", "64 rows\n")
	q, err := b.desk.Assume(b.ctx, beckon.Question{
		TaskID: b.task.ID, RunID: b.run.ID, Kind: beckon.Ask, Items: []beckon.QuestionItem{{Text: "How many rows?"}}, Assumption: "64",
	})
	b.check(err)
	if c := b.checkpoint(q.ID); c.None != checkpoints.Taken || b.git(b.dir, "show", c.Tree+":b.txt") != "64 rows" {
		t.Errorf("the checkpoint is %+v", c)
	}
}
