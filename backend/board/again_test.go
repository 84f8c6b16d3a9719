package board_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reason"
)

// TestAWorktreeThatIsRemovedUnderItsAgentIsNoDeletion: the agent's next file makes the folder
// again, without all others.
func TestAWorktreeThatIsRemovedUnderItsAgentIsNoDeletion(t *testing.T) {
	t.Parallel()
	d := start(t, "ask Which? | Left | Right\n")
	task := d.Run(beckon.NewTask{Title: "Write"})
	q := d.Question("Which?")
	dir := d.Now(task.ID).Worktree
	before := strings.Fields(d.Git("ls-tree", "-r", "--name-only", "main"))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "new.txt"), []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Choose(q, "Left")
	now, run := d.Ended(task.ID)
	if run.Outcome != beckon.Succeeded || !now.Trouble.Is(reason.MadeAgain) || now.Changes.Files != 1 {
		t.Errorf("the run %s, and the card says %q of %+v", run.Outcome, now.Trouble, now.Changes)
	}
	want := append(before, "new.txt")
	slices.Sort(want)
	if got := strings.Fields(d.Git("ls-tree", "-r", "--name-only", now.Branch)); !slices.Equal(got, want) {
		t.Errorf("the branch has %q, want %q", got, want)
	}
	for _, name := range want {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
