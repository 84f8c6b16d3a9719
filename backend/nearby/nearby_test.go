package nearby

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// tree is a home folder.
type tree struct {
	t   *testing.T
	top string
}

func newTree(t *testing.T) tree {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return tree{t, top}
}

func (tr tree) path(name string) string { return filepath.Join(tr.top, filepath.FromSlash(name)) }

func (tr tree) write(name, text string) {
	tr.t.Helper()
	tr.folder(filepath.Dir(name))
	if err := os.WriteFile(tr.path(name), []byte(text), 0o600); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr tree) folder(name string) {
	tr.t.Helper()
	if err := os.MkdirAll(tr.path(name), 0o700); err != nil {
		tr.t.Fatal(err)
	}
}

// repo makes a repository whose last commit was that many hours ago.
func (tr tree) repo(name, subject string, hours int) {
	tr.t.Helper()
	tr.write(name+"/.git/HEAD", "ref: refs/heads/main\n")
	at := time.Now().Add(-time.Duration(hours) * time.Hour).Unix()
	tr.write(name+"/.git/logs/HEAD", reflog(1, at, "commit: "+subject))
}

// reflog is a line of git's log of HEAD.
func reflog(commit int, at int64, message string) string {
	return fmt.Sprintf("%040d %040d Mira <mira@acme.dev> %d +0100\t%s\n", commit-1, commit, at, message)
}

func (tr tree) search() Found {
	tr.t.Helper()
	found, err := Search(tr.t.Context(), tr.top)
	if err != nil {
		tr.t.Fatal(err)
	}
	return found
}

func names(found Found) string {
	var list []string
	for _, r := range found.Repositories {
		list = append(list, r.Name)
	}
	return strings.Join(list, " ")
}

func TestWhatSomebodyWorkedInLastComesFirst(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.repo("src/old", "Typos", 24*60)
	tr.repo("work/acme/team/fresh", "Fix rounding in invoices", 1)
	tr.repo("middle", "Import MT940", 30)
	found := tr.search()
	if got := names(found); got != "fresh middle old" || found.Cut {
		t.Fatalf("found %q, cut %v", got, found.Cut)
	}
	first := found.Repositories[0]
	if first.Dir != tr.path("work/acme/team/fresh") || first.Branch != "main" || first.Subject != "Fix rounding in invoices" {
		t.Errorf("%+v", first)
	}
	if ago := time.Since(time.UnixMilli(first.At)); ago < 59*time.Minute || ago > 61*time.Minute {
		t.Errorf("its last commit was %s ago", ago)
	}
}

func TestTheLastCommitIsReadAsGitWroteIt(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	dir := tr.path("kestrel")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=Mira", "-c", "user.email=mira@acme.dev"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	tr.folder("kestrel")
	git("init", "-q", "-b", "trunk")
	git("commit", "-q", "--allow-empty", "-m", "First: the planner")
	git("commit", "-q", "--allow-empty", "-m", "Second\n\nWith a body.")
	git("commit", "-q", "--allow-empty", "--amend", "-m", "Second, said better")
	git("checkout", "-q", "-b", "side/branch")
	found := tr.search()
	if len(found.Repositories) != 1 {
		t.Fatalf("found %+v", found)
	}
	if r := found.Repositories[0]; r.Branch != "side/branch" || r.Subject != "Second, said better" || r.At == 0 {
		t.Errorf("%+v", r)
	}
	git("checkout", "-q", "--detach", "HEAD~1")
	if r := tr.search().Repositories[0]; r.Branch != "" || r.Subject != "First: the planner" {
		t.Errorf("detached: %+v", r)
	}
}

func TestACommitThatWasFetchedHasNoSubjectMadeUp(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.write("clone/.git/HEAD", "ref: refs/heads/main\n")
	at := time.Now().Add(-time.Hour).Unix()
	tr.write("clone/.git/logs/HEAD", reflog(1, at-60, "commit: Mine")+reflog(2, at, "pull: Fast-forward"))
	tr.write("bare/.git/HEAD", "ref: refs/heads/main\n") // without a log
	found := tr.search()
	if r := found.Repositories[0]; r.Name != "clone" || r.Subject != "" || r.At != at*1000 {
		t.Errorf("%+v", r)
	}
	if r := found.Repositories[1]; r.Name != "bare" || r.At != 0 || r.Branch != "main" {
		t.Errorf("%+v", r)
	}
}

func TestNobodyComesFirstByAClockOfTheirOwnOrHidesTheirName(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.write("liar/.git/HEAD", "ref: refs/heads/ma\u202ein\x1b[31m\n")
	tr.write("liar/.git/logs/HEAD", reflog(1, time.Now().Add(9999*time.Hour).Unix(), "commit: "+strings.Repeat("long ", 100)+"\u202e"))
	r := tr.search().Repositories[0]
	if r.At > time.Now().UnixMilli() {
		t.Errorf("a commit of %s", time.UnixMilli(r.At))
	}
	if r.Branch != "main[31m" || len(r.Subject) > longestText || strings.Contains(r.Subject, "\u202e") {
		t.Errorf("%q %q", r.Branch, r.Subject)
	}
}

func TestTheSearchLeavesAloneWhatIsNotAnybodysProject(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.write(".git/HEAD", "ref: refs/heads/main\n") // the home folder itself
	tr.repo("app", "App", 1)
	tr.repo("app/inside/module", "Inside another", 1)
	tr.repo(".cache/hidden", "Hidden", 1)
	tr.repo("web/node_modules/dep", "A dependency", 1)
	tr.repo("a/b/c/d/deep", "Too deep", 1)
	tr.write("fix/.git", "gitdir: ../app/.git/worktrees/fix\n")
	tr.folder("empty/.git")
	if got := names(tr.search()); got != "app" {
		t.Errorf("found %q", got)
	}
}

func TestALinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	tr, other := newTree(t), newTree(t)
	other.repo("secret", "Elsewhere", 1)
	tr.repo("real", "Here", 1)
	for name, to := range map[string]string{
		"circle": tr.top, "real2": tr.path("real"), "away": other.top, "src/back": "..", "src/self": "self",
	} {
		tr.folder("src")
		if err := os.Symlink(to, tr.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	// A repository whose parts are links to somebody else's.
	tr.folder("odd/.git")
	if err := os.Symlink(other.path("secret/.git/HEAD"), tr.path("odd/.git/HEAD")); err != nil {
		t.Fatal(err)
	}
	tr.folder("half/.git")
	tr.write("half/.git/HEAD", "ref: refs/heads/main\n")
	if err := os.Symlink(other.path("secret/.git/logs"), tr.path("half/.git/logs")); err != nil {
		t.Fatal(err)
	}
	found := tr.search()
	if got := names(found); got != "real half" {
		t.Fatalf("found %q", got)
	}
	if half := found.Repositories[1]; half.Subject != "" || half.At != 0 {
		t.Errorf("read through a link: %+v", half)
	}
}

func TestAHugeHomeIsSearchedInBoundedTime(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	for i := range 10_000 {
		tr.folder(fmt.Sprintf("many/%05d/below", i))
	}
	tr.repo("zebra", "Found all the same", 1)
	start := time.Now()
	found := tr.search()
	if took := time.Since(start); took > 2*searchIn {
		t.Errorf("it took %s", took)
	}
	if got := names(found); got != "zebra" || !found.Cut {
		t.Errorf("found %q, cut %v", got, found.Cut)
	}
}

func TestASearchThatIsGivenUpEnds(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.repo("app", "App", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := Search(ctx, tr.top); err == nil && !found.Cut {
		t.Errorf("%+v", found)
	}
}

func TestAStepThatHangsIsLeftBehind(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	defer close(never)
	_, err := within(t.Context(), 10*time.Millisecond, func() (int, error) { <-never; return 0, nil })
	if !errors.Is(err, errHung) {
		t.Errorf("%v", err)
	}
}
