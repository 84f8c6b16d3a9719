package mirror

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// pair is a worktree, and another of a repository that has what is pushed to it.
type pair struct {
	t           *testing.T
	here, there Worktree
}

func newPair(t *testing.T) pair {
	t.Helper()
	dir := t.TempDir()
	here, bare, there := filepath.Join(dir, "here"), filepath.Join(dir, "bare.git"), filepath.Join(dir, "there")
	for _, args := range [][]string{
		{"init", "-q", "-b", "work", here},
		{"-C", here, "config", "user.name", "Ada"},
		{"-C", here, "config", "user.email", "ada@example.com"},
		{"-C", here, "commit", "-q", "--allow-empty", "-m", "first"},
		{"init", "-q", "--bare", bare},
		{"-C", here, "push", "-q", bare, "work"},
		{"-C", bare, "worktree", "add", "-q", there, "work"},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	p := pair{
		t,
		Worktree{command.Git{Dir: here, Trusted: true}, "work", "refs/beckon/both"},
		Worktree{command.Git{Dir: there, Trusted: true}, "work", "refs/beckon/both"},
	}
	p.move(p.here, p.there)
	return p
}

func (p pair) git(w Worktree, args ...string) string {
	p.t.Helper()
	out, err := w.Git.Line(p.t.Context(), args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func (p pair) write(w Worktree, name, text string) {
	p.t.Helper()
	file := filepath.Join(w.Git.Dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		p.t.Fatal(err)
	}
}

func (p pair) remove(w Worktree, name string) {
	p.t.Helper()
	if err := os.Remove(filepath.Join(w.Git.Dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

// carry takes what one amounts to and brings it to the other's repository.
func (p pair) carry(from, to Worktree) string {
	p.t.Helper()
	commit, err := from.TakeCommit(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	p.git(from, "push", "-q", "--force", p.git(to, "rev-parse", "--path-format=absolute", "--git-common-dir"),
		commit+":refs/beckon/carried")
	return commit
}

// move makes the one what the other is.
func (p pair) move(from, to Worktree) {
	p.t.Helper()
	commit := p.carry(from, to)
	if err := errors.Join(to.PutCommit(p.t.Context(), commit), from.Agree(p.t.Context(), commit)); err != nil {
		p.t.Fatal(err)
	}
}

// same fails the test unless both have the same files and the same last commit.
func (p pair) same() {
	p.t.Helper()
	if here, there := p.git(p.here, "rev-parse", "HEAD"), p.git(p.there, "rev-parse", "HEAD"); here != there {
		p.t.Errorf("here %s, there %s", here, there)
	}
	here, err1 := workdir.Now(p.t.Context(), p.here.Git)
	there, err2 := workdir.Now(p.t.Context(), p.there.Git)
	if here != there || err1 != nil || err2 != nil {
		p.t.Errorf("here %s, there %s; %v, %v", here, there, err1, err2)
	}
}

func TestTheOtherSideBecomesTheSame(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.same()
	p.write(p.there, "a/new.txt", "new\n") // no commit has it
	p.write(p.there, "kept.txt", "one\n")
	p.git(p.there, "add", "kept.txt")
	p.git(p.there, "commit", "-q", "-m", "a commit of the agent's")
	p.write(p.there, "kept.txt", "two\n")
	p.move(p.there, p.here)
	p.same()
	p.remove(p.there, "a/new.txt")
	p.git(p.there, "mv", "kept.txt", "moved.txt")
	p.move(p.there, p.here)
	p.same()
	if _, err := os.Lstat(filepath.Join(p.here.Git.Dir, "a/new.txt")); !os.IsNotExist(err) {
		t.Errorf("a file that is gone there is still here: %v", err)
	}
	p.write(p.here, "back.txt", "from here\n")
	p.move(p.here, p.there)
	p.same()
}

func TestWhatNobodyElseHasIsNotReplaced(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(pair){
		"a file that changed": func(p pair) { p.write(p.here, "kept.txt", "mine\n") },
		"a new file":          func(p pair) { p.write(p.here, "mine.txt", "mine\n") },
		"a file that is gone": func(p pair) { p.remove(p.here, "kept.txt") },
		"a commit":            func(p pair) { p.git(p.here, "commit", "-q", "--allow-empty", "-m", "mine") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			p.write(p.here, "kept.txt", "one\n")
			p.move(p.here, p.there)
			change(p)
			p.write(p.there, "theirs.txt", "theirs\n")
			before := p.git(p.here, "rev-parse", "HEAD") + p.git(p.here, "status", "--porcelain")
			commit := p.carry(p.there, p.here)
			if err := p.here.PutCommit(t.Context(), commit); !errors.Is(err, ErrChanged) {
				t.Errorf("%v", err)
			}
			if now := p.git(p.here, "rev-parse", "HEAD") + p.git(p.here, "status", "--porcelain"); now != before {
				t.Errorf("it was\n%s\nand is\n%s", before, now)
			}
			if has, err := p.here.Has(t.Context(), commit); has || err != nil {
				t.Errorf("it has it: %v, %v", has, err)
			}
		})
	}
}

// TestWhatGitIgnoresHereIsNotReplaced: the other side has files of its own by these names,
// which it ignores no more.
func TestWhatGitIgnoresHereIsNotReplaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ here, there map[string]string }{
		"a file":               {map[string]string{".env": "mine\n"}, map[string]string{".env": "theirs\n"}},
		"a file for a folder":  {map[string]string{"cache/hours": "mine\n"}, map[string]string{"cache": "theirs\n"}},
		"a folder for a file":  {map[string]string{"cache": "mine\n"}, map[string]string{"cache/hours": "theirs\n"}},
		"a file that is equal": {map[string]string{".env": "the same\n"}, map[string]string{".env": "the same\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			p.write(p.here, ".gitignore", ".env\ncache\n")
			p.move(p.here, p.there)
			for name, text := range c.here {
				p.write(p.here, name, text)
			}
			p.write(p.there, ".gitignore", "nothing\n")
			for name, text := range c.there {
				p.write(p.there, name, text)
			}
			err := p.here.PutCommit(t.Context(), p.carry(p.there, p.here))
			if want := name != "a file that is equal"; errors.As(err, new(InTheWay)) != want ||
				errors.Is(err, ErrChanged) != want {
				t.Errorf("%v", err)
			}
			for name, text := range c.here {
				if got, err := os.ReadFile(filepath.Join(p.here.Git.Dir, name)); err != nil || string(got) != text {
					t.Errorf("%s has %q, %v", name, got, err)
				}
			}
		})
	}
}

// TestAPutThatBrokeOffIsDoneAgain: the files are there already, though nothing says so.
func TestAPutThatBrokeOffIsDoneAgain(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.write(p.there, "theirs.txt", "theirs\n")
	commit := p.carry(p.there, p.here)
	p.write(p.here, "theirs.txt", "theirs\n")
	if err := p.here.PutCommit(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	p.same()
}

// TestWhatWasMergedByHandIsHad: after a refusal the user takes it in.
func TestWhatWasMergedByHandIsHad(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.git(p.here, "commit", "-q", "--allow-empty", "-m", "mine")
	p.write(p.there, "theirs.txt", "theirs\n")
	commit := p.carry(p.there, p.here)
	p.git(p.here, "merge", "-q", "-m", "by hand", commit)
	if has, err := p.here.Has(t.Context(), commit); !has || err != nil {
		t.Errorf("%v, %v", has, err)
	}
}

func TestNothingNewIsTheSameCommit(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.write(p.here, "a.txt", "a\n")
	p.move(p.here, p.there)
	shared, err := p.there.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []Worktree{p.here, p.there} {
		if again, err := w.TakeCommit(t.Context()); err != nil || again != shared || strings.TrimSpace(again) == "" {
			t.Errorf("%q, %v; want %q", again, err, shared)
		}
	}
}

func (p pair) reads(w Worktree, name, want string) {
	p.t.Helper()
	if text, err := os.ReadFile(filepath.Join(w.Git.Dir, name)); err != nil || string(text) != want {
		p.t.Errorf("%s holds %q, %v; want %q", name, text, err, want)
	}
}

// TestWhatComesFromElsewhereRunsNoFilterHere: neither one that the user has for all
// repositories, as git-lfs, when the other side names it for a file; what such a filter made
// of files before is what the repository stores, on both sides.
func TestWhatComesFromElsewhereRunsNoFilterHere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	ran := filepath.Join(t.TempDir(), "ran")
	p.git(p.here, "config", "filter.big.clean", "sed s/content/pointer/")
	p.git(p.here, "config", "filter.big.smudge", "tee -a "+ran+" | sed s/pointer/content/")
	p.git(p.here, "config", "filter.big.required", "true")
	p.write(p.here, ".gitattributes", "*.big filter=big\n")
	p.write(p.here, "one.big", "content\n")
	p.git(p.here, "add", ".")
	p.git(p.here, "commit", "-q", "-m", "big")
	p.write(p.here, "two.big", "content two\n")
	if err := p.here.Isolate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.reads(p.here, "one.big", "pointer\n")
	p.reads(p.here, "two.big", "pointer two\n")
	if got := p.git(p.here, "status", "--porcelain"); got != "?? two.big" {
		t.Errorf("status: %q", got)
	}
	p.move(p.here, p.there)
	p.reads(p.there, "two.big", "pointer two\n")
	p.write(p.there, ".gitattributes", "* filter=big\n")
	p.write(p.there, "three.txt", "pointer of what is nowhere\n")
	p.git(p.there, "add", ".")
	p.git(p.there, "commit", "-q", "-m", "theirs")
	p.move(p.there, p.here)
	p.reads(p.here, "three.txt", "pointer of what is nowhere\n")
	p.git(p.here, "checkout", "-q", "HEAD~1")
	p.git(p.here, "checkout", "-q", "work")
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("the filter got %q", text)
	}
}
