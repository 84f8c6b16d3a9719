package board_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/store/reviewed"
	"beckon/backend/store/undolog"
	"beckon/tests/runnertest"
)

const nice = "feat/nice-name"

// TestARenamedBranchTakesTheCardAlong: teams tell their agents how to name branches.
func TestARenamedBranchTakesTheCardAlong(t *testing.T) {
	t.Parallel()
	for name, renames := range map[string]string{
		"renamed":    "run git branch -m " + nice + "\n",
		"made again": "run git checkout -q -b " + nice + " && git branch -q -D beckon/sam-1-write\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t, "write new.txt hello\n"+renames)
			task, run := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
			if run.Outcome != beckon.Succeeded || task.Branch != nice || task.Trouble != nil || task.Changes.Commits != 1 {
				t.Fatalf("run %s (%s): branch %q, trouble %q, changes %+v", run.Outcome, run.Reason, task.Branch, task.Trouble, task.Changes)
			}
			page, err := d.History.Transcript(t.Context(), task.ID, "", 100)
			if err != nil || !slices.ContainsFunc(page.Entries, func(e beckon.Entry) bool {
				return e.Notice == "branch_renamed" && e.Text == "beckon/sam-1-write → "+nice
			}) {
				t.Errorf("the transcript does not say it: %+v, %v", page.Entries, err)
			}
			if review, err := d.Board.Review(t.Context(), task.ID, reviewing.View{}); err != nil || len(review.Files) != 1 || review.Refusal != nil {
				t.Errorf("review %+v, %v", review, err)
			}
			again, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Running, 0)
			if err != nil {
				t.Fatal(err)
			}
			if task, run = d.Ended(again.ID); run.Outcome != beckon.Succeeded && name == "renamed" {
				t.Errorf("sent back, the run %s: %s", run.Outcome, run.Reason)
			}
			if _, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(d.Project.Dir, "new.txt")); err != nil {
				t.Errorf("the project's folder lacks the work: %v", err)
			}
		})
	}
}

// written is a card whose agent wrote a file.
func written(t *testing.T) (driver, beckon.Task) {
	t.Helper()
	d := start(t, "write new.txt hello\n")
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if run.Outcome != beckon.Succeeded {
		t.Fatalf("run %s: %s", run.Outcome, run.Reason)
	}
	return d, task
}

func TestABranchThatWasRenamedByHandIsFollowed(t *testing.T) {
	t.Parallel()
	t.Run("when the card is looked at", func(t *testing.T) {
		t.Parallel()
		d, task := written(t)
		after, err := d.Board.Update(t.Context(), d.Card("On top").ID, func(t *beckon.Task) error { t.Base = task.Branch; return nil })
		if err != nil {
			t.Fatal(err)
		}
		d.Git("branch", "-m", task.Branch, nice)
		loss, err := d.Board.Loss(t.Context(), task.ID)
		if err != nil || loss.Commits != 1 || d.Now(task.ID).Branch != nice || d.Now(after.ID).Base != nice {
			t.Errorf("loss %+v, %v; branch %q, and %q for the card on top", loss, err, d.Now(task.ID).Branch, d.Now(after.ID).Base)
		}
		d.Until("the pages show it", func() bool { return d.Tasks[task.ID].Branch == nice })
		if _, err := d.Board.Discard(undolog.Into(t.Context(), beckon.ChangeDiscard), task.ID, loss.Token); err != nil {
			t.Fatal(err)
		}
		if back, err := d.Board.Restore(t.Context(), task.ID); err != nil || back.Branch != nice {
			t.Errorf("it came back on %q, %v", back.Branch, err)
		}
	})
	t.Run("when Beckon starts", func(t *testing.T) {
		t.Parallel()
		d, task := written(t)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		d.Git("branch", "-m", task.Branch, nice)
		again := runnertest.Open(t, d.DataDir, runnertest.Agents(t, ""))
		if now := again.Now(task.ID); now.Branch != nice {
			t.Errorf("the card names %q", now.Branch)
		}
	})
}

func TestABranchOfAnotherCardIsNotTaken(t *testing.T) {
	t.Parallel()
	d, one := written(t)
	if _, err := d.Board.MoveTask(t.Context(), one.ID, beckon.Archived, 0); err != nil {
		t.Fatal(err)
	}
	two, _ := d.Ended(d.Run(beckon.NewTask{Title: "Other"}).ID)
	d.Git("branch", "-M", two.Branch, one.Branch)
	loss, err := d.Board.Loss(t.Context(), two.ID)
	if err != nil || !loss.BranchGone || loss.Commits != 1 || d.Now(two.ID).Branch != two.Branch {
		t.Errorf("loss %+v, %v, on %q", loss, err, d.Now(two.ID).Branch)
	}
	if _, err := d.Board.Discard(t.Context(), two.ID, loss.Token); err != nil {
		t.Error(err)
	}
	d.Git("rev-parse", "--verify", "refs/heads/"+one.Branch)
}

// TestACardIsDiscardedAndDeletedWhateverGitHasLeft: nobody needs a shell for it.
func TestACardIsDiscardedAndDeletedWhateverGitHasLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lose func(d driver, task beckon.Task)
		kept bool // what is left
	}{
		"both gone": {func(d driver, task beckon.Task) {
			d.Git("worktree", "remove", task.Worktree)
			d.Git("branch", "-D", task.Branch)
		}, false},
		"both gone, but for the tree of its last turn": {func(d driver, task beckon.Task) {
			turn := reviewed.Turn{TaskID: task.ID, After: d.Git("rev-parse", task.Branch+"^{tree}")}
			if err := d.Store.Turns.Begin(d.T.Context(), &turn); err != nil {
				d.T.Fatal(err)
			}
			d.Git("worktree", "remove", task.Worktree)
			d.Git("branch", "-D", task.Branch)
		}, true},
		"the branch gone": {func(d driver, task beckon.Task) { d.Git("update-ref", "-d", "refs/heads/"+task.Branch) }, true},
		"the record gone": {func(d driver, task beckon.Task) { pruned(d, task) }, true},
		"branch and record gone": {func(d driver, task beckon.Task) {
			pruned(d, task)
			d.Git("branch", "-D", task.Branch)
		}, true},
	} {
		for _, way := range []string{"discard", "delete"} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				d, task := written(t)
				c.lose(d, task)
				if _, err := d.Board.Review(t.Context(), task.ID, reviewing.View{}); err != nil && strings.Contains(err.Error(), "COMMIT") {
					t.Errorf("it says %v", err)
				}
				loss, err := d.Board.Loss(t.Context(), task.ID)
				if err != nil || loss.KeptUntil != 0 != c.kept {
					t.Fatalf("loss %+v, %v", loss, err)
				}
				if way == "delete" {
					err = d.Board.DeleteTask(t.Context(), task.ID, loss.Token)
				} else {
					task, err = d.Board.Discard(t.Context(), task.ID, loss.Token)
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(task.Worktree); task.Worktree != "" && err == nil {
					t.Error("the worktree is still there")
				}
				refs := d.Git("for-each-ref", "--format=%(refname)", "refs/beckon/discarded")
				if (refs != "") != c.kept {
					t.Fatalf("kept: %q", refs)
				}
				if c.kept && d.Git("show", refs+":new.txt") != "hello" {
					t.Error("what is kept lacks the work")
				}
				if way == "discard" && (task.Status != beckon.Archived || task.KeptRef != refs) {
					t.Errorf("the card is in %s, and its work in %q", task.Status, task.KeptRef)
				}
			})
		}
	}
}

// pruned has git forget a task's worktree while its folder is elsewhere.
func pruned(d driver, task beckon.Task) {
	d.T.Helper()
	away := task.Worktree + "-away"
	if err := os.Rename(task.Worktree, away); err != nil {
		d.T.Fatal(err)
	}
	d.Git("worktree", "prune")
	if err := os.Rename(away, task.Worktree); err != nil {
		d.T.Fatal(err)
	}
}
