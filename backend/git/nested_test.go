package git

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beckon/backend/beckon/reviewing"
)

// planter puts repositories into a worktree as agents do.
type planter struct {
	*bench
	random *rand.Rand
	repos  []string // folders that have one, the worktree first
	n      int
}

func newPlanter(b *bench, seed uint64) *planter {
	return &planter{bench: b, random: rand.New(rand.NewPCG(seed, 2)), repos: []string{b.w.Dir}}
}

// plant makes one more repository in a random place, in a random way.
func (p *planter) plant() string {
	p.Helper()
	parent := p.repos[p.random.IntN(len(p.repos))]
	p.n++
	name := fmt.Sprint([]string{
		"", "deep/down/", "ignored/",
		names[p.random.IntN(len(names))] + "/",
	}[p.random.IntN(4)], "sub", p.n)
	dir := filepath.Join(parent, name)
	kinds := []string{"init", "gitlink", "clone", "submodule", "deinit", "bare", "linked", "file"}
	kind := kinds[p.random.IntN(len(kinds))]
	local := []string{"-c", "protocol.file.allow=always"}
	switch kind {
	case "init", "gitlink":
		p.git(parent, "init", "-q", "--", dir)
		p.fill(dir)
		if kind == "gitlink" {
			p.git(parent, "add", "-f", "--", name)
			p.git(parent, "commit", "-q", "-m", "gitlink")
		}
	case "clone":
		p.git(parent, "clone", "-q", p.repo.dir, dir)
		p.fill(dir)
	case "submodule", "deinit":
		name, dir = fmt.Sprint("module", p.n), filepath.Join(parent, fmt.Sprint("module", p.n))
		p.git(parent, append(local, "submodule", "--quiet", "add", "-f", p.repo.dir, name)...)
		p.git(parent, "commit", "-q", "-m", "submodule")
		p.fill(dir)
		if kind == "deinit" {
			p.git(parent, "submodule", "--quiet", "deinit", "-f", name)
			return kind + " " + name
		}
	case "bare":
		dir = filepath.Join(parent, "ignored", fmt.Sprint("bare", p.n))
		p.git(parent, "clone", "-q", "--bare", p.repo.dir, dir)
		return kind + " " + dir
	case "linked": // a worktree of another repository
		p.git(p.repo.dir, "worktree", "add", "-q", "--detach", dir)
		p.fill(dir)
	case "file":
		p.write(parent, "ignored/x", "x")
		p.git(parent, "init", "-q", "--separate-git-dir", filepath.Join(parent, "ignored", fmt.Sprint("git", p.n)), "--", dir)
		p.fill(dir)
	}
	p.repos = append(p.repos, dir)
	return kind + " " + name
}

// fill makes a commit that is nowhere else, and leaves something uncommitted.
func (p *planter) fill(dir string) {
	p.Helper()
	for _, key := range []string{"user.name", "user.email"} {
		p.git(dir, "config", key, "x@example.org")
	}
	if p.random.IntN(4) > 0 {
		p.commit(dir, "own.txt", fmt.Sprint("only here ", p.n))
	} else {
		p.git(dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint("only here ", p.n))
	}
	if p.random.IntN(2) == 0 {
		p.write(dir, "loose.txt", fmt.Sprint("not committed ", p.n))
	}
}

// print is a digest of all that is on the disk: worktree and repository.
func (p *planter) print() string {
	p.Helper()
	sum := sha256.New()
	for _, top := range []string{p.w.Dir, p.repo.dir} {
		err := filepath.WalkDir(top, func(name string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !strings.HasSuffix(name, "/index") { // git refreshes its times
				text, err := os.ReadFile(name)
				fmt.Fprintf(sum, "%q %x %v\n", name, sha256.Sum256(text), err)
			}
			return err
		})
		if err != nil {
			p.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// Whatever repositories lie inside a worktree, Discard and archiving name them
// and leave every file on the disk.
func TestRepositoriesInsideAWorktreeAreNeverLost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n", ".gitignore": "ignored/\n"})
			p := newPlanter(b, seed)
			var planted []string
			for range 1 + p.random.IntN(4) {
				planted = append(planted, p.plant())
			}
			if p.random.IntN(2) == 0 {
				b.git(b.w.Dir, "submodule", "--quiet", "deinit", "-f", "--all")
			}
			before := p.print()
			loss := must(b.repo.Loss(b.ctx, b.w))(t)
			if len(loss.Repositories) == 0 {
				t.Errorf("the loss names none of %q", planted)
			}
			b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), "repositories inside it")
			b.conflict(b.repo.RemoveWorktree(b.ctx, b.w), "")
			if p.print() != before {
				t.Errorf("files went, of %q", planted)
			}
		})
	}
}

// A repository that is only files of the branch, as a test's data, is none of
// ours: they are kept like any other.
func TestCommittedFilesThatLookLikeARepositoryDoNotStopADiscard(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{
		"testdata/r.git/HEAD": "ref: x\n", "testdata/r.git/objects/a": "x",
		"testdata/r.git/refs/b": "x",
	})
	b.write(b.w.Dir, "testdata/r.git/refs/c", "new")
	content := b.content()
	if loss := b.discard(); len(loss.Repositories) > 0 {
		t.Errorf("the loss names %q", loss.Repositories)
	}
	b.kept(content, nil)
}

// The card would go to Done while the files of an agent's own repository are
// not in the merge.
func TestMergeNamesTheRepositoriesThatItWouldLeaveBehind(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(b *bench){
		"untracked": func(b *bench) {
			b.git(b.w.Dir, "init", "-q", "lib")
			b.write(b.w.Dir, "lib/code.go", "package lib\n")
		},
		"gitlink": func(b *bench) {
			b.git(b.w.Dir, "init", "-q", "lib")
			b.git(b.w.Dir, "-C", "lib", "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x")
			b.git(b.w.Dir, "add", "lib")
			b.git(b.w.Dir, "commit", "-q", "-m", "gitlink")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withTask(t, map[string]string{"a.txt": "one\n"})
			b.commit(b.w.Dir, "a.txt", "two\n")
			plant(b)
			before := b.git(b.repo.dir, "rev-parse", "main")
			if diff := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t); !strings.Contains(diff.Refusal.String(), "(lib") {
				t.Errorf("the review says %q", diff.Refusal)
			}
			_, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge")
			b.conflict(err, "(lib")
			if now := b.git(b.repo.dir, "rev-parse", "main"); now != before {
				t.Error("it was merged")
			}
		})
	}
}

func TestSubmodulesOfTheProjectAreMerged(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{"a.txt": "one\n"})
	b.git(b.w.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, "sub")
	b.git(b.w.Dir, "commit", "-q", "-m", "submodule")
	must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
}
