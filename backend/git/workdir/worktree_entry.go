package workdir

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// ListedWorktree is what git keeps of one worktree.
type ListedWorktree struct {
	Dir    string
	Branch string // empty: none
	Locked bool
	Reason string
}

// ListWorktrees lists the worktrees that git knows, the main one included.
func ListWorktrees(ctx context.Context, repo command.Git) ([]ListedWorktree, error) {
	lines, err := repo.List(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var list []ListedWorktree
	for _, line := range lines {
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "worktree":
			list = append(list, ListedWorktree{Dir: filepath.FromSlash(value)})
		case "branch":
			list[len(list)-1].Branch = strings.TrimPrefix(value, "refs/heads/")
		case "locked":
			list[len(list)-1].Locked, list[len(list)-1].Reason = true, value
		}
	}
	return list, nil
}

// Registered returns the entry of the worktree in dir, or nil.
func Registered(ctx context.Context, repo command.Git, dir string) (*ListedWorktree, error) {
	list, err := ListWorktrees(ctx, repo)
	if err != nil {
		return nil, err
	}
	// The folder may be gone, so its parent is what is resolved.
	if parent, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		dir = filepath.Join(parent, filepath.Base(dir))
	}
	i := slices.IndexFunc(list, func(x ListedWorktree) bool {
		return filepath.Clean(x.Dir) == dir || look.Same(x.Dir, dir)
	})
	if i < 0 {
		return nil, nil
	}
	return &list[i], nil
}

// CheckedOut returns the folder that has the branch checked out, or nothing.
// Folders that no longer exist do not count.
func CheckedOut(ctx context.Context, repo command.Git, branch string) (string, error) {
	list, err := ListWorktrees(ctx, repo)
	if err != nil {
		return "", err
	}
	for _, x := range list {
		if _, err := os.Lstat(x.Dir); err == nil && x.Branch == branch {
			return x.Dir, nil
		}
	}
	return "", nil
}
