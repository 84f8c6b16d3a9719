package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// isolatedFile is in git's own folder of a worktree in which no filter and no merge driver
// runs, whatever trust the repository has: what is in it was made on another machine. It
// holds a commit while the files are not yet what the repository stores, and nothing then.
const isolatedFile = "beckon-isolated"

// IsolatedRef is kept beside that file, which goes with the worktree: it has a worktree that
// is made again in dir be isolated before its first file is written.
func IsolatedRef(dir string) string { return "refs/beckon/isolated/" + filepath.Base(dir) }

// Isolated reports whether no filter and no merge driver runs in Dir. Pending is the commit
// whose files are to be written as the repository stores them, where that is not done.
func (c Git) Isolated() (isolated bool, pending string, err error) {
	text, err := os.ReadFile(filepath.Join(c.ownFolder(), isolatedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, "", nil
	}
	return true, strings.TrimSpace(string(text)), err
}

// Isolate notes that no filter and no merge driver is to run in Dir, and the pending commit.
func (c Git) Isolate(pending string) error {
	return os.WriteFile(filepath.Join(c.ownFolder(), isolatedFile), []byte(pending), 0o600)
}

// ownFolder is where git keeps what it has of the worktree in Dir alone.
func (c Git) ownFolder() string {
	dotGit := filepath.Join(c.Dir, ".git")
	text, err := os.ReadFile(dotGit)
	to, linked := strings.CutPrefix(string(text), "gitdir: ")
	if err != nil || !linked {
		return dotGit
	}
	if to = strings.TrimRight(to, "\r\n"); filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(c.Dir, to)
}
