package look

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAWorktreeIsTracedToItsRepository(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	main := filepath.Join(top, "kestrel")
	write("kestrel/.git/HEAD", "ref: refs/heads/main\n")
	write("kestrel/src/a.go", "")
	write("fix/.git", "gitdir: "+filepath.Join(main, ".git", "worktrees", "fix")+"\n")
	write("fix/src/deep/a.go", "")
	write("beside/.git", "gitdir: ../kestrel/.git/worktrees/beside\n")
	write("kestrel/.git/worktrees/fix/gitdir", filepath.Join(top, "fix", ".git")+"\n")
	write("kestrel/.git/worktrees/beside/gitdir", "../../../../beside/.git\n")
	write("says/.git", "gitdir: "+filepath.Join(main, ".git", "worktrees", "fix")+"\n") // and the repository does not
	write("module/.git", "gitdir: ../kestrel/.git/modules/module\n")
	write("odd/.git", "nothing that git wrote")
	write("plain/a.go", "")
	for dir, want := range map[string]string{
		"fix": main, "fix/src/deep": main, "beside": main,
		"kestrel": "", "kestrel/src": "", "says": "", "module": "", "odd": "", "plain": "", "gone": "",
	} {
		if got := MainWorktree(filepath.Join(top, dir)); got != want {
			t.Errorf("%s is a worktree of %q, want %q", dir, got, want)
		}
	}
}
