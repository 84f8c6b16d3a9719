package workdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Appeared lists the worktrees of the repository that git has made since, but for those in
// the folder ours and below.
func Appeared(ctx context.Context, repo command.Git, since time.Time, ours string) ([]ListedWorktree, error) {
	common, err := repo.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	records, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if ours, err = filepath.EvalSymlinks(ours); err != nil {
		return nil, err
	}
	var dirs []string
	for _, record := range records {
		own := filepath.Join(common, "worktrees", record.Name())
		info, err := os.Lstat(filepath.Join(own, "gitdir"))
		if err != nil || info.ModTime().Before(since) {
			continue
		}
		dotGit, err := look.DotGit(own)
		if err != nil {
			continue
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(dotGit))
		if err == nil && dir != ours && !strings.HasPrefix(dir, ours+string(filepath.Separator)) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	all, err := ListWorktrees(ctx, repo)
	var appeared []ListedWorktree
	for _, e := range all {
		for _, dir := range dirs {
			if look.Same(e.Dir, dir) {
				appeared = append(appeared, e)
			}
		}
	}
	return appeared, err
}
