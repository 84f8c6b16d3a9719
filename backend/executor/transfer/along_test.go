package transfer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/executor/transfer"

	"github.com/google/go-cmp/cmp"
)

func TestWhatGoesAlongAndWhatStaysIsSaidBefore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".gitattributes": "*.bin filter=lfs\n", ".gitignore": ".env*\nnode_modules/\n", "a.bin": "x", "b.bin": "x", "c.go": "package c\n",
		".env": "A=1", ".env.local": "A=2", ".env.test": "A=3", ".env.prod": "A=4", "node_modules/x/index.js": "x",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"-c", "filter.lfs.clean=cat", "add", "."},
		{"update-index", "--add", "--cacheinfo", "160000,5f8c1d0d7e0d0e8b7d4cf0a5b1f0f3a2c1d4e5f6,lib"},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	got, err := transfer.GoesAlong(t.Context(), beckon.Project{Dir: dir, Git: true, Trusted: true}, []string{".env*"}, t.TempDir())
	want := executing.Along{Files: []string{".env", ".env.local", ".env.prod"}, Count: 4, LFS: 2, Submodules: 1}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if got, err := transfer.GoesAlong(t.Context(), beckon.Project{Dir: dir}, nil, t.TempDir()); err != nil || got.Count != 0 {
		t.Errorf("of a folder without git: %+v, %v", got, err)
	}
}
