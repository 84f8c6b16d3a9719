package board_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git"
)

// cloned is a repository of its own in another folder.
func cloned(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "first.txt"), "first\n")
	if err := git.Init(t.Context(), dir, "first"); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *several) set(t *testing.T, list ...reviewing.Repository) {
	t.Helper()
	edit := s.Project
	edit.Repositories = list
	p, err := s.Board.EditProject(t.Context(), edit)
	if err != nil {
		t.Fatal(err)
	}
	s.Project = p
}

// TestARepositoryThatIsPointedElsewhereKeepsTheTasksThatItHas: new ones work in the new folder.
func TestARepositoryThatIsPointedElsewhereKeepsTheTasksThatItHas(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n\ntext Done.\n")
	task := s.worked(t)
	other := cloned(t, "other")
	s.set(t, reviewing.Repository{Name: "proto", Dir: s.dirs["proto"], FromStart: true}, reviewing.Repository{Name: "dash", Dir: other})
	if got := s.states(t, task.ID); got != "proto clean, dash clean, sample clean" {
		t.Errorf("the task has %s", got)
	}
	late := s.Run(beckon.NewTask{Title: "Change the other"})
	s.Ended(late.ID)
	if _, err := s.Board.OpenRepository(t.Context(), late.ID, "dash"); err != nil {
		t.Fatal(err)
	}
	// Then the project names it no more: each task has its own still.
	s.set(t, reviewing.Repository{Name: "proto", Dir: s.dirs["proto"], FromStart: true})
	for id, dir := range map[string]string{task.ID: s.dirs["dash"], late.ID: other} {
		if got := s.parts(t, id)[1]; got.Dir != dir || got.Why != nil && got.State == reviewing.PartMissing {
			t.Errorf("a part is %+v, not in %s", got, dir)
		}
		part, err := s.Board.Parts.Task(t.Context(), id+"/dash")
		if err != nil {
			t.Fatal(err)
		}
		if p, err := s.Board.Parts.Project(t.Context(), part.ProjectID); err != nil || p.Dir != dir {
			t.Errorf("its repository is %s, %v", p.Dir, err)
		}
		if d, err := s.Board.Review(t.Context(), id+"/dash", reviewing.View{}); err != nil || (len(d.Files) == 1) != (id == task.ID) {
			t.Errorf("its changes are %+v, %v", d.Files, err)
		}
	}
	if now, err := s.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || now.Status != beckon.Done {
		t.Errorf("merged it is in %s, %v", now.Status, err)
	}
}

// TestARepositoryWithAnotherNameIsNoSecondPart, also where only its case is another.
func TestARepositoryWithAnotherNameIsNoSecondPart(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n\ntext Done.\n")
	task := s.worked(t)
	s.set(t, reviewing.Repository{Name: "Protocol", Dir: s.dirs["proto"], FromStart: true}, reviewing.Repository{Name: "Dash", Dir: s.dirs["dash"]})
	if got := s.states(t, task.ID); got != "proto clean, dash clean, sample clean" {
		t.Errorf("the parts are %s", got)
	}
	for name, as := range map[string]string{"Protocol": "proto", "Dash": "dash", "dash": "dash"} {
		dir, err := s.Board.OpenRepository(t.Context(), task.ID, name)
		if err != nil || filepath.Base(dir) != as {
			t.Errorf("%s is opened in %s, %v", name, dir, err)
		}
	}
	if _, err := s.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Go on."}); err != nil {
		t.Fatal(err)
	}
	s.Until("the second run", func() bool { return s.Seen.Runs[task.ID].Number == 2 })
	s.Ended(task.ID)
	if rows, err := s.Store.Parts.Of(t.Context(), task.ID); err != nil || len(rows) != 2 {
		t.Errorf("the rows are %+v, %v", rows, err)
	}
	s.discarded(t, task.ID)
	if _, err := s.Board.Restore(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if got := s.states(t, task.ID); got != "proto clean, dash clean, sample clean" {
		t.Errorf("restored are %s", got)
	}
}

// TestABranchThatAnAgentRenamedIsFollowedBeforeItIsCommittedMergedOrDiscarded, though nobody
// looked meanwhile.
func TestABranchThatAnAgentRenamedIsFollowedBeforeItIsCommittedMergedOrDiscarded(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"commit", "merge", "discard"} {
		s := startSeveral(t, "text Done.\n")
		task := s.worked(t)
		dash := s.parts(t, task.ID)[1]
		gitAt(t, dash.Worktree, "branch", "-m", "better")
		write(t, filepath.Join(dash.Worktree, "loose.txt"), "loose\n")
		switch way {
		case "commit":
			if err := s.Board.Parts.Commit(t.Context(), task, s.Project, "Left"); err != nil || gitAt(t, s.dirs["dash"], "log", "-1", "--format=%s", "better") != "Left" {
				t.Errorf("committed: %v", err)
			}
		case "merge":
			if _, err := s.Board.MergeTogether(t.Context(), task.ID, []reviewing.PartOrder{{ID: dash.ID}}); err != nil {
				t.Errorf("merged: %v", err)
			}
		case "discard":
			loss, err := s.Board.Loss(t.Context(), task.ID)
			if err != nil || loss.Commits != 3 {
				t.Fatalf("the loss is %+v, %v", loss, err)
			}
			s.discarded(t, task.ID)
			if got := gitAt(t, s.dirs["dash"], "branch", "--list", "better"); got != "" {
				t.Errorf("left is %s", got)
			}
			if back, err := s.Board.Restore(t.Context(), task.ID); err != nil || back.Changes.Files != 4 {
				t.Errorf("restored it counts %+v, %v", back.Changes, err)
			}
		}
		if row, err := s.Store.Parts.One(t.Context(), dash.ID); err != nil || row.Branch != "better" {
			t.Errorf("%s: the row is %+v, %v", way, row, err)
		}
	}
}

// TestNoRepositoryIsOpenedForATaskThatIsOverOrHeld.
func TestNoRepositoryIsOpenedForATaskThatIsOverOrHeld(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.Run(beckon.NewTask{Title: "Change all"})
	s.Ended(task.ID)
	if err := s.Runner.AwaitEnd(t.Context(), task.ID); err != nil { // its place is given back after its end is said
		t.Fatal(err)
	}
	release, err := s.Runner.Hold(task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); !isKind(err, problem.Held) {
		t.Errorf("held: %v", err)
	}
	release()
	for _, to := range []beckon.Status{beckon.Done, beckon.Archived} {
		if _, err := s.Board.MoveTask(t.Context(), task.ID, to, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); !isKind(err, problem.TaskOver) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if got := gitAt(t, s.dirs["dash"], "worktree", "list"); strings.Contains(got, "\n") {
		t.Errorf("made is %s", got)
	}
}

// TestWhatIsWrittenBesideTheWorktreesOfPartsIsSaid.
func TestWhatIsWrittenBesideTheWorktreesOfPartsIsSaid(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	beside := task.Worktree + ".with"
	got := s.Board.Parts.Strays(t.Context(), task, s.Project, []string{beside, filepath.Join(beside, "notes"), filepath.Join(beside, "dash"), filepath.Join(beside, "proto", "deep")})
	if strings.Join(got, " ") != beside+" "+filepath.Join(beside, "notes") {
		t.Errorf("said are %v", got)
	}
}

// TestAPartIsUpdatedThoughItsTaskCannotBeCounted: the own branch is gone.
func TestAPartIsUpdatedThoughItsTaskCannotBeCounted(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	away := s.Project.Dir + "-away"
	if err := os.Rename(s.Project.Dir, away); err != nil {
		t.Fatal(err)
	}
	part, err := s.Board.Update(t.Context(), task.ID+"/dash", func(t *beckon.Task) error { t.BaseCommit = "c"; return nil })
	if err = errors.Join(err, os.Rename(away, s.Project.Dir)); err != nil || part.BaseCommit != "c" {
		t.Errorf("the part is %+v, %v", part, err)
	}
}

// TestAWorktreeOfAPartThatBeganAgainIsTakenBack where Beckon was killed before the row named it.
func TestAWorktreeOfAPartThatBeganAgainIsTakenBack(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	dash := s.parts(t, task.ID)[1]
	s.discarded(t, task.ID)
	gitAt(t, s.dirs["dash"], "worktree", "add", "-q", "-b", dash.Branch, dash.Worktree, "main")
	unmade := func(ctx context.Context) error {
		t, err := s.Board.Parts.Task(ctx, dash.ID)
		if err != nil {
			return err
		}
		p, err := s.Board.Parts.Project(ctx, t.ProjectID)
		if err != nil {
			return err
		}
		return s.Board.Parts.Unmade(ctx, t, p)
	}
	if err := unmade(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dash.Worktree); err == nil {
		t.Error("the worktree is still there")
	}
}
