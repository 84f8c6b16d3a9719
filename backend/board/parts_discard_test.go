package board_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/workdir"
	"beckon/backend/store"
	rows "beckon/backend/store/parts"
)

// TestADiscardThatIsRefusedTakesNothingOfAnyRepository: what git ignores would not come back.
func TestADiscardThatIsRefusedTakesNothingOfAnyRepository(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	list := s.parts(t, task.ID)
	proto, dash := list[0].Worktree, list[1].Worktree
	write(t, filepath.Join(s.dirs["proto"], ".git", "info", "exclude"), "*.log\n")
	write(t, filepath.Join(proto, "kept.log"), "kept\n")
	whole := func(why, says string) {
		t.Helper()
		loss, err := s.Board.Loss(t.Context(), task.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Board.Discard(t.Context(), task.ID, loss.Token); !errors.Is(err, beckon.ErrConflict) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: it says %v", why, err)
		}
		if _, err := os.Stat(filepath.Join(proto, "kept.log")); err != nil {
			t.Fatalf("%s: %v", why, err)
		}
		if now := s.Now(task.ID); now.Status != beckon.Review {
			t.Errorf("%s: the card is in %s", why, now.Status)
		}
	}
	for _, tree := range []struct{ name, dir string }{{"its own", task.Worktree}, {"the second part", dash}} {
		if runtime.GOOS == "linux" {
			busy := exec.CommandContext(t.Context(), "sleep", "600")
			busy.Dir = tree.dir
			if err := busy.Start(); err != nil {
				t.Fatal(err)
			}
			whole("a process works in "+tree.name, "a process works")
			_ = busy.Process.Kill()
			_ = busy.Wait()
		}
		gitAt(t, tree.dir, "worktree", "lock", "--reason", "mine", tree.dir)
		whole("locked is "+tree.name, "locked (mine)")
		gitAt(t, tree.dir, "worktree", "unlock", tree.dir)
		inside := filepath.Join(tree.dir, "inside")
		if err := os.Mkdir(inside, 0o700); err != nil {
			t.Fatal(err)
		}
		gitAt(t, inside, "init", "-q")
		gitAt(t, inside, "commit", "-q", "--allow-empty", "-m", "first")
		whole("a repository is in "+tree.name, "has repositories inside it")
		if err := os.RemoveAll(inside); err != nil {
			t.Fatal(err)
		}
	}
	loss, err := s.Board.Loss(t.Context(), task.ID)
	if err == nil {
		_, err = s.Board.Discard(t.Context(), task.ID, loss.Token)
	}
	if err != nil {
		t.Error(err)
	}
}

// discarded has a task's work discarded as it is.
func (s several) discarded(t *testing.T, id string) {
	t.Helper()
	loss, err := s.Board.Loss(t.Context(), id)
	if err == nil {
		_, err = s.Board.Discard(t.Context(), id, loss.Token)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAWorktreeThatADiscardLeftHalfRemovedIsWholeAgain: Beckon was killed while git removed its
// files.
func TestAWorktreeThatADiscardLeftHalfRemovedIsWholeAgain(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	dash := s.parts(t, task.ID)[1]
	write(t, filepath.Join(dash.Worktree, "loose.txt"), "loose\n")
	row, err := s.Store.Parts.One(t.Context(), dash.ID)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := s.Board.Parts.Repo(beckon.Project{Dir: s.dirs["dash"]}).Loss(t.Context(), workdir.Worktree{
		Dir: row.Worktree, Branch: row.Branch, Base: row.Base, BaseCommit: row.BaseCommit,
	})
	at := time.Now()
	if err == nil {
		_, err = s.Store.Parts.Update(t.Context(), dash.ID, func(r *rows.Row) error {
			r.Leaving = rows.Leaving{Token: loss.Token, At: at.UnixMilli()}
			return nil
		})
	}
	if err = errors.Join(err, s.Store.Intents.Save(t.Context(), task.ID, store.IntentDiscard)); err != nil {
		t.Fatal(err)
	}
	gitAt(t, dash.Worktree, "add", "-A")
	kept := gitAt(t, dash.Worktree, "commit-tree", "-m", "kept", "-p", "HEAD", gitAt(t, dash.Worktree, "write-tree"))
	gitAt(t, dash.Worktree, "reset", "-q")
	gitAt(t, dash.Worktree, "update-ref", fmt.Sprintf("refs/beckon/discarded/%s/%d", dash.Branch, at.Unix()), kept)
	for _, name := range []string{"loose.txt", "dash.txt", ".git"} {
		if err := os.Remove(filepath.Join(dash.Worktree, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Board.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := gitAt(t, s.dirs["dash"], "diff", "--name-only", kept, s.parts(t, task.ID)[1].Branch); got != "" || s.Now(task.ID).Status != beckon.Review {
		t.Errorf("the branch lacks %s", got)
	}
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); err != nil {
		t.Fatal(err)
	}
	if got := s.parts(t, task.ID)[1]; got.State != reviewing.PartClean || got.Files != 2 {
		t.Errorf("the part is %+v", got)
	}
}

// TestWorkComesBackAsItWasThoughAnEarlierDiscardOfItsSecondKeptLess: refs are named by whole
// seconds, and the next of one second has a later one.
func TestWorkComesBackAsItWasThoughAnEarlierDiscardOfItsSecondKeptLess(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	dash := s.parts(t, task.ID)[1]
	for at := range 20 {
		ref := fmt.Sprintf("refs/beckon/discarded/%s/%d", dash.Branch, time.Now().Unix()+int64(at))
		gitAt(t, s.dirs["dash"], "update-ref", ref, dash.Base)
	}
	s.discarded(t, task.ID)
	if _, err := s.Board.Restore(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if got := s.parts(t, task.ID)[1]; got.State != reviewing.PartClean || got.Files != dash.Files {
		t.Errorf("the part is %+v, and was %+v", got, dash)
	}
}

// TestWorkThatWasRestoredWhileItsRepositoryWasAwayComesBackWithThat.
func TestWorkThatWasRestoredWhileItsRepositoryWasAwayComesBackWithThat(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n")
	task := s.worked(t)
	s.discarded(t, task.ID)
	for _, dir := range s.dirs {
		if err := os.Rename(dir, dir+"-away"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Board.Restore(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	for _, dir := range s.dirs {
		if err := os.Rename(dir+"-away", dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "proto"); err != nil {
		t.Fatal(err)
	}
	if got := s.states(t, task.ID); got != "proto clean, dash none, sample clean" {
		t.Errorf("opened are %s", got)
	}
	if _, err := s.Runner.SendBack(t.Context(), task.ID, beckon.NewMessage{Text: "Go on."}); err != nil {
		t.Fatal(err)
	}
	s.Until("the second run", func() bool { return s.Seen.Runs[task.ID].Number == 2 })
	s.Ended(task.ID)
	if got := s.states(t, task.ID); got != "proto clean, dash clean, sample clean" {
		t.Errorf("after a run they are %s", got)
	}
}

// TestWhatATaskDidBeforeItWasStartedOverStaysKept in every repository, and comes back in none,
// also where Beckon was killed before all was written down.
func TestWhatATaskDidBeforeItWasStartedOverStaysKept(t *testing.T) {
	t.Parallel()
	s := startSeveral(t, "text Done.\n\ntext Done.\n")
	task := s.worked(t)
	loss, err := s.Board.Loss(t.Context(), task.ID)
	if err == nil {
		_, err = s.Board.StartOver(t.Context(), task.ID, loss.Token)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Until("the second run", func() bool { return s.Seen.Runs[task.ID].Number == 2 })
	s.Ended(task.ID)
	kept := func(id string) {
		t.Helper()
		for _, name := range []string{"proto", "dash"} {
			row, err := s.Store.Parts.One(t.Context(), id+"/"+name)
			if err != nil || row.BeforeRef == "" || row.BeforeUntil <= beckon.Now() || row.KeptRef != "" {
				t.Fatalf("the row is %+v, %v", row, err)
			}
			gitAt(t, s.dirs[name], "show", row.BeforeRef+":changed-"+name+".txt")
		}
	}
	kept(task.ID)
	if _, err := s.Board.OpenRepository(t.Context(), task.ID, "dash"); err != nil {
		t.Fatal(err)
	}
	kept(task.ID)
	if got := s.states(t, task.ID); got != "proto unchanged, dash unchanged, sample unchanged" {
		t.Error(got)
	}
	// Killed once the card was written.
	over := s.worked(t)
	s.discarded(t, over.ID)
	again := func() {
		t.Helper()
		err := s.Store.Intents.Save(t.Context(), over.ID, store.IntentDiscard)
		if err = errors.Join(err, s.Board.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	again()
	if got := s.states(t, over.ID); got != "proto none, dash none, sample none" {
		t.Errorf("in the archive are %s", got)
	}
	if _, err := s.Board.Update(t.Context(), over.ID, func(t *beckon.Task) error {
		t.Status, t.Resolution = beckon.Review, ""
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	again()
	kept(over.ID)
}
