package main

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

	"beckon/backend/beckon"
	"beckon/backend/claude/cli"
)

// gate stops git in the middle of its work: a filter of the trusted repository
// waits in it while it is shut.
type gate struct {
	t             *testing.T
	started, shut string
}

// newGate gives the project's *.slow files to the filter. It stands open.
func (d *desktopOf) newGate() *gate {
	d.t.Helper()
	dir := d.t.TempDir()
	g := &gate{t: d.t, started: filepath.Join(dir, "started"), shut: filepath.Join(dir, "shut")}
	script := filepath.Join(dir, "filter.sh")
	text := "#!/bin/sh\nif [ -e " + g.shut + " ]; then : > " + g.started + "; fi\nwhile [ -e " + g.shut + " ]; do sleep 0.05; done\nexec cat\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		d.t.Fatal(err)
	}
	d.git("config", "filter.slow.clean", script)
	if err := os.WriteFile(filepath.Join(d.project.Dir, ".git", "info", "attributes"), []byte("*.slow filter=slow\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(g.open) // else a failed test would wait for git for ever
	return g
}

func (g *gate) close() {
	g.t.Helper()
	if err := os.WriteFile(g.shut, nil, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gate) open() { _ = os.Remove(g.shut) }

// reached waits until git stands before the gate.
func (g *gate) reached() {
	g.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(g.started); err == nil {
			return
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("git did not get to the gate in %s", patience)
		}
	}
}

// git runs git in the project's folder.
func (d *desktopOf) git(args ...string) string {
	d.t.Helper()
	out, err := exec.CommandContext(d.t.Context(), "git", append([]string{"-C", d.project.Dir}, args...)...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// reviewed returns a task in Review, with a commit, and a file in its worktree
// that no commit holds and that git goes through the gate with.
func (d *desktopOf) reviewed() beckon.Task {
	d.t.Helper()
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(task.Worktree, "later.slow"), []byte("mine\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return task
}

// loss returns the token without which nothing is discarded.
func (d *desktopOf) token(id string) string {
	d.t.Helper()
	loss, err := d.Loss(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return loss.Token
}

// whatExcludes lists what a person can do to a card that must not meet.
func (d *desktopOf) whatExcludes(id, token string) map[string]func() error {
	move := func(to beckon.Status) func() error {
		return func() error { _, err := d.MoveTask(id, to, 0); return err }
	}
	return map[string]func() error{
		"start":              move(beckon.Running),
		"queue":              move(beckon.Queued),
		"put aside":          move(beckon.Backlog),
		"archive":            move(beckon.Archived),
		"chat":               func() error { _, err := d.StartInteractive(id); return err },
		"send back":          func() error { _, err := d.SendBack(id, "once more"); return err },
		"merge":              func() error { _, err := d.Merge(id); return err },
		"discard":            func() error { _, err := d.DiscardTask(id, token); return err },
		"delete":             func() error { return d.DeleteTask(id, token) },
		"remove its project": func() error { return d.RemoveProject(d.project.ID) },
	}
}

// TestNothingMeetsGitAtWorkOnACard: what was checked before git began holds
// until the card is written.
func TestNothingMeetsGitAtWorkOnACard(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(*testing.T, *desktopOf, beckon.Task){
		"merge": func(t *testing.T, d *desktopOf, task beckon.Task) {
			if now := d.now(task.ID); now.Status != beckon.Done {
				t.Errorf("the merged card is in %s", now.Status)
			}
			if _, err := os.Stat(filepath.Join(d.project.Dir, "new.txt")); err != nil {
				t.Errorf("the merge did not arrive: %v", err)
			}
		},
		"discard": func(t *testing.T, d *desktopOf, task beckon.Task) {
			if now := d.now(task.ID); now.Status != beckon.Archived || now.Branch != "" {
				t.Errorf("the discarded card is in %s with branch %q", now.Status, now.Branch)
			}
		},
		"delete": func(t *testing.T, d *desktopOf, task beckon.Task) {
			if _, err := d.p.store.Task(t.Context(), task.ID); !errors.Is(err, beckon.ErrNotFound) {
				t.Errorf("the deleted card: %v", err)
			}
		},
		"archive": func(t *testing.T, d *desktopOf, task beckon.Task) {
			if now := d.now(task.ID); now.Status != beckon.Archived {
				t.Errorf("the archived card is in %s", now.Status)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, "write new.txt hello\n")
			g := d.newGate()
			task := d.reviewed()
			if name == "archive" { // git reads again what is committed and was touched since
				gitIn(t, task.Worktree, "add", "later.slow")
				gitIn(t, task.Worktree, "commit", "-qm", "later")
				if err := os.Chtimes(filepath.Join(task.Worktree, "later.slow"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			actions := d.whatExcludes(task.ID, d.token(task.ID))
			g.close()
			ended := make(chan error, 1)
			go func() { ended <- actions[name]() }()
			g.reached()
			for other, act := range actions {
				if err := act(); !errors.Is(err, beckon.ErrConflict) {
					t.Errorf("%s while git is at work for %s: %v; want a conflict", other, name, err)
				}
			}
			g.open()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			case <-time.After(patience):
				t.Fatalf("%s did not end", name)
			}
			after(t, d, task)
			if runs, err := d.p.store.LiveRuns(t.Context()); err != nil || len(runs) != 0 {
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
	task := d.run(beckon.NewTask{Title: "Works"})
	q := d.open("Go on?")
	actions := d.whatExcludes(task.ID, "any")
	for _, name := range []string{"merge", "discard", "delete", "chat", "send back", "remove its project"} {
		if err := actions[name](); !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "agent") {
			t.Errorf("%s under a live agent: %v; want a conflict that names it", name, err)
		}
	}
	d.choose(q, "Yes")
	d.ended(task.ID)
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
		d.until("its agent is gone", func() bool { return d.tasks[task.ID].Status != beckon.Running })
		now := d.now(task.ID)
		merged := strings.Contains(d.git("log", "--format=%s"), "Merge "+task.Key)
		if merged != (now.Status == beckon.Done) && now.Status != beckon.Archived {
			t.Errorf("merged %t, yet the card is in %s", merged, now.Status)
		}
		if now.Trouble != "" {
			t.Errorf("the card says %q", now.Trouble)
		}
	}
}

func TestAChatOnTheFirstQueuedCardLeavesTheQueueGoing(t *testing.T) {
	t.Parallel()
	d := start(t, "text done\n")
	first, second := d.card("Talked about"), d.card("Waits behind")
	if _, err := d.StartInteractive(first.ID); err != nil {
		t.Fatal(err)
	}
	for _, task := range []beckon.Task{first, second} {
		if _, err := d.MoveTask(task.ID, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	d.ended(second.ID)
	if s := d.now(first.ID).Status; s != beckon.Queued {
		t.Errorf("the card that is talked about is in %s", s)
	}
	if err := d.Stop(first.ID); err != nil {
		t.Fatal(err)
	}
	d.ended(first.ID)
}

// inTheWindow starts Beckon so that during runs between the queue's choice of
// a task and its start.
func inTheWindow(t *testing.T, during func(d *desktopOf)) *desktopOf {
	t.Helper()
	agent := agents(t, "ask Go on? | Yes | No\n")
	var d *desktopOf
	var armed atomic.Bool
	d = startWith(t, func() (cli.Options, error) {
		if armed.CompareAndSwap(true, false) {
			during(d)
		}
		return agent()
	})
	armed.Store(true)
	return d
}

func TestTheQueueLeavesACardThatTheUserHasJustStarted(t *testing.T) {
	t.Parallel()
	var task beckon.Task
	d := inTheWindow(t, func(d *desktopOf) {
		if _, err := d.MoveTask(task.ID, beckon.Running, 0); err != nil {
			t.Errorf("start: %v", err)
		}
	})
	task = d.card("Mine")
	other := d.card("Next")
	for _, id := range []string{task.ID, other.ID} {
		if _, err := d.MoveTask(id, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{task.ID, other.ID} {
		d.until("it asks", func() bool { return d.runs[id].Phase == beckon.Asking })
		if now := d.now(id); now.Status != beckon.Running || now.Trouble != "" {
			t.Errorf("the started card is in %s and says %q", now.Status, now.Trouble)
		}
	}
}

func TestACardTakenOutOfTheQueueInTimeDoesNotStart(t *testing.T) {
	t.Parallel()
	var task beckon.Task
	d := inTheWindow(t, func(d *desktopOf) {
		if _, err := d.MoveTask(task.ID, beckon.Backlog, 0); err != nil {
			t.Errorf("take it out: %v", err)
		}
	})
	task = d.card("Not now")
	other := d.card("Next")
	for _, id := range []string{task.ID, other.ID} {
		if _, err := d.MoveTask(id, beckon.Queued, 0); err != nil {
			t.Fatal(err)
		}
	}
	d.until("the next asks", func() bool { return d.runs[other.ID].Phase == beckon.Asking })
	if now := d.now(task.ID); now.Status != beckon.Backlog || now.Trouble != "" {
		t.Errorf("the card is in %s and says %q", now.Status, now.Trouble)
	}
	if runs, err := d.Runs(task.ID); err != nil || len(runs) != 0 {
		t.Errorf("runs %+v, %v; want none", runs, err)
	}
}

func TestTheQueueGoesOnWhenClaudeIsBack(t *testing.T) {
	t.Parallel()
	var back atomic.Bool
	agent := agents(t, "text done\n")
	d := startWith(t, func() (cli.Options, error) {
		if !back.Load() {
			return cli.Options{}, cli.ErrNotFound
		}
		return agent()
	})
	task, err := d.CreateTask(beckon.NewTask{ProjectID: d.project.ID, Title: "Waits for claude", Status: beckon.Queued})
	if err != nil {
		t.Fatal(err)
	}
	d.until("the card says why it waits", func() bool { return strings.Contains(d.tasks[task.ID].Trouble, "claude") })
	back.Store(true)
	if now, _ := d.ended(task.ID); now.Trouble != "" {
		t.Errorf("it ran, and still says %q", now.Trouble)
	}
}

// TestAStartWhileTheLastRunIsSummedUpIsNotSwallowed: the page offers to resume
// as soon as the run is over, though its work is still being committed.
func TestAStartWhileTheLastRunIsSummedUpIsNotSwallowed(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.slow hello\n")
	g := d.newGate()
	g.close()
	task := d.run(beckon.NewTask{Title: "Large"})
	g.reached() // git commits what the agent wrote
	moved := make(chan error, 1)
	go func() { _, err := d.MoveTask(task.ID, beckon.Running, 0); moved <- err }()
	select {
	case err := <-moved:
		if err == nil {
			t.Error("the start was accepted while the run before was being summed up")
		}
	case <-time.After(300 * time.Millisecond): // it waits, as it should
	}
	g.open()
	d.until("a second run", func() bool { return d.runs[task.ID].Number == 2 })
	d.ended(task.ID)
	if err := <-moved; err != nil {
		t.Errorf("start: %v", err)
	}
}

func TestMergingAQueuedCardMergesNothing(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	agent := agents(t, "write new.txt hello\n")
	d := startWith(t, func() (cli.Options, error) {
		if gone.Load() { // so that the card stays in the queue
			return cli.Options{}, cli.ErrNotFound
		}
		return agent()
	})
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	gone.Store(true)
	if _, err := d.MoveTask(task.ID, beckon.Queued, 0); err != nil {
		t.Fatal(err)
	}
	before := d.git("rev-parse", "HEAD")
	_, err := d.Merge(task.ID)
	if !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), "queue") {
		t.Errorf("merge of a queued card: %v; want a conflict that says what to do", err)
	}
	if after := d.git("rev-parse", "HEAD"); after != before {
		t.Errorf("the base moved to %s all the same", after)
	}
	if review, err := d.Review(task.ID); err != nil || !strings.Contains(review.Refusal, "queue") {
		t.Errorf("the review offers the merge: refusal %q, %v", review.Refusal, err)
	}
}

func TestMergeOfACardWhoseWorktreeIsGone(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.ended(d.run(beckon.NewTask{Title: "Write"}).ID)
	for _, to := range []beckon.Status{beckon.Archived, beckon.Review} {
		if _, err := d.MoveTask(task.ID, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(task.Worktree); err == nil {
		t.Fatal("archiving left the worktree")
	}
	if merged, err := d.Merge(task.ID); err != nil || merged.Status != beckon.Done {
		t.Fatalf("merge: %v, card in %s", err, merged.Status)
	}
	if _, err := os.Stat(filepath.Join(d.project.Dir, "new.txt")); err != nil {
		t.Errorf("the project's folder lacks the work: %v", err)
	}
}

func TestACardStartedAtARankIsToldOnce(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Go on? | Yes | No\n")
	task := d.card("Here")
	var mu sync.Mutex
	var told []beckon.Task
	detach := d.p.feed.Attach("counter", func(f beckon.Frame) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range f.Events {
			if e.Task != nil && e.Task.ID == task.ID {
				told = append(told, *e.Task)
			}
		}
	})
	defer detach()
	moved, err := d.MoveTask(task.ID, beckon.Running, 7.5)
	if err != nil || moved.Rank != 7.5 || moved.Status != beckon.Running {
		t.Fatalf("started as %+v, %v", moved, err)
	}
	d.open("Go on?")
	mu.Lock()
	defer mu.Unlock()
	for _, one := range told {
		if one.Status == beckon.Running && one.Rank != 7.5 {
			t.Errorf("it was shown running at rank %v", one.Rank)
		}
	}
}
