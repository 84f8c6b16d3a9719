package workdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Fill checks out the files of a worktree that has none.
func Fill(ctx context.Context, c command.Git) error {
	if err := BringKeys(c.Dir); err != nil {
		return err
	}
	_, err := c.Run(ctx, "reset", "--hard", "--quiet", "--no-recurse-submodules")
	return err
}

// keyFolders are what tools keep in a repository's git folder and look for in that of each
// worktree.
var keyFolders = []string{"git-crypt"}

// BringKeys lets the tools of a new worktree find what they keep in the repository's own git
// folder: the filter of git-crypt fails without its key, and the checkout with it.
func BringKeys(dir string) error {
	own, linked, err := look.OwnFolder(dir)
	if err != nil || !linked {
		return err
	}
	for _, name := range keyFolders {
		kept := filepath.Join(own, "..", "..", name)
		if info, err := os.Stat(kept); err != nil || !info.IsDir() {
			continue
		}
		err := os.Symlink(filepath.Join("..", "..", name), filepath.Join(own, name))
		if err == nil || errors.Is(err, fs.ErrExist) {
			continue
		}
		// Windows links only for those who may.
		if err := os.CopyFS(filepath.Join(own, name), os.DirFS(kept)); err != nil {
			return fmt.Errorf("bring what %s keeps to the worktree: %w", name, err)
		}
	}
	return nil
}
