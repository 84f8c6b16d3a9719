// Package sample has what tests of repositories begin with: a home for git, and the
// repositories. Each of these is made once and copied:
// the processes of git that make one would cost more than many a test.
package sample

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"testing"
	"testing/fstest"
)

// Empty makes a folder a repository that has no commit, whose branch is main and whose
// author is Ada, with no process that tidies up after a commit.
var Empty = New(func(dir string) error {
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.org"}, {"config", "maintenance.auto", "false"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %q: %w\n%s", args, err, out)
		}
	}
	return nil
})

// New returns a function that puts into a folder, which need not be there, what fill puts
// into an empty one. fill is called once.
func New(fill func(dir string) error) func(t testing.TB, dir string) {
	files := sync.OnceValues(func() (fs.FS, error) {
		dir, err := os.MkdirTemp("", "beckon-sample-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := fill(dir); err != nil {
			return nil, err
		}
		return remembered(os.DirFS(dir))
	})
	return func(t testing.TB, dir string) {
		t.Helper()
		all, err := files()
		if err == nil {
			err = os.CopyFS(dir, all)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// remembered reads files into memory.
func remembered(files fs.FS) (fs.FS, error) {
	memory := fstest.MapFS{}
	return memory, fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		memory[name] = &fstest.MapFile{Mode: info.Mode()}
		if !e.IsDir() {
			memory[name].Data, err = fs.ReadFile(files, name)
		}
		return err
	})
}
