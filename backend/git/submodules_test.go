package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
	"beckon/tests/sample"
)

// TestASubmoduleThatMovedIsShownAndItsCommitsStay: an agent goes to another commit of a
// submodule, makes one there that nobody else has, and is shown, merged and not discarded.
func TestASubmoduleThatMovedIsShownAndItsCommitsStay(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	lib := filepath.Join(b.data, "lib")
	b.git(b.repo.dir, "clone", "-q", b.repo.dir, lib)
	b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib")
	b.git(b.repo.dir, "commit", "-q", "-m", "submodule")
	first := b.git(lib, "rev-parse", "HEAD")
	b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", "main"))(t)
	b.git(b.w.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
	in := filepath.Join(b.w.Dir, "lib")
	b.git(in, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q",
		"--allow-empty", "-m", "of the agent")
	moved := b.git(in, "rev-parse", "HEAD")
	want := beckon.FileDiff{
		Path: "lib", Kind: "submodule", Change: "M", Added: 1, Removed: 1,
		Patch: "@@ -1 +1 @@\n-Subproject commit " + first + "\n+Subproject commit " + moved + "\n",
	}
	shows := func(when string) {
		t.Helper()
		files := must(b.repo.Diff(b.ctx, b.w, reviewing.View{}))(t).Files
		for i := range files {
			files[i].Content = ""
		}
		if !slices.Equal(files, []beckon.FileDiff{want}) {
			t.Errorf("%s: %+v\nwant %+v", when, files, want)
		}
	}
	shows("moved")
	loss := must(b.repo.Loss(b.ctx, b.w))(t)
	if !slices.Contains(loss.Repositories, "lib") {
		t.Errorf("the loss names %q", loss.Repositories)
	}
	b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), "(lib)")
	b.conflict(b.repo.RemoveWorktree(b.ctx, b.w), "")
	if at := b.git(in, "rev-parse", "HEAD"); at != moved {
		t.Errorf("the submodule is at %s", at)
	}
	b.git(b.w.Dir, "commit", "-q", "-am", "move lib")
	shows("committed")
	must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
	if at := b.git(b.repo.dir, "rev-parse", "main:lib"); at != moved {
		t.Errorf("main has %s of the submodule, want %s", at, moved)
	}
	b.git(b.repo.dir, "submodule", "--quiet", "update")
	if at := b.git(filepath.Join(b.repo.dir, "lib"), "rev-parse", "HEAD"); at != moved {
		t.Errorf("the project's folder has %s of the submodule, want %s", at, moved)
	}
}

// TestASubmoduleOfTheWorktreeAloneIsNotMerged: nobody could check the base out. One that was
// pushed is.
func TestASubmoduleOfTheWorktreeAloneIsNotMerged(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	lib := filepath.Join(b.data, "lib.git")
	b.git(b.repo.dir, "clone", "-q", "--bare", b.repo.dir, lib)
	b.w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "kes-1"), "beckon/kes-1", "main"))(t)
	b.git(b.w.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib")
	in := filepath.Join(b.w.Dir, "lib")
	b.git(in, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q",
		"--allow-empty", "-m", "of the agent")
	b.git(b.w.Dir, "add", "-A")
	b.git(b.w.Dir, "commit", "-q", "-m", "lib")
	_, err := b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge")
	b.conflict(err, "the commit of the submodule lib")
	b.git(in, "push", "-q", "origin", "HEAD:refs/heads/theirs")
	must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
}

func TestEmptySubmodulesOfANewWorktreeAreNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	if names := b.repo.Complete(b.ctx,
		must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "none"), "beckon/none", "main"))(t)); len(names) != 0 {
		t.Errorf("a repository without any has %q", names)
	}
	for _, name := range []string{"lib/wörds", "tools"} {
		b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", b.repo.dir, name)
	}
	for _, name := range []string{"../../outside", "gone", "a.txt"} { // what is no folder of the worktree
		b.git(b.repo.dir, "config", "-f", ".gitmodules", "submodule."+name+".path", name)
	}
	b.git(b.repo.dir, "commit", "-q", "-am", "submodules")
	w := must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "some"), "beckon/some", "main"))(t)
	names := b.repo.Complete(b.ctx, w)[EmptySubmodules]
	slices.Sort(names)
	if !slices.Equal(names, []string{"lib/wörds", "tools"}) {
		t.Errorf("empty are %q", names)
	}
}

// library makes a repository with a submodule in it, and the project one that has both, filled as
// a user does.
func library(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	b.repo.trusted = true
	for _, name := range []string{"words", "lib"} {
		dir := filepath.Join(b.data, name)
		sample.Empty(t, dir)
		b.commit(dir, name+".txt", "of "+name+"\n")
	}
	b.git(filepath.Join(b.data, "lib"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", filepath.Join(b.data, "words"), "deep/words")
	b.git(filepath.Join(b.data, "lib"), "commit", "-q", "-m", "words")
	b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", filepath.Join(b.data, "lib"), "libs/lib")
	b.git(b.repo.dir, "commit", "-q", "-m", "lib")
	b.git(b.repo.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	// Nothing is fetched: what they came from is gone.
	for _, name := range []string{"words", "lib"} {
		if err := os.RemoveAll(filepath.Join(b.data, name)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// task makes a worktree as a task has it.
func (b *bench) task(name string) (w Worktree, empty []string) {
	b.Helper()
	w = must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, name), "beckon/"+name, "main"))(b)
	return w, b.repo.Complete(b.ctx, w)[EmptySubmodules]
}

// TestSubmodulesThatTheProjectHasAreThere: a build would fail without.
func TestSubmodulesThatTheProjectHasAreThere(t *testing.T) {
	t.Parallel()
	b := library(t)
	w, empty := b.task("one")
	other, _ := b.task("two")
	for _, dir := range []string{w.Dir, other.Dir} {
		if text := b.read(dir, "libs/lib/lib.txt") + b.read(dir, "libs/lib/deep/words/words.txt"); text != "of lib\nof words\n" || len(empty) > 0 {
			t.Errorf("%s has %q, and %q is empty", dir, text, empty)
		}
		if status := b.git(dir, "status", "--porcelain", "--ignored", "--untracked-files=all"); status != "" {
			t.Errorf("the new worktree is changed: %s", status)
		}
	}
	if err := b.repo.RemoveWorktree(b.ctx, w); err != nil || exists(w.Dir) {
		t.Fatalf("archived: %v", err)
	}
	if text := b.read(other.Dir, "libs/lib/deep/words/words.txt") + b.read(b.repo.dir, "libs/lib/lib.txt"); text != "of words\nof lib\n" {
		t.Errorf("the others have %q", text)
	}
	if err := b.repo.RestoreWorktree(b.ctx, w); err != nil {
		t.Fatal(err)
	}
	if empty := b.repo.Complete(b.ctx, w)[EmptySubmodules]; len(empty) > 0 || b.read(w.Dir, "libs/lib/lib.txt") != "of lib\n" {
		t.Errorf("restored, %q is empty", empty)
	}
	untrusted := *b.repo
	untrusted.trusted = false
	b.repo = &untrusted
	if _, empty := b.task("three"); !slices.Equal(empty, []string{"libs/lib"}) {
		t.Errorf("without trust, %q is empty", empty)
	}
}

// TestWorkInASubmoduleIsNotLostWithItsWorktree, whether it is committed or not.
func TestWorkInASubmoduleIsNotLostWithItsWorktree(t *testing.T) {
	t.Parallel()
	b := library(t)
	b.w, _ = b.task("one")
	lib := filepath.Join(b.w.Dir, "libs", "lib")
	b.write(lib, "new.txt", "new\n")
	b.conflict(b.repo.RemoveWorktree(b.ctx, b.w), "(libs/lib)")
	if why := b.repo.LooseSubmodules(b.ctx, b.w); why == nil || !strings.Contains(why.String(), "libs/lib") {
		t.Errorf("the card says %v", why)
	}
	loss := must(b.repo.Loss(b.ctx, b.w))(t)
	if !slices.Equal(loss.Repositories, []string{"libs/lib"}) {
		t.Errorf("the loss names %q", loss.Repositories)
	}
	b.conflict(b.repo.Discard(b.ctx, b.w, loss.Token), "(libs/lib)")
	b.git(lib, "add", "-A")
	b.git(lib, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "of the agent")
	moved := b.git(lib, "rev-parse", "HEAD")
	if why := b.repo.LooseSubmodules(b.ctx, b.w); why != nil {
		t.Errorf("once it is committed, the card says %s", why)
	}
	loss = must(b.repo.Loss(b.ctx, b.w))(t)
	if err := b.repo.Discard(b.ctx, b.w, loss.Token); err != nil || exists(b.w.Dir) {
		t.Fatalf("discarded: %v", err)
	}
	project := filepath.Join(b.repo.dir, "libs", "lib")
	b.git(project, "-c", "gc.pruneExpire=now", "-c", "gc.reflogExpire=now", "gc", "--quiet")
	if text := b.git(project, "cat-file", "-p", moved+":new.txt"); text != "new" {
		t.Errorf("the project's repository of the submodule has %q", text)
	}
}

// TestASubmoduleThatWasFilledIsMergedAsItMoved: the project's folder can check it out at once.
func TestASubmoduleThatWasFilledIsMergedAsItMoved(t *testing.T) {
	t.Parallel()
	b := library(t)
	b.w, _ = b.task("one")
	lib := filepath.Join(b.w.Dir, "libs", "lib")
	b.git(lib, "config", "user.name", "Ada")
	b.git(lib, "config", "user.email", "ada@example.org")
	b.commit(lib, "new.txt", "new\n")
	if _, _, err := b.repo.CommitAll(b.ctx, b.w, "move lib", nil); err != nil {
		t.Fatal(err)
	}
	must(b.repo.Merge(b.ctx, b.w, reviewing.MergeCommit, "merge"))(t)
	if err := b.repo.RemoveWorktree(b.ctx, b.w); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(b.repo.dir, "libs", "lib")
	b.git(project, "-c", "gc.pruneExpire=now", "-c", "gc.reflogExpire=now", "gc", "--quiet")
	b.git(b.repo.dir, "submodule", "--quiet", "update")
	if text := b.read(project, "new.txt"); text != "new\n" {
		t.Errorf("the project has %q", text)
	}
}
