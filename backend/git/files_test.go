package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestFilesToChooseFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"main.go", "src/a/deep.go", "src/b.go", "new.txt", "build/out.o", "with space.md", "ünïcödé 日本.md", "-dash",
		"line\nbreak.md", "\u202egpj.exe", "bell\a", "zero\u200bwidth",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Skipf("this system has no such names: %v", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("build/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "outside")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"-dash", ".gitignore", "main.go", "new.txt", "outside", "src/", "src/a/", "src/a/deep.go",
		"src/b.go", "with space.md", "ünïcödé 日本.md",
	}

	walked, err := WalkFiles(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if walked := slices.DeleteFunc(walked, func(s string) bool {
		return s == "build/" || s == "build/out.o"
	}); !slices.Equal(walked, want) {
		t.Errorf("without git: %q\nwant %q", walked, want)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "main.go", "src/b.go"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
	found, err := new(Pool).Open(dir, false).Files(t.Context(), dir)
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("with git: %q, %v\nwant %q", found, err, want)
	}
}
