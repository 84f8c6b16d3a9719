package git

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// cleaner makes random states of worktrees in one repository, has them removed, and
// knows what must never be lost.
type cleaner struct {
	*bench
	random *rand.Rand
	n      int
	kept   map[string]string // object, or what else account finds: where it came from
	steps  []string          // of the state under way
	owed   []string          // objects that only git's records of this worktree may know
	taken  []string          // commits that git was to take into the worktree
	stays  bool              // the folder may not be removed
	remote string            // a repository that worktrees push to; made when one does
	ended  []func()
}

// owe notes an object that must be found in the end, unless the worktree is still
// there and has it.
func (c *cleaner) owe(object string) { c.owed = append(c.owed, object) }

// try runs git in the worktree, where it may refuse.
func (c *cleaner) try(args ...string) bool {
	cmd := exec.CommandContext(c.ctx, "git", args...)
	cmd.Dir, cmd.Env = c.w.Dir, append(os.Environ(), "GIT_EDITOR=true")
	return cmd.Run() == nil
}

// write makes a file of whatever is there.
func (c *cleaner) write(dir, name, text string) {
	c.Helper()
	if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && !info.Mode().IsRegular() {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			c.Fatal(err)
		}
	}
	c.bench.write(dir, name, text)
}

// stage stages all, what a sparse checkout leaves out included.
func (c *cleaner) stage() { c.git(c.w.Dir, "add", "--sparse", "-A") }

// text is a content that nothing else has.
func (c *cleaner) text() string {
	c.n++
	return fmt.Sprintf("only here %d\n", c.n)
}

// blob is the name that git has for a file's content.
func blob(text string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)))
}

func (c *cleaner) file() string { return fmt.Sprintf("f%d.txt", c.random.IntN(5)) }

// commitNow commits all, and owes the commit.
func (c *cleaner) commitNow(args ...string) {
	c.stage()
	c.git(c.w.Dir, append([]string{"commit", "-q", "--allow-empty", "-m", c.text()}, args...)...)
	c.owe(c.git(c.w.Dir, "rev-parse", "HEAD"))
}

// step is one thing that happens in worktrees.
type step struct {
	name string
	do   func(c *cleaner)
}

var steps = []step{
	{"write", func(c *cleaner) { c.write(c.w.Dir, c.file(), c.text()) }},
	{"untracked", func(c *cleaner) {
		c.write(c.w.Dir, fmt.Sprintf("new/%s/%d", names[c.random.IntN(len(names))], c.n), c.text())
	}},
	{"ignored", func(c *cleaner) { c.write(c.w.Dir, "ignored/x", c.text()) }},
	{"delete", func(c *cleaner) { os.Remove(filepath.Join(c.w.Dir, c.file())) }},
	{"stage", func(c *cleaner) {
		c.write(c.w.Dir, c.file(), c.text())
		c.stage()
	}},
	{"stage and change", func(c *cleaner) {
		name := c.file()
		c.write(c.w.Dir, name, c.text())
		c.stage()
		c.write(c.w.Dir, name, c.text())
	}},
	{"commit", func(c *cleaner) { c.write(c.w.Dir, c.file(), c.text()); c.commitNow() }},
	{"amend", func(c *cleaner) { c.commitNow(); c.commitNow("--amend") }},
	{"reset", func(c *cleaner) { c.commitNow(); c.try("reset", "-q", "--hard", "HEAD~1") }},
	{"detach", func(c *cleaner) {
		if c.try("checkout", "-q", "--detach") {
			c.commitNow()
		}
	}},
	{"leave a detached commit", func(c *cleaner) {
		if c.try("checkout", "-q", "--detach") {
			c.commitNow()
			c.try("checkout", "-q", c.w.Branch) // what is staged may be in the way
		}
	}},
	{"stash", func(c *cleaner) {
		text := c.text()
		c.write(c.w.Dir, "f0.txt", text)
		// It leaves a file that git was asked to overlook.
		if c.try("stash", "push", "-q", "-u") && c.files()["f0.txt"] != text {
			c.kept[blob(text)] = "stash"
		}
	}},
	{"other branch", func(c *cleaner) {
		if c.try("checkout", "-q", "-b", fmt.Sprint("other", c.n)) {
			c.commitNow()
		}
	}},
	{"own ref", func(c *cleaner) {
		if !c.born() {
			return
		}
		commit := c.git(c.w.Dir, "commit-tree", "HEAD^{tree}", "-m", c.text())
		c.git(c.w.Dir, "update-ref", fmt.Sprint("refs/worktree/own", c.n), commit)
		c.owe(commit)
	}},
	{"assume unchanged", func(c *cleaner) {
		name := c.file()
		c.write(c.w.Dir, name, c.text())
		c.stage()
		c.git(c.w.Dir, "update-index", "--assume-unchanged", name)
		c.write(c.w.Dir, name, c.text())
	}},
	{"skip worktree", func(c *cleaner) {
		name := c.file()
		c.write(c.w.Dir, name, c.text())
		c.stage()
		c.git(c.w.Dir, "update-index", "--skip-worktree", name)
		c.write(c.w.Dir, name, c.text())
	}},
	{"intent to add", func(c *cleaner) {
		c.write(c.w.Dir, "intent.txt", c.text())
		c.git(c.w.Dir, "add", "--sparse", "-N", "intent.txt")
	}},
	{"lock", func(c *cleaner) {
		_, _ = c.repo.at().Run(c.ctx, "worktree", "lock", "--reason", "mine", c.w.Dir)
		c.stays = true
	}},
	{"nested repository", func(c *cleaner) { c.nest("init") }},
	{"ignored nested repository", func(c *cleaner) { c.nest("ignored") }},
	{"gitlink", func(c *cleaner) { c.nest("gitlink") }},
}

// nest makes a repository inside the worktree, with a commit of its own.
func (c *cleaner) nest(kind string) {
	name := fmt.Sprint("sub", c.n)
	if kind == "ignored" {
		name = "ignored/" + name
	}
	c.git(c.w.Dir, "init", "-q", name)
	dir := filepath.Join(c.w.Dir, name)
	c.git(dir, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", c.text())
	if kind == "gitlink" {
		c.git(c.w.Dir, "add", "--sparse", "-f", name)
	}
	c.stays = true
}

var noFault = step{"no fault", func(*cleaner) {}}

// faults make looking fail, or removing end in its middle.
var faults = []step{
	{"broken index", func(c *cleaner) {
		c.fault("index", "no index")
	}},
	{"broken head", func(c *cleaner) {
		c.fault("HEAD", "nonsense")
	}},
	{"stopped", func(c *cleaner) {
		var cancel context.CancelFunc
		c.ctx, cancel = context.WithTimeout(c.ctx, time.Duration(c.random.IntN(60))*time.Millisecond)
		c.ended = append(c.ended, cancel)
	}},
	{"in use", func(c *cleaner) {
		if runtime.GOOS != "linux" || !exists(c.w.Dir) {
			return
		}
		shell := exec.Command("sleep", "60")
		shell.Dir = c.w.Dir
		if err := shell.Start(); err != nil {
			c.Fatal(err)
		}
		c.stays = true
		c.ended = append(c.ended, func() { _ = shell.Process.Kill(); _ = shell.Wait() })
	}},
}

// fault writes nonsense into git's record of the worktree.
func (c *cleaner) fault(file, text string) {
	if !exists(c.w.Dir) {
		return
	}
	own := c.git(c.w.Dir, "rev-parse", "--absolute-git-dir")
	c.write(own, file, text)
	c.stays = true
}

// files reads what is in the worktree and not ignored, git's own left out.
func (c *cleaner) files() map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(c.w.Dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.w.Dir, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && (rel == "ignored" || d.Name() == ".git"):
			return fs.SkipDir
		case d.Type().IsRegular() && d.Name() != ".git":
			found[rel] = c.read("", name)
		case d.Type() == fs.ModeSymlink:
			found[rel], err = os.Readlink(name)
		}
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return found
}

// once makes a state, cleans it up and looks what is left.
func (c *cleaner) once(i int) {
	c.begin(i)
	for range c.random.IntN(5) {
		if exists(c.w.Dir) {
			c.take(slices.Concat(steps, operations))
		}
	}
	fault := noFault
	if c.random.IntN(2) == 0 {
		fault = faults[c.random.IntN(len(faults))]
	}
	_ = c.cleanUp(fault, c.random.IntN(2) == 0) // it may refuse
}

// begin makes a worktree that nothing happened in yet.
func (c *cleaner) begin(i int) {
	c.steps, c.owed, c.taken, c.stays, c.ended = nil, nil, nil, false, nil
	c.w = must(c.repo.AddWorktree(c.ctx, filepath.Join(c.data, fmt.Sprint("w", i)), fmt.Sprint("beckon/w", i), "main"))(c)
}

// cleanUp removes the worktree as archiving does, or discarding, looks what is left and
// returns what was in the way.
func (c *cleaner) cleanUp(fault step, archive bool) error {
	outer := c.ctx
	before, modes := c.files(), c.executables()
	c.oweTaken()
	for line := range strings.Lines(c.git(c.w.Dir, "ls-files", "-s")) {
		if mode, rest, _ := strings.Cut(line, " "); mode != "160000" && rest[:40] != blob("") {
			c.owe(rest[:40])
		}
	}
	c.do(fault)
	err := c.remove(archive)
	for _, end := range c.ended {
		end()
	}
	c.ctx = outer
	after := c.files()
	if (c.stays || err != nil && !slices.Contains(c.steps, "stopped")) && len(after) != len(before) {
		c.Errorf("%d files of %d are left after %q, %v", len(after), len(before), c.steps, err)
	}
	if exists(filepath.Join(c.w.Dir, ".git")) {
		c.owed = nil
	}
	for name, text := range before {
		if after[name] != text {
			c.owe(blob(text))
			if modes[name] {
				c.owe(executable + blob(text))
			}
		}
	}
	for _, object := range c.owed {
		c.kept[object] = strings.Join(c.steps, ", ")
	}
	return err
}

func (c *cleaner) remove(archive bool) error {
	if archive {
		c.steps = append(c.steps, "archive")
		return c.repo.RemoveWorktree(c.ctx, c.w)
	}
	c.steps = append(c.steps, "discard")
	loss, err := c.repo.Loss(c.ctx, c.w)
	if err != nil {
		return err
	}
	return c.repo.Discard(c.ctx, c.w, loss.Token)
}

func (c *cleaner) take(from []step) { c.do(from[c.random.IntN(len(from))]) }

func (c *cleaner) do(s step) {
	c.steps = append(c.steps, s.name)
	s.do(c)
}

// account looks for all that is owed among what refs and their records reach.
func (c *cleaner) account() {
	there := map[string]bool{}
	for line := range strings.Lines(c.git(c.repo.dir, "rev-list", "--objects", "--all", "--reflog", "--ignore-missing")) {
		there[line[:40]] = true
	}
	for line := range strings.Lines(c.git(c.repo.dir, "log", "--all", "--reflog", "--format=", "--raw", "-m", "--root",
		"--no-renames", "--no-abbrev", "--ignore-missing")) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[1] == "100755" {
			there[executable+fields[3]] = true
		}
	}
	for object, after := range c.kept {
		if !there[object] {
			c.Errorf("%s is lost after %s", object, after)
		}
	}
}

// lanes is how many are tried beside each other, and statesEach how many in one
// repository: what is kept of them makes each look at a repository slower.
const (
	lanes      = 6
	statesEach = 40
)

func TestCleanUpLosesNothing(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if again := os.Getenv("BECKON_SEED"); again != "" {
		seed = must(strconv.ParseUint(again, 10, 64))(t)
	}
	t.Logf("seed %d", seed)
	for lane := range uint64(lanes) {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, lane))
			objects := 0
			for from := 0; from < cleanUps/lanes; from += statesEach {
				to := min(from+statesEach, cleanUps/lanes)
				objects += cleanUpIn(t, random, from, to)
				if t.Failed() {
					t.Fatalf("BECKON_SEED=%d makes the same states again", seed)
				}
				t.Logf("%d states, %d objects that only they had are all there", to, objects)
			}
		})
	}
}

// cleaned are the files of a repository whose worktrees are cleaned up.
var cleaned = map[string]string{
	".gitignore": "ignored/\n", "f0.txt": "0\n", "f1.txt": "1\n",
	"f2.txt": "2\n", "f3.txt": "3\n",
}

// cleanUpIn tries the states from one number to another in a repository of their own, and
// returns how many objects it looked for.
func cleanUpIn(t *testing.T, random *rand.Rand, from, to int) int {
	t.Helper()
	b := newBench(t, cleaned)
	b.ctx = t.Context()                               // as long as it takes: what hangs, the whole run's limit ends
	b.git(b.repo.dir, "config", "core.fsync", "none") // no power cut is tried here
	c := &cleaner{bench: b, random: random, kept: map[string]string{}}
	for i := from; i < to; i++ {
		if c.once(i); t.Failed() {
			t.Fatalf("in state %d", i)
		}
	}
	c.account()
	if err := os.RemoveAll(filepath.Dir(b.repo.dir)); err != nil {
		t.Error(err)
	}
	return len(c.kept)
}
