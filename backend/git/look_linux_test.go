package git

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/git/inspect"
	"beckon/tests/timeout"
)

// lookVariable has this program, started once more, inspect the folders that
// it names, one a line, and print a looked of each.
const lookVariable = "BECKON_TEST_LOOK"

// deadlineVariable has how long each look may take.
const deadlineVariable = "BECKON_TEST_LOOK_DEADLINE"

// looked is what a look gave and cost.
type looked struct {
	Brings   []beckon.Brought
	Err      string
	Took     time.Duration
	Own, Git int64 // the most memory held up to now, in KiB
}

// lookIfAsked inspects the folders that the environment names and ends the
// program, at once if it grows.
func lookIfAsked() {
	dirs := os.Getenv(lookVariable)
	if dirs == "" {
		return
	}
	deadline, err := time.ParseDuration(os.Getenv(deadlineVariable))
	if err != nil {
		panic(err)
	}
	go func() {
		for range time.Tick(5 * time.Millisecond) {
			if peak(syscall.RUSAGE_SELF) > 1<<20 {
				fmt.Fprintln(os.Stderr, "the look holds more than 1 GiB")
				os.Exit(3)
			}
		}
	}()
	for dir := range strings.SplitSeq(dirs, "\n") {
		began := time.Now()
		found, err := inspect.FolderWithin(context.Background(), deadline, dir)
		l := looked{found.Brings, "", time.Since(began), peak(syscall.RUSAGE_SELF), peak(syscall.RUSAGE_CHILDREN)}
		if err != nil {
			l.Err = err.Error()
		}
		_ = json.NewEncoder(os.Stdout).Encode(l)
	}
	os.Exit(0)
}

func peak(who int) int64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(who, &used)
	return used.Maxrss
}

// look inspects the folders, each as long as this machine needs.
func (b *bench) look(dirs ...string) []looked {
	b.Helper()
	return b.lookWithin(timeout.For(inspect.Deadline), dirs...)
}

// lookWithin inspects the folders in a process of its own. It fails when a look is not over
// long after its deadline or costs much memory; the race detector's is part of it.
func (b *bench) lookWithin(deadline time.Duration, dirs ...string) []looked {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, timeout.For(20*time.Second)*time.Duration(len(dirs)))
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), lookVariable+"="+strings.Join(dirs, "\n"), deadlineVariable+"="+deadline.String())
	cmd.Stderr, cmd.WaitDelay = os.Stderr, time.Second
	out, err := cmd.Output()
	var list []looked
	for line := range strings.Lines(string(out)) {
		var l looked
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			b.Fatalf("%v: %s", err, line)
		}
		list = append(list, l)
		if l.Own > 300<<10 || l.Git > 600<<10 {
			b.Fatalf("the look at %s held %d MiB, git %d MiB: %s", dirs[len(list)-1], l.Own>>10, l.Git>>10, l.Err)
		}
	}
	if len(list) < len(dirs) {
		b.Fatalf("the look at %s did not end well: %v, %v", dirs[len(list)], err, ctx.Err())
	}
	return list
}

// copies makes n copies of the repository.
func (b *bench) copies(n int) (dirs []string) {
	b.Helper()
	for i := range n {
		dir := fmt.Sprint(b.repo.dir, "-", i)
		if err := os.CopyFS(dir, os.DirFS(b.repo.dir)); err != nil {
			b.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

var oddities = []string{"fifo", "link to a fifo", "sparse", "/dev/zero", "/proc/kmsg"}

// odd puts something in place of name that is no plain small file.
func (b *bench) odd(name, kind string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.RemoveAll(name); err != nil {
		b.Fatal(err)
	}
	var err error
	switch kind {
	case "fifo":
		err = syscall.Mkfifo(name, 0o644)
	case "link to a fifo":
		if err = syscall.Mkfifo(name+".fifo", 0o644); err == nil {
			err = os.Symlink(name+".fifo", name)
		}
	case "sparse":
		if err = os.WriteFile(name, nil, 0o644); err == nil {
			err = os.Truncate(name, 3<<30)
		}
	default:
		err = os.Symlink(kind, name)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// Whatever file of a repository leads nowhere, a look ends soon and costs
// little, and does not wait for the clock.
func TestLookingAtAFolderCostsNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range oddities {
		t.Run(strings.ReplaceAll(kind, "/", "_"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "two\n"})
			names := []string{
				"sub/.gitattributes", ".gitattributes", ".gitignore", "CLAUDE.md", ".mcp.json", ".gitmodules",
				".claude/settings.json", ".claude",
				".git", ".git/config", ".git/config.worktree", ".git/HEAD", ".git/index", ".git/packed-refs",
				".git/refs/heads/main", ".git/refs/heads/odd",
				".git/hooks", ".git/hooks/pre-commit", ".git/info/exclude", ".git/info/attributes",
				".git/objects/info/alternates", ".git/commondir",
				".git/shallow", ".git/refs/remotes/origin/HEAD",
			}
			dirs := b.copies(len(names))
			for i, dir := range dirs {
				b.odd(filepath.Join(dir, names[i]), kind)
			}
			for i, l := range b.look(dirs...) {
				if strings.Contains(l.Err, "took longer") {
					t.Errorf("%s: only the clock ended the look: %s", names[i], l.Err)
				}
				if names[i] == "sub/.gitattributes" && !slices.ContainsFunc(l.Brings, func(b beckon.Brought) bool {
					return slices.Contains(b.Names, names[i])
				}) {
					t.Errorf("it brings %v, and not the attributes that nobody could read: %s", l.Brings, l.Err)
				}
			}
		})
	}
}

func TestIncludedConfigurationIsLookedAtFirst(t *testing.T) {
	t.Parallel()
	for n, kind := range oddities {
		t.Run(strings.ReplaceAll(kind, "/", "_"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "one\n", "next": "[include]\npath = odd\n"})
			home := fmt.Sprint("odd-", n)
			configs := []string{
				"[include]\n\tpath = ../odd\n", "[includeIf \"onbranch:never\"] path = \"../odd\"", "[include]\npath = ../next\n",
				"[include]\npath = ~/" + home + "\n", "[include]\npath = config\npath=../odd\n",
			}
			b.odd(filepath.Join(os.Getenv("HOME"), home), kind)
			dirs := b.copies(len(configs))
			for i, dir := range dirs {
				b.odd(filepath.Join(dir, "odd"), kind)
				b.write(dir, ".git/config", b.read(dir, ".git/config")+configs[i])
			}
			for i, l := range b.look(dirs...) {
				if !strings.Contains(l.Err, "git would hang or grow") && !strings.Contains(l.Err, "more files than") {
					t.Errorf("%q: %q", configs[i], l.Err)
				}
			}
		})
	}
}

// What no check can see ahead ends by the clock.
func TestALookThatHangsIsEnded(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	commit := b.git(b.repo.dir, "rev-parse", "HEAD")
	b.odd(filepath.Join(b.repo.dir, ".git/objects", commit[:2], commit[2:]), "fifo")
	l := b.lookWithin(inspect.Deadline, b.repo.dir)[0]
	if !strings.Contains(l.Err, "took longer than") || l.Took > inspect.Deadline+timeout.For(6*time.Second) {
		t.Errorf("the look took %s and says %q", l.Took, l.Err)
	}
}
