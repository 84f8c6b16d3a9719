package git

import (
	"path/filepath"
	"slices"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/reviewing"
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
	if names := must(b.repo.EmptySubmodules(b.ctx,
		must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "none"), "beckon/none", "main"))(t)))(t); len(names) != 0 {
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
	names := must(b.repo.EmptySubmodules(b.ctx, w))(t)
	slices.Sort(names)
	if !slices.Equal(names, []string{"lib/wörds", "tools"}) {
		t.Errorf("empty are %q", names)
	}
}
