package board_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beckon/backend/agent/claude/cli"
	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/runnertest"
)

// reviewed returns a task in Review, with a commit, and a file in its worktree
// that no commit holds and that git goes through the gate with.
func (d driver) reviewed() beckon.Task {
	d.T.Helper()
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(task.Worktree, "later.slow"), []byte("mine\n"), 0o600); err != nil {
		d.T.Fatal(err)
	}
	return task
}

// loss returns the token without which nothing is discarded.
func (d driver) token(id string) string {
	d.T.Helper()
	loss, err := d.Board.Loss(d.T.Context(), id)
	if err != nil {
		d.T.Fatal(err)
	}
	return loss.Token
}

// whatExcludes lists what a person can do to a card that must not meet.
func (d driver) whatExcludes(id, token string) map[string]func() error {
	move := func(to beckon.Status) func() error {
		return func() error { _, err := d.Board.MoveTask(d.T.Context(), id, to, 0); return err }
	}
	return map[string]func() error{
		"start":     move(beckon.Running),
		"queue":     move(beckon.Queued),
		"put aside": move(beckon.Backlog),
		"archive":   move(beckon.Archived),
		"chat":      func() error { _, err := d.Runner.StartInteractive(d.T.Context(), id); return err },
		"send back": func() error {
			_, err := d.Runner.SendBack(d.T.Context(), id, beckon.NewMessage{Text: "once more"})
			return err
		},
		"merge":              func() error { _, err := d.Board.Merge(d.T.Context(), id, reviewing.MergeOrder{}); return err },
		"discard":            func() error { _, err := d.Board.Discard(d.T.Context(), id, token); return err },
		"start over":         func() error { _, err := d.Board.StartOver(d.T.Context(), id, token); return err },
		"delete":             func() error { return d.Board.DeleteTask(d.T.Context(), id, token) },
		"remove its project": func() error { return d.Board.RemoveProject(d.T.Context(), d.Project.ID) },
	}
}

// TestNothingMeetsGitAtWorkOnACard: what was checked before git began holds
// until the card is written.
func TestNothingMeetsGitAtWorkOnACard(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(*testing.T, driver, beckon.Task){
		"merge": func(t *testing.T, d driver, task beckon.Task) {
			if now := d.Now(task.ID); now.Status != beckon.Done {
				t.Errorf("the merged card is in %s", now.Status)
			}
			if _, err := os.Stat(filepath.Join(d.Project.Dir, "new.txt")); err != nil {
				t.Errorf("the merge did not arrive: %v", err)
			}
		},
		"discard": func(t *testing.T, d driver, task beckon.Task) {
			if now := d.Now(task.ID); now.Status != beckon.Archived || now.Branch != "" {
				t.Errorf("the discarded card is in %s with branch %q", now.Status, now.Branch)
			}
		},
		"delete": func(t *testing.T, d driver, task beckon.Task) {
			if _, err := d.Store.Task(t.Context(), task.ID); !errors.Is(err, beckon.ErrNotFound) {
				t.Errorf("the deleted card: %v", err)
			}
		},
		"archive": func(t *testing.T, d driver, task beckon.Task) {
			if now := d.Now(task.ID); now.Status != beckon.Archived {
				t.Errorf("the archived card is in %s", now.Status)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, "write new.txt hello\n")
			g := d.NewGate()
			task := d.reviewed()
			if name == "archive" { // git reads again what is committed and was touched since
				gitIn(t, task.Worktree, "add", "later.slow")
				gitIn(t, task.Worktree, "commit", "-qm", "later")
				if err := os.Chtimes(filepath.Join(task.Worktree, "later.slow"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			actions := d.whatExcludes(task.ID, d.token(task.ID))
			g.Shut()
			ended := make(chan error, 1)
			go func() { ended <- actions[name]() }()
			g.Reached()
			for other, act := range actions {
				if err := act(); !errors.Is(err, beckon.ErrConflict) {
					t.Errorf("%s while git is at work for %s: %v; want a conflict", other, name, err)
				}
			}
			g.Open()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			case <-time.After(runnertest.Patience):
				t.Fatalf("%s did not end", name)
			}
			after(t, d, task)
			if runs, err := d.Store.LiveRuns(t.Context()); err != nil || len(runs) != 0 {
				t.Errorf("runs that live: %+v, %v", runs, err)
			}
		})
	}
}

// gitIn runs git in a folder, as nobody in particular.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	args = append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)
	if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func TestNothingIsDoneToTheWorkOfALiveAgent(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	task := d.Run(beckon.NewTask{Title: "Works"})
	q := d.Question("Go on?")
	actions := d.whatExcludes(task.ID, "any")
	for _, name := range []string{"merge", "discard", "delete", "chat", "send back", "remove its project"} {
		if err := actions[name](); !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "agent") {
			t.Errorf("%s under a live agent: %v; want a conflict that names it", name, err)
		}
	}
	d.Choose(q, "Yes")
	d.Ended(task.ID)
}

// TestOfManyAtOnceOneWins: whatever comes first, the card is in one piece.
func TestOfManyAtOnceOneWins(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	for range 4 {
		task := d.reviewed()
		var wg sync.WaitGroup
		token := d.token(task.ID)
		for _, name := range []string{"start", "merge", "discard", "archive"} {
			act := d.whatExcludes(task.ID, token)[name]
			wg.Go(func() {
				if err := act(); err != nil && !errors.Is(err, beckon.ErrConflict) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		wg.Wait()
		d.Until("its agent is gone", func() bool { return d.Tasks[task.ID].Status != beckon.Running })
		now := d.Now(task.ID)
		merged := strings.Contains(d.Git("log", "--format=%s"), "Merge "+task.Key)
		if merged != (now.Status == beckon.Done) && now.Status != beckon.Archived {
			t.Errorf("merged %t, yet the card is in %s", merged, now.Status)
		}
		if now.Trouble != nil {
			t.Errorf("the card says %q", now.Trouble)
		}
	}
}

// TestAStartWhileTheLastRunIsSummedUpIsNotSwallowed: the page offers to resume
// as soon as the run is over, though its work is still being committed.
func TestAStartWhileTheLastRunIsSummedUpIsNotSwallowed(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.slow hello\n")
	g := d.NewGate()
	g.Shut()
	task := d.Run(beckon.NewTask{Title: "Large"})
	g.Reached() // git commits what the agent wrote
	moved := make(chan error, 1)
	go func() { _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0); moved <- err }()
	select {
	case err := <-moved:
		if err == nil {
			t.Error("the start was accepted while the run before was being summed up")
		}
	case <-time.After(300 * time.Millisecond): // it waits, as it should
	}
	g.Open()
	d.Until("a second run", func() bool { return d.Runs[task.ID].Number == 2 })
	d.Ended(task.ID)
	if err := <-moved; err != nil {
		t.Errorf("start: %v", err)
	}
}

func TestMergingAQueuedCardMergesNothing(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	agent := runnertest.Agents(t, "write new.txt hello\n")
	d := startWith(t, func() (cli.Options, error) {
		if gone.Load() { // so that the card stays in the queue
			return cli.Options{}, cli.ErrNotFound
		}
		return agent()
	})
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	gone.Store(true)
	if _, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Queued, 0); err != nil {
		t.Fatal(err)
	}
	before := d.Git("rev-parse", "HEAD")
	_, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "queue") {
		t.Errorf("merge of a queued card: %v; want a conflict that says what to do", err)
	}
	if after := d.Git("rev-parse", "HEAD"); after != before {
		t.Errorf("the base moved to %s all the same", after)
	}
	if review, err := d.Board.Review(t.Context(), task.ID, reviewing.View{}); err != nil || !strings.Contains(review.Refusal.String(), "queue") {
		t.Errorf("the review offers the merge: refusal %q, %v", review.Refusal, err)
	}
}

func TestMergeOfACardWhoseWorktreeIsGone(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	for _, to := range []beckon.Status{beckon.Archived, beckon.Review} {
		if _, err := d.Board.MoveTask(t.Context(), task.ID, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(task.Worktree); err == nil {
		t.Fatal("archiving left the worktree")
	}
	if merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || merged.Status != beckon.Done {
		t.Fatalf("merge: %v, card in %s", err, merged.Status)
	}
	if _, err := os.Stat(filepath.Join(d.Project.Dir, "new.txt")); err != nil {
		t.Errorf("the project's folder lacks the work: %v", err)
	}
}

func TestACardStartedAtARankIsToldOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	task := d.Card("Here")
	moved, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 7.5)
	if err != nil || moved.Rank != 7.5 || moved.Status != beckon.Running {
		t.Fatalf("started as %+v, %v", moved, err)
	}
	d.Question("Go on?")
	d.Lock()
	defer d.Unlock()
	for _, one := range d.Told {
		if one.ID == task.ID && one.Status == beckon.Running && one.Rank != 7.5 {
			t.Errorf("it was shown running at rank %v", one.Rank)
		}
	}
}
