package board_test

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
)

func TestMergeBringsTheWorkIntoTheBase(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if err != nil || merged.Status != beckon.Done {
		t.Fatalf("merge: %v, card in %s", err, merged.Status)
	}
	if _, err := os.Stat(filepath.Join(d.Project.Dir, "new.txt")); err != nil {
		t.Errorf("the project's folder lacks the work: %v", err)
	}
	head, err := exec.CommandContext(t.Context(), "git", "-C", d.Project.Dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	if l := merged.Landed; l.Way != reviewing.MergeCommit || l.Commit != strings.TrimSpace(string(head)) || l.At == 0 {
		t.Errorf("the card says that it was merged as %+v, and the base is %s", l, head)
	}
	again, err := d.Board.MoveTask(t.Context(), task.ID, beckon.Review, 0)
	if err != nil || again.Landed != (reviewing.Landed{}) {
		t.Errorf("taken up again, it says that it was merged as %+v, %v", again.Landed, err)
	}
}

// TestNothingIsHiddenInACommitsSubject: a title may have turned round what other tools show
// beside it, or have nothing that is seen.
func TestNothingIsHiddenInACommitsSubject(t *testing.T) {
	t.Parallel()
	d := start(t, "write ${message}.txt hello\n")
	for title, want := range map[string]string{"Fix\u202e gnp.exe\u200b": "Fix gnp.exe", "\u202e\u2066": ""} {
		task, _ := d.Ended(d.Run(beckon.NewTask{Title: title}).ID)
		want := cmp.Or(want, task.Key)
		merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
		if err != nil {
			t.Fatal(err)
		}
		if got, all := d.Git("log", "-1", "--format=%s", merged.Landed.Commit+"^2"), d.Git("log", "-3", "--format=%B"); got != want || strings.ContainsAny(all, "\u202e\u2066\u200b") {
			t.Errorf("%q: the commit says %q, want %q; all say\n%s", title, got, want, all)
		}
	}
}

// TestWhileTheProjectsFolderIsAway nothing is merged, and what is missing is named; once it is
// there again, everything goes on.
func TestWhileTheProjectsFolderIsAway(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	away := d.Project.Dir + "-away"
	if err := os.Rename(d.Project.Dir, away); err != nil {
		t.Fatal(err)
	}
	_, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{})
	if kind, detail := problem.From(err); kind != problem.FolderAway || detail["dir"] != d.Project.Dir || !errors.Is(err, beckon.ErrUnavailable) {
		t.Errorf("merge: %v, %v", detail, err)
	}
	if err := os.Rename(away, d.Project.Dir); err != nil {
		t.Fatal(err)
	}
	if merged, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); err != nil || merged.Status != beckon.Done {
		t.Errorf("merge: %v, card in %s", err, merged.Status)
	}
}

func TestADirtyFolderIsNotMergedInto(t *testing.T) {
	t.Parallel()
	d := start(t, "write words.txt mine\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	if err := os.WriteFile(filepath.Join(d.Project.Dir, "words.txt"), []byte("yours"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Board.Merge(t.Context(), task.ID, reviewing.MergeOrder{}); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("merge into a folder that is not clean: %v, want a conflict", err)
	}
	if text, _ := os.ReadFile(filepath.Join(d.Project.Dir, "words.txt")); string(text) != "yours" {
		t.Errorf("the user's change became %q", text)
	}
}

func TestDiscardKeepsTheWorkFindable(t *testing.T) {
	t.Parallel()
	d := start(t, "write precious.txt gold\n")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	loss, err := d.Board.Loss(t.Context(), task.ID)
	if err != nil || loss.Commits != 1 {
		t.Fatalf("loss %+v, %v; want one commit", loss, err)
	}
	if _, err := d.Board.Discard(t.Context(), task.ID, "guessed"); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("discard of a loss that nobody saw: %v, want a conflict", err)
	}
	if d.Cleared.Load() != 0 {
		t.Error("a discard that was refused ended what runs in the worktree")
	}
	if _, err := d.Board.Discard(t.Context(), task.ID, loss.Token); err != nil {
		t.Fatal(err)
	}
	refs, err := exec.CommandContext(t.Context(), "git", "-C", d.Project.Dir, "for-each-ref", "--format=%(refname)", "refs/beckon").Output()
	if err != nil || len(refs) == 0 {
		t.Errorf("no private ref keeps the branch: %s, %v", refs, err)
	}
	if _, err := os.Stat(task.Worktree); err == nil {
		t.Error("the worktree is still there")
	}
}

func TestAFolderWithoutGitWorksInPlaceAndSaysSo(t *testing.T) {
	t.Parallel()
	d := start(t, "write here.txt here\n")
	dir := t.TempDir()
	found, err := d.Board.InspectFolder(t.Context(), dir)
	if err != nil || found.Git {
		t.Fatalf("found %+v, %v; want a folder without git", found, err)
	}
	p, err := d.Board.AddProject(t.Context(), beckon.NewProject{Dir: dir, Trusted: true, Key: "PLAIN"})
	if err != nil {
		t.Fatal(err)
	}
	d.Project = p
	task, run := d.Ended(d.Run(beckon.NewTask{Title: "In place"}).ID)
	if run.Outcome != beckon.Succeeded || task.Worktree != p.Dir || task.Branch != "" {
		t.Errorf("run %s (%s) in %q on branch %q; want the folder itself", run.Outcome, run.Reason, task.Worktree, task.Branch)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "here.txt")); err != nil {
		t.Error(err)
	}
	review, err := d.Board.Review(t.Context(), task.ID, reviewing.View{})
	if err != nil || review.Refusal == nil {
		t.Errorf("review %+v, %v; want it to say that there is no branch", review, err)
	}
}
