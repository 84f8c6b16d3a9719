package rewind

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/store/checkpoints"
)

// TestASecondWorktreeIsWhatTheFirstWasAtTheQuestion: random work before and after a question. The
// new worktree has the commit, the files, untracked ones, modes and links too, and what is staged,
// byte for byte; the first stays as it is.
func TestASecondWorktreeIsWhatTheFirstWasAtTheQuestion(t *testing.T) {
	t.Parallel()
	compared := 0
	for round := range rounds {
		b := newBench(t)
		b.git(b.task.Worktree, "commit", "-q", "--allow-empty", "-m", "before the question")
		random := rand.New(rand.NewPCG(uint64(round), 44))
		for range 1 + random.IntN(3) {
			b.work(random)
		}
		wanted := b.look()
		q := b.ask("Parser")
		c := b.checkpoint(q.ID)
		if c.None != checkpoints.Taken {
			continue // the machine is slow, and says so
		}
		compared++
		b.work(random)
		first, since := b.task, b.look()
		p, err := b.store.Project(b.ctx, first.ProjectID)
		b.check(err)
		w, err := b.pool.Open(b.dir, false).AddWorktree(b.ctx, filepath.Join(filepath.Dir(b.dir), "kes-2"), "beckon/kes-2", first.Branch)
		b.check(err)
		second := beckon.Task{
			ID: beckon.NewID(), ProjectID: p.ID, Title: "Work", Status: beckon.Backlog, Mode: beckon.ModeAuto, Policy: beckon.Proceed,
			Worktree: w.Dir, Branch: w.Branch, Base: w.Base, BaseCommit: w.BaseCommit,
		}
		b.check(b.store.CreateTask(b.ctx, &second))
		grew := first.BaseCommit
		if b.mayFail("merge-base", grew, c.Head) == nil {
			grew = b.git(b.dir, "merge-base", grew, c.Head)
		}
		if base, err := b.rewinder().Fill(b.ctx, second.ID, c, first.BaseCommit); err != nil || base != grew {
			t.Fatalf("round %d: it grew from %q, want %q, %v", round, base, grew, err)
		}
		if is := b.look(); !is.equal(since) {
			t.Errorf("round %d: the first worktree is %+v, and was %+v", round, is, since)
		}
		b.task = second
		if is := b.look(); !is.equal(wanted) {
			t.Errorf("round %d: the second worktree is %+v, want %+v", round, is, wanted)
		}
	}
	if compared == 0 {
		t.Error("no checkpoint was taken")
	}
}
