package board_test

import (
	"os"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
)

func TestATaskIsAsFarBehindAsItsBaseWentOn(t *testing.T) {
	t.Parallel()
	d := start(t, "write new.txt hello\n")
	idle := d.Card("Later")
	task, _ := d.Ended(d.Run(beckon.NewTask{Title: "Write"}).ID)
	behind := func(id string, want int) {
		t.Helper()
		if n, err := d.Board.Behind(t.Context(), id); err != nil || n != want {
			t.Errorf("%d behind, %v; want %d", n, err, want)
		}
	}
	behind(task.ID, 0)
	commit := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(d.Project.Dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		d.Git("add", name)
		d.Git("commit", "-m", name)
	}
	commit("one")
	commit("two")
	behind(task.ID, 2)
	behind(idle.ID, 0) // it has no branch yet
	if _, err := d.Board.UpdateFromBase(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	behind(task.ID, 0)
	commit("three")
	d.Git("worktree", "remove", "--force", task.Worktree)
	d.Git("branch", "-D", task.Branch)
	behind(task.ID, 0) // nothing is left that could be
}
