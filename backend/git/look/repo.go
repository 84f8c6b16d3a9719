package look

import (
	"path/filepath"
	"strings"
)

// MainWorktree returns the folder of the repository's main worktree where dir is in
// another one of its, and "" elsewhere. It believes the links that git made, and
// runs nothing.
func MainWorktree(dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		text, err := ReadMetadata(filepath.Join(at, ".git"))
		if to, ok := strings.CutPrefix(string(text), "gitdir: "); err == nil && ok {
			return owner(Within(at, strings.TrimRight(to, "\r\n")))
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
