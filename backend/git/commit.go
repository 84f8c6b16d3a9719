package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CommitAll commits what differs in the worktree, untracked files included
// and ignored ones not, on top of whatever the agent committed itself. The
// paths in except stay as they are in the last commit; repositories inside
// the worktree are left alone. It returns false where there is nothing to
// commit.
//
// It commits to the branch of w and to no other: where the folder is on
// another branch or on none, it returns *OtherBranchError, where the folder
// does not exist *WorktreeGoneError, and where the branch is gone an error
// that wraps ErrNotFound. In the middle of a merge or rebase, and where the
// folder is no worktree of the repository, the error wraps ErrConflict.
func (r *Repo) CommitAll(ctx context.Context, w Worktree, message string, except []string) (commit string, ok bool, err error) {
	state, err := r.Status(ctx, w)
	if err == nil {
		err = state.Err()
	}
	if err != nil {
		return "", false, err
	}
	c := r.in(w.Dir)
	entries, err := c.changes(ctx)
	if err != nil {
		return "", false, err
	}
	if err := r.stage(ctx, c, entries, except); err != nil {
		return "", false, err
	}
	tree, err := c.line(ctx, "write-tree")
	if err != nil {
		return "", false, err
	}
	head, headTree, err := c.head(ctx)
	if err != nil || tree == headTree {
		return "", false, err
	}
	if commit, err = c.commitTree(ctx, tree, message, head); err != nil {
		return "", false, err
	}
	// The branch is named, for HEAD may lead to another one by now.
	if _, err := c.run(ctx, "update-ref", "-m", "beckon: commit", "refs/heads/"+w.Branch, commit, head); err != nil {
		return "", false, err
	}
	return commit, true, nil
}

// stage brings the index to what the commit is to hold.
func (r *Repo) stage(ctx context.Context, c command, entries []entry, except []string) error {
	var conflicted []entry
	var undo strings.Builder
	add := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool {
		if e.unmerged {
			conflicted = append(conflicted, e)
		}
		if !slices.Contains(except, e.path) {
			return false
		}
		if e.staged { // mode 000000 takes the path out of the index
			fmt.Fprintf(&undo, "%s %s\t%s\x00", e.headMode, e.headHash, e.path)
		}
		return true
	})
	if len(conflicted) > 0 {
		return conflict("the worktree has unresolved conflicts (%s)", some(paths(conflicted)))
	}
	if undo.Len() > 0 {
		c.input = undo.String()
		if _, err := c.run(ctx, "update-index", "-z", "--index-info"); err != nil {
			return err
		}
	}
	return c.addPaths(ctx, add)
}

// addPaths takes the files of entries into the index as they are, or as
// deleted where they are.
func (c command) addPaths(ctx context.Context, entries []entry) error {
	var names strings.Builder
	for _, e := range entries {
		if !e.nested() {
			names.WriteString(e.path + "\x00")
		}
	}
	if names.Len() == 0 {
		return nil
	}
	c.input = names.String()
	_, err := c.run(ctx, "update-index", "--add", "--remove", "--replace", "-z", "--stdin")
	return err
}

// head returns the commit that the folder is at, and its tree; both empty
// on a branch without a commit.
func (c command) head(ctx context.Context) (commit, tree string, err error) {
	if commit, err = c.quiet(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil || commit == "" {
		return "", "", err
	}
	tree, err = c.line(ctx, "rev-parse", commit+"^{tree}")
	return commit, tree, err
}

// snapshot returns the tree that the files of the worktree amount to. It
// works on a copy of the index, so the agent's own staging stays.
func (r *Repo) snapshot(ctx context.Context, dir string, entries []entry) (tree string, err error) {
	gitDir, err := r.gitDir(ctx, dir)
	if err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp("", "beckon-index-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	c := r.in(dir)
	c.index = filepath.Join(scratch, "index")
	if err := copyIndex(filepath.Join(gitDir, "index"), c.index); err != nil {
		return "", err
	}
	if err := c.addPaths(ctx, entries); err != nil {
		return "", err
	}
	return c.line(ctx, "write-tree")
}

// copyIndex copies an index together with its time: git compares files by
// content where they are as new as the index, and only by size and time else.
func copyIndex(from, to string) error {
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing is staged
	}
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// commitTree makes a commit of a tree and returns it. Empty parents are left
// out. No hook sees it and no ref points at it yet.
func (c command) commitTree(ctx context.Context, tree, message string, parents ...string) (string, error) {
	config, err := c.identity(ctx)
	if err != nil {
		return "", err
	}
	c.config, c.input = config, cleanMessage(message)
	args := []string{"commit-tree", tree, "-F", "-"}
	for _, parent := range parents {
		if parent != "" {
			args = append(args, "-p", parent)
		}
	}
	return c.line(ctx, args...)
}

// identity returns what is missing of the user's own name and address.
func (c command) identity(ctx context.Context) ([]setting, error) {
	var missing []setting
	for _, fallback := range []setting{{"user.name", "Beckon"}, {"user.email", "beckon@localhost"}} {
		value, err := c.quiet(ctx, "config", "--get", fallback.key)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(value) == "" {
			missing = append(missing, fallback)
		}
	}
	return missing, nil
}

// cleanMessage makes any text a commit message: git takes no NUL, and an
// empty title would read as no commit at all in most tools.
func cleanMessage(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.TrimSpace(strings.ReplaceAll(s, "\x00", ""))
	if s == "" {
		s = "Untitled"
	}
	return s + "\n"
}
