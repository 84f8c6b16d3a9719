package git

import (
	"errors"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/git/workdir"
)

// A project that is trusted while an agent works in it is still one
// repository: two changes of its refs must not meet.
func TestOneFolderHasOneLockWhateverItsTrust(t *testing.T) {
	t.Parallel()
	var p Pool
	trusted, untrusted := p.Open("/a/b", true), p.Open("/a/b/", false)
	if trusted.mu != untrusted.mu || p.Open("/a/c", true).mu == trusted.mu {
		t.Error("a folder has no lock of its own, or more than one")
	}
	if !trusted.trusted || untrusted.trusted {
		t.Error("trust went from one to the other")
	}
}

// Beckon was killed while it wrote the files: most look deleted, and a commit
// would delete them in the branch.
func TestAWorktreeThatWasNeverFilledIsMadeAgain(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	b.git(b.repo.dir, "worktree", "remove", b.w.Dir)
	b.git(b.repo.dir, "worktree", "add", "-q", "--no-checkout", "--lock", "--reason", workdir.Filling, b.w.Dir, b.w.Branch)
	b.write(b.w.Dir, "a.txt", "one\n")
	_, ok, err := b.repo.CommitAll(b.ctx, b.w, "task", nil)
	var gone *WorktreeGoneError
	if ok || !errors.As(err, &gone) || !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("committed %v, error %v", ok, err)
	}
	if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
	if out := b.git(b.w.Dir, "status", "--porcelain"); out != "" || b.read(b.w.Dir, "b.txt") != "two\n" {
		t.Errorf("the worktree is not whole: %s", out)
	}
	if err := b.repo.RemoveWorktree(b.ctx, b.w); err != nil {
		t.Errorf("it stays locked: %v", err)
	}
}
