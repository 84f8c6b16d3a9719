package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// record is what git keeps of one worktree.
type record struct {
	dir    string
	branch string // empty: none
	locked bool
	reason string
}

// records lists the worktrees that git knows, the main one included.
func (r *Repo) records(ctx context.Context) ([]record, error) {
	lines, err := r.at().list(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var list []record
	for _, line := range lines {
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "worktree":
			list = append(list, record{dir: filepath.FromSlash(value)})
		case "branch":
			list[len(list)-1].branch = strings.TrimPrefix(value, "refs/heads/")
		case "locked":
			list[len(list)-1].locked, list[len(list)-1].reason = true, value
		}
	}
	return list, nil
}

// registered returns the record of the worktree in dir, or nil.
func (r *Repo) registered(ctx context.Context, dir string) (*record, error) {
	list, err := r.records(ctx)
	if err != nil {
		return nil, err
	}
	// The folder may be gone, so its parent is what is resolved.
	if parent, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		dir = filepath.Join(parent, filepath.Base(dir))
	}
	i := slices.IndexFunc(list, func(x record) bool { return filepath.Clean(x.dir) == dir || sameFile(x.dir, dir) })
	if i < 0 {
		return nil, nil
	}
	return &list[i], nil
}

// checkedOut returns the folder that has the branch checked out, or nothing.
// Folders that no longer exist do not count.
func (r *Repo) checkedOut(ctx context.Context, branch string) (string, error) {
	list, err := r.records(ctx)
	if err != nil {
		return "", err
	}
	for _, x := range list {
		if _, err := os.Lstat(x.dir); err == nil && x.branch == branch {
			return x.dir, nil
		}
	}
	return "", nil
}
