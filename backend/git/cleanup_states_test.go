package git

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// operations are what git has begun in a worktree and not ended, and ways to set one up
// that git's own commands differ by.
var operations = []step{
	{"merge in progress", func(c *cleaner) { c.conflict("merge", "-q") }},
	{"merge in progress, half resolved", func(c *cleaner) {
		if c.conflict("merge", "-q") {
			name := c.file()
			c.write(c.w.Dir, name, c.text())
			c.git(c.w.Dir, "add", "--sparse", "--", name)
			c.write(c.w.Dir, name, c.text())
		}
	}},
	{"merge over what was not committed", func(c *cleaner) {
		c.write(c.w.Dir, "f3.txt", c.text())
		c.conflict("merge", "-q", "--autostash")
	}},
	{"rebase in progress", func(c *cleaner) { c.conflict("rebase", "-q") }},
	{"rebase of several in progress", func(c *cleaner) {
		c.commitNow()
		c.conflict("rebase", "-q")
		c.try("commit", "-q", "-am", c.text())
	}},
	{"rebase over what was not committed", func(c *cleaner) {
		c.write(c.w.Dir, "f3.txt", c.text())
		c.conflict("rebase", "-q", "--autostash")
	}},
	{"rebase by mail in progress", func(c *cleaner) { c.conflict("rebase", "-q", "--apply") }},
	{"cherry-pick in progress", func(c *cleaner) { c.conflict("cherry-pick") }},
	{"symlink", func(c *cleaner) { c.link(fmt.Sprint("nowhere ", c.text())) }},
	{"symlink to a folder", func(c *cleaner) {
		outside := filepath.Join(c.data, fmt.Sprint("outside", c.n))
		text := c.text()
		c.write(outside, "theirs.txt", text)
		c.link(outside)
		c.ended = append(c.ended, func() {
			if c.read(outside, "theirs.txt") != text {
				c.Errorf("what a link led to changed after %q", c.steps)
			}
		})
	}},
	{"changed mode", func(c *cleaner) {
		name := c.file()
		if !c.plain(name) {
			c.write(c.w.Dir, name, c.text())
		}
		if err := os.Chmod(filepath.Join(c.w.Dir, name), 0o755); err != nil {
			c.Fatal(err)
		}
	}},
	{"a folder for a file", func(c *cleaner) {
		name := c.file()
		if err := os.RemoveAll(filepath.Join(c.w.Dir, name)); err != nil {
			c.Fatal(err)
		}
		c.write(c.w.Dir, name+"/inner.txt", c.text())
	}},
	{"sparse checkout", func(c *cleaner) { c.try("sparse-checkout", "set", "--no-cone", "/f0.txt", "/.gitignore") }},
	{"a file outside of the sparse checkout", func(c *cleaner) {
		if c.try("sparse-checkout", "set", "--no-cone", "/f0.txt", "/.gitignore") {
			c.write(c.w.Dir, "f1.txt", c.text())
		}
	}},
	{"pushed", func(c *cleaner) {
		c.commitNow()
		c.push()
	}},
	{"unpushed", func(c *cleaner) {
		c.commitNow()
		c.push()
		c.commitNow()
	}},
	{"reset to what was pushed", func(c *cleaner) {
		c.push()
		c.commitNow()
		c.try("reset", "-q", "--hard", "HEAD~1")
	}},
	{"unborn branch", func(c *cleaner) { c.try("checkout", "-q", "--orphan", fmt.Sprint("orphan", c.n)) }},
	{"submodule", func(c *cleaner) { c.submodule() }},
	{"submodule that is not checked out any more", func(c *cleaner) {
		if name := c.submodule(); name != "" {
			c.try("submodule", "--quiet", "deinit", "--force", "--", name)
		}
	}},
	{"bare repository", func(c *cleaner) { c.bare("") }},
	{"ignored bare repository", func(c *cleaner) {
		c.bare("ignored")
		c.stays = true
	}},
	{"worktree in the worktree", func(c *cleaner) {
		name := fmt.Sprint("inner", c.n)
		if c.try("worktree", "add", "-q", "--detach", name) {
			c.write(filepath.Join(c.w.Dir, name), "new.txt", c.text())
			c.stays = true
		}
	}},
}

// Each of them alone is discarded without a loss.
func TestWhatGitHasBegunIsDiscardedWithoutALoss(t *testing.T) {
	t.Parallel()
	for _, s := range operations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := &cleaner{bench: newBench(t, cleaned), random: rand.New(rand.NewPCG(1, 1)), kept: map[string]string{}}
			c.begin(0)
			c.do(s)
			err := c.cleanUp(noFault, false)
			if stays := exists(c.w.Dir); stays != c.stays {
				t.Errorf("the folder stays: %t, want %t; %v", stays, c.stays, err)
			}
			c.account()
		})
	}
}

// born reports whether there is a commit yet on what is checked out.
func (c *cleaner) born() bool { return c.try("rev-parse", "--verify", "--quiet", "HEAD") }

// conflict has git take a commit into the worktree that no ref has and that does not go
// together with what is there, and reports whether it stopped at that.
func (c *cleaner) conflict(command string, args ...string) bool {
	if !c.born() || c.git(c.w.Dir, "ls-files", "--unmerged") != "" {
		return false
	}
	before := c.git(c.w.Dir, "rev-parse", "HEAD")
	c.write(c.w.Dir, "ours.txt", c.text())
	c.git(c.w.Dir, "add", "--sparse", "ours.txt")
	if !c.try("commit", "-q", "-m", c.text(), "ours.txt") {
		return false
	}
	ours := c.git(c.w.Dir, "rev-parse", "HEAD:ours.txt")
	c.owe(c.git(c.w.Dir, "rev-parse", "HEAD"))
	g := c.repo.in(c.w.Dir)
	g.Input = c.text()
	other := must(g.Line(c.ctx, "hash-object", "-w", "--stdin"))(c)
	g.Input = strings.ReplaceAll(c.git(c.w.Dir, "ls-tree", "HEAD"), ours, other) + "\n"
	theirs := c.git(c.w.Dir, "commit-tree", must(g.Line(c.ctx, "mktree"))(c), "-p", before, "-m", c.text())
	c.try(append(append([]string{command}, args...), theirs)...)
	if c.git(c.w.Dir, "ls-files", "--unmerged") == "" {
		return false // it refused to begin
	}
	c.taken = append(c.taken, theirs)
	return true
}

// oweTaken owes what was to be taken into the worktree, unless git has let go of it.
func (c *cleaner) oweTaken() {
	var notes strings.Builder
	err := filepath.WalkDir(c.git(c.w.Dir, "rev-parse", "--absolute-git-dir"),
		func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				notes.WriteString(c.read("", name))
			}
			return err
		})
	if err != nil {
		c.Fatal(err)
	}
	for _, commit := range c.taken {
		if strings.Contains(notes.String(), commit) {
			c.owe(commit)
		}
	}
}

// link makes a symbolic link where nothing is.
func (c *cleaner) link(target string) {
	name := filepath.Join(c.w.Dir, c.file())
	if err := os.RemoveAll(name); err != nil {
		c.Fatal(err)
	}
	if err := os.Symlink(strings.TrimSpace(target), name); err != nil {
		c.Skip(err)
	}
}

// push pushes what is checked out to a repository elsewhere.
func (c *cleaner) push() {
	if c.remote == "" {
		c.remote = filepath.Join(filepath.Dir(c.repo.dir), "remote.git")
		c.git(c.repo.dir, "init", "-q", "--bare", c.remote)
		c.git(c.repo.dir, "remote", "add", "origin", c.remote)
	}
	c.try("push", "-q", "--force", "-u", "origin", "HEAD:refs/heads/"+c.w.Branch)
}

// submodule adds one with a commit of its own, and returns its name.
func (c *cleaner) submodule() string {
	source := filepath.Join(c.data, fmt.Sprint("source", c.n))
	c.git(c.repo.dir, "init", "-q", source)
	c.git(source, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", c.text())
	name := fmt.Sprint("module", c.n)
	if !c.try("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--force", source, name) {
		return ""
	}
	c.git(filepath.Join(c.w.Dir, name), "-c", "user.name=x", "-c", "user.email=x", "commit", "-q",
		"--allow-empty", "-m", c.text())
	c.stays = true
	return name
}

// bare makes a bare repository in a folder of the worktree.
func (c *cleaner) bare(folder string) {
	name := filepath.Join(c.w.Dir, folder, fmt.Sprintf("bare%d.git", c.n))
	c.git(c.repo.dir, "init", "-q", "--bare", "--template=", name)
	c.write(name, "note", c.text())
}

// executable stands before the hash of a file that must be found as one that runs.
const executable = "100755 "

// executables are the files that can be run.
func (c *cleaner) executables() map[string]bool {
	found := map[string]bool{}
	for name := range c.files() {
		info, err := os.Lstat(filepath.Join(c.w.Dir, name))
		found[name] = err == nil && info.Mode().IsRegular() && info.Mode()&0o100 != 0
	}
	return found
}

// plain reports whether a file of that name is in the worktree.
func (c *cleaner) plain(name string) bool {
	info, err := os.Lstat(filepath.Join(c.w.Dir, name))
	return err == nil && info.Mode()&fs.ModeType == 0
}
