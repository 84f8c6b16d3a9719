package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// vault is a filter as git-crypt's: its key lies in the git folder of the worktree, and
// without that neither a checkout nor a commit is possible.
const vault = `#!/bin/sh
key=$(git rev-parse --git-dir)/git-crypt/keys/default
test -f "$key" || { echo "vault: cannot open $key" >&2; exit 1; }
exec tr a-z n-za-m
`

// lock encrypts a file of the repository by vault.
func lock(t *testing.T, b *bench) {
	t.Helper()
	b.write(b.repo.dir, ".git/vault", vault)
	b.write(b.repo.dir, ".git/git-crypt/keys/default", "key")
	if err := os.Chmod(filepath.Join(b.repo.dir, ".git/vault"), 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(b.repo.dir, ".git/vault")
	for _, way := range []string{"clean", "smudge"} {
		b.git(b.repo.dir, "config", "filter.git-crypt."+way, program)
	}
	b.git(b.repo.dir, "config", "filter.git-crypt.required", "true")
}

// crypt does it by the real git-crypt.
func crypt(t *testing.T, b *bench) {
	t.Helper()
	if _, err := exec.LookPath("git-crypt"); err != nil {
		t.Skip("git-crypt is not installed")
	}
	cmd := exec.CommandContext(t.Context(), "git-crypt", "init")
	cmd.Dir = b.repo.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestARepositoryWithFilesThatAreEncryptedHasTasks: the key that their filter needs is in
// the repository's git folder, which is not that of a worktree.
func TestARepositoryWithFilesThatAreEncryptedHasTasks(t *testing.T) {
	t.Parallel()
	for name, encrypt := range map[string]func(*testing.T, *bench){"a filter": lock, "git-crypt": crypt} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{".gitattributes": "*.secret filter=git-crypt\n"})
			b.repo.trusted = true
			encrypt(t, b)
			b.commit(b.repo.dir, "a.secret", "the word is plum\n")
			if stored := b.git(b.repo.dir, "cat-file", "-p", "HEAD:a.secret"); strings.Contains(stored, "plum") {
				t.Fatalf("the repository has %q in clear", stored)
			}
			b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1-work", "main"))(t)
			if text := b.read(b.w.Dir, "a.secret"); text != "the word is plum\n" {
				t.Errorf("the worktree has %q", text)
			}
			b.write(b.w.Dir, "a.secret", "the word is fig\n")
			if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(b.w.Dir); err != nil {
				t.Fatal(err)
			}
			if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
				t.Fatal(err)
			}
			if text := b.read(b.w.Dir, "a.secret"); text != "the word is fig\n" {
				t.Errorf("restored, the worktree has %q", text)
			}
		})
	}
}
