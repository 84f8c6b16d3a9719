package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestALockedRepositoryHasTasksAndAWord: files that nobody here can read are no reason not to
// work on the others, and to write into them would publish what was to be secret.
func TestALockedRepositoryHasTasksAndAWord(t *testing.T) {
	t.Parallel()
	for name, locked := range map[string]func(*testing.T, *bench){"as git-crypt leaves it": relock, "git-crypt": realLock} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{
				".gitattributes": "*.secret filter=git-crypt diff=git-crypt\n*.key filter=git-crypt-team\n",
				"a.txt":          "one\n",
			})
			b.repo.trusted = true
			locked(t, b)
			b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1-work", "main"))(t)
			if lacks := b.repo.Complete(b.ctx, b.w); !slices.Equal(lacks[LockedFiles], []string{"a.secret"}) || len(lacks) != 1 {
				t.Errorf("the worktree lacks %q", lacks)
			}
			if text := b.read(b.w.Dir, "a.secret"); !strings.HasPrefix(text, "\x00GITCRYPT\x00") || text != b.read(b.repo.dir, "a.secret") {
				t.Errorf("the worktree has %.20q", text)
			}
			b.write(b.w.Dir, "a.txt", "two\n")
			if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
				t.Fatal(err)
			}
			if changed := b.git(b.w.Dir, "diff", "--name-only", "main", "HEAD"); changed != "a.txt" {
				t.Errorf("the branch changes %q", changed)
			}
		})
	}
}

// relock has an encrypted file and no filter, as a clone has that nobody unlocked.
func relock(_ *testing.T, b *bench) { b.commit(b.repo.dir, "a.secret", "\x00GITCRYPT\x00 0123456789") }

// realLock encrypts a file by the real git-crypt, and locks it.
func realLock(t *testing.T, b *bench) {
	t.Helper()
	crypt(t, b)
	b.commit(b.repo.dir, "a.secret", "the word is plum\n")
	cmd := exec.CommandContext(t.Context(), "git-crypt", "lock")
	cmd.Dir = b.repo.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
