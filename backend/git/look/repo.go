package look

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MainWorktree returns the folder of the repository's main worktree where dir is in
// another one of its, and "" elsewhere. It believes no folder that says so alone: the
// repository has to name it too. It runs nothing.
func MainWorktree(dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		text, err := ReadMetadata(filepath.Join(at, ".git"))
		if to, ok := strings.CutPrefix(string(text), "gitdir: "); err == nil && ok {
			gitDir := Within(at, strings.TrimRight(to, "\r\n"))
			if !names(gitDir, filepath.Join(at, ".git")) {
				return ""
			}
			return owner(gitDir)
		}
		if Exists(at, ".git") || at == filepath.Dir(at) {
			return ""
		}
	}
}

// owner returns the folder whose repository keeps a worktree's own files in gitDir.
func owner(gitDir string) string {
	worktrees := filepath.Dir(gitDir)
	dotGit := filepath.Dir(worktrees)
	if filepath.Base(worktrees) != "worktrees" || filepath.Base(dotGit) != ".git" {
		return "" // of a submodule, or of a bare repository
	}
	return filepath.Dir(dotGit)
}

// names reports whether the files that a repository keeps of a worktree name that
// worktree's .git.
func names(gitDir, dotGit string) bool {
	recorded, err := DotGit(gitDir)
	if err != nil {
		return false
	}
	there, err := os.Stat(recorded)
	here, err2 := os.Stat(dotGit)
	return err == nil && err2 == nil && os.SameFile(there, here)
}

// DotGit returns the path of a worktree's .git, as the files record it that a repository
// keeps of that worktree in gitDir.
func DotGit(gitDir string) (string, error) {
	text, err := ReadMetadata(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return "", err
	}
	return Within(gitDir, strings.TrimRight(string(text), "\r\n")), nil
}

// OwnFolder returns git's own folder of a worktree, as its file .git says, and whether that
// says so.
func OwnFolder(dir string) (own string, linked bool, err error) {
	text, err := ReadMetadata(filepath.Join(dir, ".git"))
	to, linked := strings.CutPrefix(string(text), "gitdir: ")
	return Within(dir, strings.TrimRight(to, "\r\n")), linked, err
}

// Record returns the folder below the .git folder common in which git keeps what it has of the
// worktree in dir alone; empty where it has no record of it. The worktree may be gone.
func Record(common, dir string) (own string, err error) {
	records, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, record := range records {
		own := filepath.Join(common, "worktrees", record.Name())
		dotGit, err := DotGit(own)
		if err != nil {
			continue // git does not know the worktree either
		}
		if at := filepath.Dir(dotGit); at == filepath.Clean(dir) || Same(at, dir) {
			return own, nil
		}
	}
	return "", nil
}
