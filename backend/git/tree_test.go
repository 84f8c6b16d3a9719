package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/git/look"
)

// ignoring is a task of a repository that ignores what one usually does.
func ignoring(t *testing.T) (b *bench, tree makeReady, dir string) {
	b = withTask(t, map[string]string{
		".gitignore": ".env*\nnode_modules/\n/conf/local.json\n",
		"main.go":    "package main\n",
	})
	return b, b.repo.Tree(b.w), b.w.Dir
}

func TestANewWorktreeGetsTheIgnoredFilesOfTheProject(t *testing.T) {
	t.Parallel()
	b, tree, dir := ignoring(t)
	for name, text := range map[string]string{
		".env": "A=1", ".env.local": "B=2", "pkg/a/.env": "C=3", "conf/local.json": "{}",
		"node_modules/x/index.js": "x", "conf/other.json": "{}", "new.go": "package main\n",
	} {
		b.write(b.repo.dir, name, text)
	}
	b.write(dir, ".env.local", "mine")
	copied := must(tree.CopyIgnored(t.Context(), []string{".env*", "/conf/local.json", "new.go"}))(t)
	slices.Sort(copied)
	if want := []string{".env", "conf/local.json", "pkg/a/.env"}; !reflect.DeepEqual(copied, want) {
		t.Errorf("copied %q, not %q", copied, want)
	}
	if got := b.read(dir, "pkg/a/.env") + b.read(dir, ".env.local"); got != "C=3mine" {
		t.Errorf("the worktree has %q", got)
	}
	for _, name := range []string{"node_modules", "conf/other.json", "new.go"} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s was copied", name)
		}
	}
	copied = must(tree.CopyIgnored(t.Context(), []string{"node_modules"}))(t)
	if !reflect.DeepEqual(copied, []string{"node_modules/x/index.js"}) {
		t.Errorf("of a folder that is ignored whole: %q", copied)
	}
}

// What the project's folder ignores by a .gitignore that is not committed would be
// committed in the worktree.
func TestASecretThatTheWorktreeWouldCommitIsNotCopied(t *testing.T) {
	t.Parallel()
	b, tree, dir := ignoring(t)
	b.write(b.repo.dir, ".gitignore", ".env*\n*.pem\n")
	b.write(b.repo.dir, "key.pem", "secret")
	if copied := must(tree.CopyIgnored(t.Context(), []string{"*.pem"}))(t); len(copied) > 0 ||
		exists(filepath.Join(dir, "key.pem")) {
		t.Errorf("copied %q", copied)
	}
}

func TestACopyFollowsNoLinkOutOfTheFolders(t *testing.T) {
	t.Parallel()
	b, tree, dir := ignoring(t)
	outside := t.TempDir()
	b.write(outside, "secret", "secret")
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(b.repo.dir, ".env")); err != nil {
		t.Skip(err)
	}
	if copied := must(tree.CopyIgnored(t.Context(), []string{".env"}))(t); len(copied) > 0 ||
		exists(filepath.Join(dir, ".env")) {
		t.Errorf("a link was followed: %q", copied)
	}
	b.write(b.repo.dir, "conf/local.json", "{}")
	if err := os.Symlink(outside, filepath.Join(dir, "conf")); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.CopyIgnored(t.Context(), []string{"conf/local.json"}); err == nil ||
		exists(filepath.Join(outside, "local.json")) {
		t.Errorf("the copy left the worktree: %v", err)
	}
}

func TestACopyThatWasEndedInItsMiddleIsFinished(t *testing.T) {
	t.Parallel()
	b, tree, dir := ignoring(t)
	b.write(b.repo.dir, ".env", "first=1\nsecond=2\n")
	b.write(dir, ".env", "first=1\nsec")
	if copied := must(tree.CopyIgnored(t.Context(), []string{".env"}))(t); len(copied) != 1 ||
		b.read(dir, ".env") != "first=1\nsecond=2\n" {
		t.Errorf("%q, the worktree has %q", copied, b.read(dir, ".env"))
	}
	b.write(dir, ".env", "other")
	if copied := must(tree.CopyIgnored(t.Context(), []string{".env"}))(t); len(copied) != 0 ||
		b.read(dir, ".env") != "other" {
		t.Errorf("another file was replaced: %q", copied)
	}
}

func TestTooMuchIsRefusedAndNotCopiedForHours(t *testing.T) {
	t.Parallel()
	b, tree, _ := ignoring(t)
	big := filepath.Join(b.repo.dir, ".env")
	b.write(b.repo.dir, ".env", "")
	if err := os.Truncate(big, 300<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.CopyIgnored(t.Context(), []string{".env"}); !errors.Is(err, beckon.ErrConflict) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.CopyIgnored(ctx, []string{".env"}); err == nil {
		t.Error("a copy that was cancelled went on")
	}
}

// The mark that a worktree is ready goes with the worktree.
func TestAWorktreeThatIsMadeAgainIsMadeReadyAgain(t *testing.T) {
	t.Parallel()
	b, tree, _ := ignoring(t)
	ctx := t.Context()
	ready := func() bool { return must(tree.Prepared(ctx))(t) }
	if ready() {
		t.Error("a new worktree is ready")
	}
	if err := errors.Join(tree.SetPrepared(ctx), tree.SetPrepared(ctx)); err != nil || !ready() {
		t.Errorf("%v, ready: %t", err, ready())
	}
	if status := b.git(b.w.Dir, "status", "--porcelain"); status != "" {
		t.Errorf("the mark is seen: %s", status)
	}
	if err := errors.Join(b.repo.RemoveWorktree(ctx, b.w), b.repo.RestoreWorktree(ctx, b.w)); err != nil || ready() {
		t.Errorf("%v, ready: %t", err, ready())
	}
}

// TestPatternsMeanWhatTheyDoInGitignore: people write .worktreeinclude for other tools, too.
func TestPatternsMeanWhatTheyDoInGitignore(t *testing.T) {
	t.Parallel()
	b := withTask(t, map[string]string{
		".gitignore": ".env*\nnode_modules/\n/conf/\n*.pem\n/odd*\n",
		"keep.txt":   "tracked\n",
	})
	tree := b.repo.Tree(b.w)
	for _, name := range []string{
		".env", ".env.example", "a/.env.local", "node_modules/x/.env", "node_modules/x/y.js",
		"conf/local.json", "conf/secret/a.pem", "a/b/c.pem", "odd:(glob)*", "odd name", "odd#", "loose.txt",
	} {
		b.write(b.repo.dir, name, name)
	}
	for text, want := range map[string][]string{
		"# a comment\n\n.env*\n!.env.example\n": {".env", "a/.env.local"},
		"\uFEFF**/.env\r\n":                     {".env"},
		"conf/*.json\n":                         {"conf/local.json"},
		"/conf\n":                               {"conf/local.json", "conf/secret/a.pem"},
		"conf/\n":                               {"conf/local.json", "conf/secret/a.pem"},
		"conf/**\n":                             {"conf/local.json", "conf/secret/a.pem"},
		"**/conf/*.json\n":                      {"conf/local.json"},
		"a/**/*.pem\n":                          {"a/b/c.pem"},
		"node_modules/x/.env\n":                 {"node_modules/x/.env"},
		"odd*\n":                                {"odd name", "odd#", "odd:(glob)*"},
		"odd\\#\nodd:(glob)\\*\n":               {"odd#", "odd:(glob)*"},
		"*.pem\n":                               {"a/b/c.pem"}, // not of folders that are ignored whole
		"keep.txt\nloose.txt\n../outside\n\n":   nil,
	} {
		b.write(b.repo.dir, ".worktreeinclude", text)
		patterns := must(tree.Included())(t)
		copied := must(tree.CopyIgnored(t.Context(), patterns))(t)
		slices.Sort(copied)
		if !slices.Equal(copied, want) {
			t.Errorf("%q copied %q, want %q", text, copied, want)
		}
		for _, name := range copied {
			if err := os.Remove(filepath.Join(b.w.Dir, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAListOfFilesToCopyThatLeadsElsewhereIsNotRead: the repository has made it.
func TestAListOfFilesToCopyThatLeadsElsewhereIsNotRead(t *testing.T) {
	t.Parallel()
	b, tree, _ := ignoring(t)
	if patterns := must(tree.Included())(t); patterns != nil {
		t.Errorf("a folder without a list has %q", patterns)
	}
	outside := filepath.Join(t.TempDir(), "list")
	b.write(filepath.Dir(outside), "list", "secret\n")
	if err := os.Symlink(outside, filepath.Join(b.repo.dir, ".worktreeinclude")); err != nil {
		t.Skip(err)
	}
	if patterns, err := tree.Included(); !errors.Is(err, beckon.ErrConflict) || !errors.Is(err, look.ErrOdd) || patterns != nil {
		t.Errorf("%q, %v", patterns, err)
	}
}
