package workdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"beckon/backend/git/command"
)

// AddPaths takes the files of entries into the index as they are, or as
// deleted where they are.
func AddPaths(ctx context.Context, c command.Git, entries []Entry) error {
	var names, beyond strings.Builder
	for _, e := range entries {
		switch {
		case e.Nested() || e.Dropped: // git refuses a folder in the place of a file that it has no more
		case beyondLink(c.Dir, e.Path): // and a file whose folder is a link now
			beyond.WriteString(e.Path + "\x00")
		default:
			names.WriteString(e.Path + "\x00")
		}
	}
	for _, one := range []struct {
		paths   string
		options []string
	}{{beyond.String(), []string{"--force-remove"}}, {names.String(), []string{"--add", "--remove", "--replace"}}} {
		if one.paths == "" {
			continue
		}
		c.Input = one.paths
		if _, err := c.Run(ctx, append(append([]string{"update-index"}, one.options...), "-z", "--stdin")...); err != nil {
			return err
		}
	}
	return nil
}

// beyondLink reports whether a folder of a path is a symbolic link: git has no such file.
func beyondLink(dir, name string) bool {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(at))); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// Now returns the tree that the files of a folder amount to, untracked ones included
// and ignored ones not. The folder's index stays as it is.
func Now(ctx context.Context, folder command.Git) (string, error) {
	entries, err := Changes(ctx, folder)
	if err != nil {
		return "", err
	}
	if len(entries) == 0 {
		if _, tree, err := folder.Head(ctx); err != nil || tree != "" {
			return tree, err
		}
	}
	return Snapshot(ctx, folder, entries)
}

// Snapshot returns the tree that the files of the folder amount to. It
// works on a copy of the index, so the agent's own staging stays.
func Snapshot(ctx context.Context, c command.Git, entries []Entry) (tree string, err error) {
	var overlooked []string
	for _, e := range entries {
		if e.Overlooked {
			overlooked = append(overlooked, e.Path)
		}
	}
	err = WithIndex(ctx, c, func(c command.Git) error {
		if len(overlooked) > 0 {
			if err := seeAgain(ctx, c, overlooked); err != nil {
				return err
			}
		}
		if err := AddPaths(ctx, c, entries); err != nil {
			return err
		}
		tree, err = c.Line(ctx, "write-tree")
		return err
	})
	return tree, err
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

// CommitTree makes a commit of a tree and returns it. Empty parents are left
// out. No hook sees it and no ref points at it yet.
func CommitTree(ctx context.Context, c command.Git, tree, message string, parents ...string) (string, error) {
	config, err := Identity(ctx, c)
	if err != nil {
		return "", err
	}
	c.Config, c.Input = config, CleanMessage(message)
	args := []string{"commit-tree", tree, "-F", "-"}
	for _, parent := range parents {
		if parent != "" {
			args = append(args, "-p", parent)
		}
	}
	return c.Line(ctx, args...)
}

// Committer returns who makes a commit now, as a commit's text has it: name, address
// and time.
func Committer(ctx context.Context, c command.Git) (string, error) {
	config, err := Identity(ctx, c)
	if err != nil {
		return "", err
	}
	c.Config = config
	return c.Line(ctx, "var", "GIT_COMMITTER_IDENT")
}

// Identity returns what is missing of the user's own name and address.
func Identity(ctx context.Context, c command.Git) ([]command.Setting, error) {
	var missing []command.Setting
	for _, fallback := range []command.Setting{
		{Key: "user.name", Value: "Beckon"},
		{Key: "user.email", Value: "beckon@localhost"},
	} {
		value, err := c.Quiet(ctx, "config", "--get", fallback.Key)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(value) == "" {
			missing = append(missing, fallback)
		}
	}
	return missing, nil
}

// CleanMessage makes any text a commit message: git takes no NUL, and an
// empty title would read as no commit at all in most tools.
func CleanMessage(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.TrimSpace(strings.ReplaceAll(s, "\x00", ""))
	if s == "" {
		s = "Untitled"
	}
	return s + "\n"
}
