package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// EmptySubmodules lists the submodules of a new worktree. Their folders are
// empty: to fill them would run what the repository says, from where it says.
func (r *Repo) EmptySubmodules(ctx context.Context, w Worktree) (names []string, err error) {
	if !look.Exists(w.Dir, ".gitmodules") {
		return nil, nil // the folder has what the commit has
	}
	known, err := workdir.Submodules(ctx, r.at(), w.BaseCommit)
	if err != nil {
		return nil, err
	}
	for _, name := range known {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue // .gitmodules may say anything
		}
		inside, err := os.ReadDir(filepath.Join(w.Dir, filepath.FromSlash(name)))
		if err == nil && len(inside) == 0 {
			names = append(names, strings.ToValidUTF8(name, "\uFFFD"))
		}
	}
	return names, nil
}
