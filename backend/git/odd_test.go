package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
)

// odd is a kind of repository, and what does not work there.
type odd struct {
	make func(b *bench)
	// refused is the action that is refused, and says what to do by these words;
	// empty: all work.
	refused, says string
	// gone is done once the worktree is there.
	gone func(b *bench)
}

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

var odds = map[string]odd{
	"plain": {},
	"submodule": {make: func(b *bench) {
		b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, "sub")
		b.git(b.repo.dir, "commit", "-q", "-m", "submodule")
	}},
	"pointers of LFS without git-lfs": {make: func(b *bench) {
		b.write(b.repo.dir, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
		b.git(b.repo.dir, "config", "filter.lfs.process", "git-lfs-is-not-here filter-process")
		b.git(b.repo.dir, "config", "filter.lfs.required", "true")
		b.git(b.repo.dir, "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false", "add", ".gitattributes")
		b.write(b.repo.dir, "large.bin", pointer)
		b.git(b.repo.dir, "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false", "add", "large.bin")
		b.git(b.repo.dir, "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false", "commit", "-q", "-m", "pointer")
	}},
	"shallow clone": {make: func(b *bench) {
		b.commit(b.repo.dir, "a.txt", "two\n")
		b.reopen("shallow", "clone", "-q", "--depth=1", "file://"+b.repo.dir)
	}},
	"worktree of a bare repository": {make: func(b *bench) {
		bare := filepath.Join(filepath.Dir(b.repo.dir), "bare.git")
		b.git(b.repo.dir, "clone", "-q", "--bare", b.repo.dir, bare)
		b.git(bare, "worktree", "add", "-q", filepath.Join(b.data, "main"), "main")
		b.open(filepath.Join(b.data, "main"))
	}},
	"bare repository": {make: func(b *bench) {
		b.reopen("bare.git", "clone", "-q", "--bare", b.repo.dir)
	}, refused: "add", says: "add a clone of it"},
	"names that differ in case": {make: func(b *bench) {
		b.write(b.repo.dir, "readme.md", "small\n")
		b.commit(b.repo.dir, "README.md", "large\n")
	}},
	"branch that differs in case": {make: func(b *bench) {
		b.git(b.repo.dir, "branch", "Beckon/KES-1")
	}},
	"no user.name": {make: func(b *bench) {
		b.git(b.repo.dir, "config", "--unset", "user.name")
		b.git(b.repo.dir, "config", "--unset", "user.email")
	}},
	"detached": {make: func(b *bench) { b.git(b.repo.dir, "checkout", "-q", "--detach") }},
	"empty": {make: func(b *bench) {
		dir := filepath.Join(filepath.Dir(b.repo.dir), "empty")
		b.git(b.repo.dir, "init", "-q", dir)
		b.open(dir)
	}, refused: "add", says: "no branch with a commit yet"},
	"base deleted before the start": {make: func(b *bench) {
		b.git(b.repo.dir, "checkout", "-q", "-b", "other")
	}, refused: "start", says: "is gone: choose another", gone: nil},
	"base deleted": {gone: func(b *bench) {
		b.git(b.repo.dir, "checkout", "-q", "-b", "other")
		b.git(b.repo.dir, "branch", "-q", "-D", "main")
	}, refused: "merge", says: "is gone"},
	"base renamed": {gone: func(b *bench) {
		b.git(b.repo.dir, "branch", "-q", "-m", "main", "trunk")
	}, refused: "merge", says: "is gone"},
}

// open makes the folder dir the project's.
func (b *bench) open(dir string) {
	b.repo = b.repo.pool.Open(must(filepath.EvalSymlinks(dir))(b), b.repo.trusted)
}

// reopen runs git with a new folder behind its arguments, which becomes the project's.
func (b *bench) reopen(name string, args ...string) {
	b.Helper()
	dir := filepath.Join(filepath.Dir(b.repo.dir), name)
	b.git(b.repo.dir, append(args, dir)...)
	b.open(dir)
}

// TestOddRepositoriesWorkOrSayWhatDoesNot takes each from being added to work that is
// merged, and work that is discarded and brought back.
func TestOddRepositoriesWorkOrSayWhatDoesNot(t *testing.T) {
	t.Parallel()
	for name, o := range odds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n"})
			b.repo.trusted = !strings.Contains(name, "LFS") // whose filter is not there
			if o.make != nil {
				o.make(b)
			}
			at, err := b.wholeWay(name, o.gone)
			switch {
			case o.refused == "" && err != nil:
				t.Errorf("%s: %v", at, err)
			case o.refused != "" && (err == nil || at != o.refused || !strings.Contains(err.Error(), o.says)):
				t.Errorf("%s is refused: %v; want %s to say %q", at, err, o.refused, o.says)
			case err != nil && !slices.ContainsFunc([]error{beckon.ErrConflict, beckon.ErrInvalid, beckon.ErrNotFound},
				func(kind error) bool { return errors.Is(err, kind) }):
				t.Errorf("%s fails without a kind: %v", at, err)
			}
		})
	}
}

// wholeWay does all that a person does, until something is refused.
func (b *bench) wholeWay(name string, gone func(*bench)) (at string, err error) {
	b.Helper()
	found, err := Inspect(b.ctx, b.repo.dir)
	if err != nil {
		return "add", err
	}
	base := found.Base
	if strings.HasPrefix(name, "base deleted before") {
		b.git(b.repo.dir, "branch", "-q", "-D", base)
	}
	if b.w, err = b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", base); err != nil {
		return "start", err
	}
	b.write(b.w.Dir, "work.txt", "work\n")
	if _, ok, err := b.repo.CommitAll(b.ctx, b.w, "Work", nil); err != nil || !ok {
		return "commit", err
	}
	if gone != nil {
		gone(b)
	}
	d, err := b.repo.Diff(b.ctx, b.w, reviewing.View{})
	if err == nil && len(d.Files) != 1 {
		b.Errorf("the diff has %d files", len(d.Files))
	}
	if err != nil {
		return "diff", err
	}
	if at, err := b.discardAndBack(); err != nil {
		return at, err
	}
	if _, err = b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"); err != nil {
		return "merge", err
	}
	if text := b.git(b.repo.dir, "show", base+":work.txt"); text != "work" {
		b.Errorf("the base has %q", text)
	}
	return "archive", b.repo.RemoveWorktree(b.ctx, b.w)
}

// discardAndBack discards the worktree with a file that is not committed, and brings
// both back.
func (b *bench) discardAndBack() (at string, err error) {
	b.Helper()
	b.write(b.w.Dir, "late.txt", "late\n")
	loss, err := b.repo.Loss(b.ctx, b.w)
	if err == nil {
		err = b.repo.Discard(b.ctx, b.w, loss.Token)
	}
	if err != nil {
		return "discard", err
	}
	list, err := b.repo.Discarded(b.ctx)
	if err != nil || len(list) != 1 {
		b.Fatalf("kept: %+v, %v", list, err)
	}
	if b.w.Branch, err = b.repo.Restore(b.ctx, list[0].Ref, ""); err != nil {
		return "restore", err
	}
	if err := b.repo.RestoreWorktree(b.ctx, b.w); err != nil {
		return "restore", err
	}
	if text, err := os.ReadFile(filepath.Join(b.w.Dir, "late.txt")); err != nil || string(text) != "late\n" {
		b.Errorf("came back: %q, %v", text, err)
	}
	return "", nil
}
