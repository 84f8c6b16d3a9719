package git

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestEmptySubmodulesOfANewWorktreeAreNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	if names := must(b.repo.EmptySubmodules(b.ctx, must(b.repo.AddWorktree(b.ctx, filepath.Join(b.data, "none"), "beckon/none", "main"))(t)))(t); len(names) != 0 {
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
