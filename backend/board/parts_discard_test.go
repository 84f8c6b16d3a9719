package board_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beckon/backend/beckon"
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
