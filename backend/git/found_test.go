package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
	"beckon/tests/sample"
)

// These are repositories as people have them: large files, a part of the files, a part of the
// history.

// lfs is a filter as git-lfs's: what it stores lies in the repository's own git folder, and what
// is not there it cannot make a file of.
const lfs = `#!/bin/sh
set -e
objects=$(git rev-parse --path-format=absolute --git-common-dir)/lfs/objects
case $1 in
clean)
	mkdir -p "$objects"
	cat > "$objects/new.$$"
	sum=$(git hash-object --no-filters "$objects/new.$$")
	mv "$objects/new.$$" "$objects/$sum"
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 1\n' "$sum"
	;;
smudge)
	sum=$(sed -n 's/^oid sha256://p')
	test -n "$sum" && cat "$objects/$sum"
	;;
esac
`

// storeLarge has the repository keep large files by the filter above.
func storeLarge(t *testing.T, b *bench) {
	t.Helper()
	program := filepath.Join(b.repo.dir, ".git", "lfs-filter")
	b.write(b.repo.dir, ".git/lfs-filter", lfs)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"clean", "smudge"} {
		b.git(b.repo.dir, "config", "filter.lfs."+way, program+" "+way)
	}
	b.git(b.repo.dir, "config", "filter.lfs.required", "true")
}

// realLFS has it keep them by the real git-lfs.
func realLFS(t *testing.T, b *bench) {
	t.Helper()
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("git-lfs is not installed")
	}
	b.git(b.repo.dir, "lfs", "install", "--local")
}

func TestLargeFilesAreWholeInAWorktree(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]func(*testing.T, *bench){"a filter": storeLarge, "git-lfs": realLFS} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n"})
			b.repo.trusted = true
			store(t, b)
			b.commit(b.repo.dir, "a.bin", "the first\n")
			stored := func(of string) string { return b.git(b.repo.dir, "cat-file", "-p", of+":a.bin") }
			if !strings.HasPrefix(stored("main"), "version https://git-lfs") {
				t.Fatalf("the repository has %q", stored("main"))
			}
			b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", "main"))(t)
			if text := b.read(b.w.Dir, "a.bin"); text != "the first\n" {
				t.Errorf("the worktree has %q", text)
			}
			b.write(b.w.Dir, "a.bin", "the second\n")
			if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
				t.Fatal(err)
			}
			if text := stored(b.w.Branch); !strings.HasPrefix(text, "version https://git-lfs") || text == stored("main") {
				t.Errorf("the branch stores %q", text)
			}
			must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
			if text := b.read(b.repo.dir, "a.bin"); text != "the second\n" {
				t.Errorf("merged, the project has %q", text)
			}
		})
	}
}

// TestASparseCheckoutIsInherited: the rest of a large repository is neither written nor taken for
// deleted.
func TestASparseCheckoutIsInherited(t *testing.T) {
	t.Parallel()
	for name, sparse := range map[string]func(b *bench){
		"cone":     func(b *bench) { b.git(b.repo.dir, "sparse-checkout", "set", "--cone", "web") },
		"patterns": func(b *bench) { b.git(b.repo.dir, "sparse-checkout", "set", "--no-cone", "/*", "!/api/") },
		"as before git sparse-checkout": func(b *bench) {
			b.git(b.repo.dir, "config", "core.sparseCheckout", "true")
			b.write(b.repo.dir, ".git/info/sparse-checkout", "/*\n!/api/\n")
			b.git(b.repo.dir, "read-tree", "-mu", "HEAD")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n", "web/a.ts": "one\n", "api/a.go": "package api\n"})
			b.repo.trusted = true
			b.repo.pool.Dir = b.data
			sparse(b)
			if exists(filepath.Join(b.repo.dir, "api")) {
				t.Fatal("the project is not sparse")
			}
			b.fill()
			for i, kind := range []string{"kept ready", "new"} {
				if i == 1 {
					must(0, b.repo.ClearSpares(b.ctx))(t)
				}
				b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes", kind), "beckon/kes-"+kind[:3], "main"))(t)
				if !exists(filepath.Join(b.w.Dir, "web", "a.ts")) || exists(filepath.Join(b.w.Dir, "api")) {
					t.Errorf("a worktree that is %s has other files than the project", kind)
				}
				b.write(b.w.Dir, "web/a.ts", "two\n")
				if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
					t.Fatal(err)
				}
				if changed := b.git(b.w.Dir, "diff", "--name-only", "main", "HEAD"); changed != "web/a.ts" {
					t.Errorf("the branch of one that is %s changes %q", kind, changed)
				}
			}
			must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
			if b.read(b.repo.dir, "web/a.ts") != "two\n" || exists(filepath.Join(b.repo.dir, "api")) || b.git(b.repo.dir, "status", "--porcelain") != "" {
				t.Error("merged, the project is not what it was")
			}
		})
	}
}

// TestAPartialCloneFetchesWhatATaskNeeds, and says so where it cannot.
func TestAPartialCloneFetchesWhatATaskNeeds(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.repo.trusted = true
	origin := filepath.Join(b.data, "origin")
	sample.Empty(t, origin)
	b.git(origin, "config", "uploadpack.allowFilter", "true")
	b.git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	b.commit(origin, "old.txt", "the old one\n")
	b.git(origin, "branch", "dev")
	b.commit(origin, "old.txt", "the present one\n")
	if err := os.RemoveAll(b.repo.dir); err != nil {
		t.Fatal(err)
	}
	b.git(b.data, "clone", "-q", "--filter=blob:none", "file://"+origin, b.repo.dir)
	for _, pair := range []string{"user.name Ada", "user.email ada@example.org"} {
		key, value, _ := strings.Cut(pair, " ")
		b.git(b.repo.dir, "config", key, value)
	}
	b.git(b.repo.dir, "branch", "-q", "dev", "origin/dev")
	missing := func() bool {
		return strings.Contains(b.git(b.repo.dir, "rev-list", "--objects", "--missing=print", "dev"), "?")
	}
	if !missing() {
		t.Fatal("the clone is not partial")
	}
	away := origin + "-away"
	if err := os.Rename(origin, away); err != nil {
		t.Fatal(err)
	}
	if w, err := b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", "dev"); err == nil || exists(w.Dir) {
		t.Errorf("without what it was cloned from there is a worktree: %+v", w)
	} else if !strings.Contains(err.Error(), "origin") {
		t.Errorf("it says %q", err)
	}
	if left := b.git(b.repo.dir, "worktree", "list", "--porcelain") + b.git(b.repo.dir, "branch", "--list", "beckon/*"); strings.Contains(left, "kes-1") {
		t.Errorf("something half made is left: %s", left)
	}
	if err := os.Rename(away, origin); err != nil {
		t.Fatal(err)
	}
	b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", "dev"))(t)
	if text := b.read(b.w.Dir, "old.txt"); text != "the old one\n" || missing() {
		t.Errorf("the worktree has %q", text)
	}
	b.write(b.w.Dir, "old.txt", "another one\n")
	if _, _, err := b.repo.CommitAll(b.ctx, b.w, "work", nil); err != nil {
		t.Fatal(err)
	}
	files := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t).Files
	if len(files) != 1 || !slices.Contains(strings.Split(files[0].Patch, "\n"), "+another one") {
		t.Errorf("the review shows %+v", files)
	}
}
