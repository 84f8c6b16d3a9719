package begun_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/board/steps"
	"beckon/backend/review"
	"beckon/backend/store"
	"beckon/backend/store/undolog"
	"beckon/tests/killing"
	"beckon/tests/runnertest"
)

func TestMain(m *testing.M) { runnertest.Main(m) }

// killedVariable names what a process of the tests does while it is killed, with which
// task, and in which data folder.
const killedVariable = "BECKON_TEST_CARD"

const writes = "write new.txt of the task\n"

func finder(d *runnertest.Driver) review.ConflictFinder {
	return review.ConflictFinder{
		Task: d.Store.Task, Project: d.Store.Project, Committed: d.Board.Committed, Hold: func(_ context.Context, id string) (func(), error) { return d.Runner.Hold(id) }, Update: d.Board.UpdateFromBase,
		Note: func(ctx context.Context, id string) error { return d.Store.Intents.Save(ctx, id, store.IntentResolve) },
	}
}

// taking are what git does for a card, which follows.
var taking = map[string]func(ctx context.Context, d *runnertest.Driver, id string) error{
	"merge": func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.Merge(undolog.Into(ctx, beckon.ChangeMerge), id, reviewing.MergeOrder{})
		return err
	},
	"update": func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.UpdateFromBase(undolog.Into(ctx, beckon.ChangeUpdate), id)
		return err
	},
	"discard": func(ctx context.Context, d *runnertest.Driver, id string) error {
		loss, err := d.Board.Loss(ctx, id)
		if err == nil {
			_, err = d.Board.Discard(undolog.Into(ctx, beckon.ChangeDiscard), id, loss.Token)
		}
		return err
	},
	"folder": func(ctx context.Context, d *runnertest.Driver, id string) error {
		t := d.Now(id)
		p, err := d.Store.Project(ctx, t.ProjectID)
		if err == nil {
			_, err = d.Board.Folder(ctx, t, p)
		}
		return err
	},
	"open": func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.OpenRepository(ctx, id, "late")
		return err
	},
	"update part": func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := d.Board.UpdateFromBase(ctx, id+"/dash")
		return err
	},
	"take back": func(ctx context.Context, d *runnertest.Driver, id string) error {
		r, err := undoOf(d).Last(ctx, id)
		return errors.Join(err, refusal(r))
	},
	"again": func(ctx context.Context, d *runnertest.Driver, _ string) error {
		r, err := undoOf(d).Again(ctx)
		return errors.Join(err, refusal(r))
	},
	"continue": func(ctx context.Context, d *runnertest.Driver, id string) error {
		_, err := finder(d).Finish(ctx, id)
		return err
	},
	"abandon": func(ctx context.Context, d *runnertest.Driver, id string) error {
		return finder(d).Abandon(ctx, id)
	},
}

func undoOf(d *runnertest.Driver) *steps.Undo {
	return &steps.Undo{Log: d.Store.Undo, Board: d.Board, Task: d.Store.Task, Turn: new(sync.Mutex)}
}

func refusal(r beckon.ChangeResult) error {
	if len(r.Refused) > 0 {
		return fmt.Errorf("refused: %+v", r.Refused)
	}
	return nil
}

// TestDoAndBeKilled is what the process does that is killed.
func TestDoAndBeKilled(t *testing.T) {
	parts := strings.Split(os.Getenv(killedVariable), "\n")
	if len(parts) != 3 {
		t.Skip("it is run by another test")
	}
	d := runnertest.Open(t, parts[2], runnertest.Agents(t, writes))
	if err := taking[parts[0]](t.Context(), d, parts[1]); err != nil {
		t.Fatal(err)
	}
}

// scene is a card in Review whose base has a commit of its own.
type scene struct {
	*runnertest.Driver
	task beckon.Task
	undo *steps.Undo
}

func inReview(t *testing.T, fileOfMain string) *scene {
	t.Helper()
	d := runnertest.Start(t, writes)
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(d.Project.Dir, fileOfMain), []byte("of main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Git("add", "-A")
	d.Git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "of main")
	s := &scene{Driver: d, task: task}
	s.undo = undoOf(d)
	return s
}

// killed does something in a process that is killed after a step, and opens the board
// again; it is false where there is no such step.
func (s *scene) killed(name string, step int) bool {
	s.T.Helper()
	if err := s.Close(); err != nil {
		s.T.Fatal(err)
	}
	env := killedVariable + "=" + strings.Join([]string{name, s.task.ID, s.DataDir}, "\n")
	killed := killing.Run(s.T, step, []string{env}, "-test.run=^TestDoAndBeKilled$")
	project := s.Project
	s.Driver = runnertest.Open(s.T, s.DataDir, runnertest.Agents(s.T, writes))
	s.Project = project
	s.undo = undoOf(s.Driver)
	if all, err := s.Store.Intents.All(s.T.Context()); err != nil || len(all) > 0 {
		s.T.Errorf("%s, step %d: %v is still noted, %v", name, step, all, err)
	}
	return killed
}

// has reports whether the history of one branch has another.
func (s *scene) has(branch, other string) bool {
	s.T.Helper()
	return s.Git("merge-base", branch, other) == s.Git("rev-parse", other)
}

func (s *scene) takeBack(kind beckon.ChangeKind, step int) {
	s.T.Helper()
	r, err := s.undo.Last(s.T.Context(), s.task.ID)
	if err != nil || len(r.Refused) > 0 || r.Step.Kind != kind {
		s.T.Errorf("step %d: taken back: %+v, %v", step, r, err)
	}
}

// TestTheCardFollowsAMergeThatWasKilled: at the next start, as if nothing had been in
// between, with its way back; or nothing was merged and it can be.
func TestTheCardFollowsAMergeThatWasKilled(t *testing.T) {
	t.Parallel()
	s := inReview(t, "main.txt")
	main := s.Git("rev-parse", "main")
	finished := 0
	for step := 1; s.killed("merge", step); step++ {
		merged := s.has("main", s.task.Branch)
		now := s.Now(s.task.ID)
		if merged != (now.Status == beckon.Done && now.Resolution == beckon.Merged) {
			t.Errorf("step %d: the base has it: %t; the card is in %s as %q", step, merged, now.Status, now.Resolution)
		}
		if merged {
			finished++
		} else if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil {
			t.Errorf("step %d: merged again: %v", step, err)
		}
		s.takeBack(beckon.ChangeMerge, step)
		if now := s.Now(s.task.ID); now.Status != beckon.Review || now.Resolution != "" || s.Git("rev-parse", "main") != main {
			t.Errorf("step %d: taken back it is in %s as %q, main at %s", step, now.Status, now.Resolution, s.Git("rev-parse", "main"))
		}
	}
	if finished == 0 {
		t.Error("it was never killed between git and the card")
	}
}

// TestTheCardFollowsAnUpdateThatWasKilled: the same with what the branch took from its base.
func TestTheCardFollowsAnUpdateThatWasKilled(t *testing.T) {
	t.Parallel()
	s := inReview(t, "main.txt")
	main, tip := s.Git("rev-parse", "main"), s.Git("rev-parse", s.task.Branch)
	finished := 0
	for step := 1; s.killed("update", step); step++ {
		if now := s.Now(s.task.ID); s.has(s.task.Branch, "main") != (now.BaseCommit == main) {
			t.Errorf("step %d: the card says that it grew from %s", step, now.BaseCommit)
		} else if now.BaseCommit == main {
			finished++
		} else if err := taking["update"](t.Context(), s.Driver, s.task.ID); err != nil {
			t.Errorf("step %d: updated again: %v", step, err)
		}
		s.takeBack(beckon.ChangeUpdate, step)
		if now := s.Now(s.task.ID); now.BaseCommit != s.task.BaseCommit || s.Git("rev-parse", s.task.Branch) != tip {
			t.Errorf("step %d: taken back it grew from %s", step, now.BaseCommit)
		}
	}
	if finished == 0 {
		t.Error("it was never killed between git and the card")
	}
}

// TestTheCardFollowsADiscardThatWasKilled: it is in the archive, where it can be restored,
// or nothing was taken away and all of it can be discarded.
func TestTheCardFollowsADiscardThatWasKilled(t *testing.T) {
	t.Parallel()
	s := inReview(t, "main.txt")
	tip := s.Git("rev-parse", s.task.Branch)
	finished := 0
	for step := 1; s.killed("discard", step); step++ {
		now := s.Now(s.task.ID)
		if now.Status == beckon.Review {
			if _, err := os.Stat(filepath.Join(now.Worktree, "new.txt")); err != nil || s.Git("rev-parse", now.Branch) != tip {
				t.Fatalf("step %d: it is in Review without its work: %v", step, err)
			}
			if err := taking["discard"](t.Context(), s.Driver, s.task.ID); err != nil {
				t.Errorf("step %d: discarded again: %v", step, err)
			}
		} else {
			finished++
		}
		s.takeBack(beckon.ChangeDiscard, step)
		if now := s.Now(s.task.ID); now.Status != beckon.Review || s.Git("rev-parse", now.Branch) != tip {
			t.Fatalf("step %d: taken back it is in %s", step, now.Status)
		}
	}
	if finished == 0 {
		t.Error("it was never killed between git and the card")
	}
}

// TestAWorktreeThatNoCardNamesIsTakenBack: the next start leaves nothing of it, and an agent
// begins in another; a file of the user's is left.
func TestAWorktreeThatNoCardNamesIsTakenBack(t *testing.T) {
	t.Parallel()
	s := inReview(t, "main.txt")
	s.task = s.Card("Add")
	before := s.Git("worktree", "list")
	taken := 0
	for step := 1; s.killed("folder", step); step++ {
		if s.Now(s.task.ID).Worktree != "" {
			break // the card names it
		}
		if got := s.Git("worktree", "list"); got != before {
			t.Errorf("step %d: left is\n%s", step, got)
		}
		taken++
	}
	if taken == 0 {
		t.Error("it was never killed before the card had a worktree")
	}
}

// TestTheCardFollowsAConflictThatWasResolved: or all of what was resolved is still there,
// to go on with or to abandon.
func TestTheCardFollowsAConflictThatWasResolved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"continue", "abandon"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := inReview(t, "new.txt")
			main, tip := s.Git("rev-parse", "main"), s.Git("rev-parse", s.task.Branch)
			kills := 0
			for {
				if err := errors.Join(finder(s.Driver).Begin(t.Context(), s.task.ID),
					os.WriteFile(filepath.Join(s.task.Worktree, "new.txt"), []byte("of both\n"), 0o600)); err != nil {
					t.Fatal(err)
				}
				if !s.killed(name, kills+1) {
					break
				}
				kills++
				s.resolved(name, main, tip)
				s.Git("-C", s.task.Worktree, "reset", "--hard", "--quiet", tip)
				if _, err := s.Board.Update(t.Context(), s.task.ID, func(t *beckon.Task) error { t.BaseCommit = s.task.BaseCommit; return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if kills == 0 {
				t.Error("it was never killed")
			}
		})
	}
}

// resolved brings to its end what was killed, where it is not, and looks at what came of it.
func (s *scene) resolved(name, main, tip string) {
	s.T.Helper()
	by, err := finder(s.Driver).ByHand(s.T.Context(), s.task.ID)
	if err == nil && by.On {
		err = taking[name](s.T.Context(), s.Driver, s.task.ID)
	}
	if err != nil {
		s.T.Errorf("%s again: %v", name, err)
	}
	now := s.Now(s.task.ID)
	if name == "abandon" && (now.BaseCommit != s.task.BaseCommit || s.Git("rev-parse", s.task.Branch) != tip) {
		s.T.Errorf("abandoned, it grew from %s", now.BaseCommit)
	}
	if name == "continue" && (now.BaseCommit != main || !s.has(s.task.Branch, "main") || s.Git("show", s.task.Branch+":new.txt") != "of both") {
		s.T.Errorf("resolved, it grew from %s, not %s", now.BaseCommit, main)
	}
	if now := s.Git("rev-parse", "main"); now != main {
		s.T.Errorf("main moved to %s", now)
	}
}

// TestAMergeWhoseCardCouldNotBeWrittenIsFinishedByTheNext: as after a full disk.
func TestAMergeWhoseCardCouldNotBeWrittenIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	s := inReview(t, "main.txt")
	if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.MoveTask(t.Context(), s.task.ID, beckon.Review, 0); err != nil {
		t.Fatal(err)
	}
	if err := taking["merge"](t.Context(), s.Driver, s.task.ID); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("merged twice: %v", err)
	}
	if err := s.Store.Intents.Save(t.Context(), s.task.ID, store.IntentMerge); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Board.Review(t.Context(), s.task.ID, reviewing.View{}); err != nil || d.Refusal != nil {
		t.Errorf("it cannot be finished: %q, %v", d.Refusal, err)
	}
	main := s.Git("rev-parse", "main")
	if err := taking["merge"](t.Context(), s.Driver, s.task.ID); err != nil || s.Now(s.task.ID).Resolution != beckon.Merged || s.Git("rev-parse", "main") != main {
		t.Errorf("finished: %v", err)
	}
	if all, err := s.Store.Intents.All(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("left is %v, %v", all, err)
	}
}
