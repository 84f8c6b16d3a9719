package checkpoint

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"beckon/backend/beckon/reason"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// largestIgnore is how large a .gitignore is at most that counts, in bytes.
const largestIgnore = 1 << 20

// checkIgnored refuses to remove files that the ignore rules of a tree cover: they may have been
// there, ignored, when that was the worktree, and are not to go away now. Those of the tree ours,
// which may be empty, were not.
func (m Mover) checkIgnored(ctx context.Context, tree, ours string, removed []string) (err error) {
	if len(removed) > 0 && ours != "" {
		known, err := m.Repo.List(ctx, "ls-tree", "-r", "-z", "--name-only", ours)
		if err != nil {
			return err
		}
		slices.Sort(known)
		removed = slices.DeleteFunc(slices.Clone(removed), func(name string) bool {
			_, is := slices.BinarySearch(known, name)
			return is
		})
	}
	if len(removed) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", workdir.Scratch(m.Folder.Owner))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	rules := m.Folder.In(dir)
	if _, err := rules.Run(ctx, "init", "-q"); err != nil {
		return err
	}
	if err := m.copyRules(ctx, tree, removed, dir); err != nil {
		return err
	}
	for _, key := range []string{"core.excludesFile", "core.ignoreCase"} {
		value, err := m.Folder.Quiet(ctx, "config", "--get", key)
		if err != nil {
			return err
		}
		if value = strings.TrimSpace(value); value != "" {
			rules.Config = append(rules.Config, command.Setting{Key: key, Value: value})
		}
	}
	const here = "./" // else a colon at its beginning would mean something to git
	rules.Input = here + strings.Join(removed, "\x00"+here) + "\x00"
	covered, err := rules.List(ctx, "check-ignore", "--no-index", "-z", "--stdin")
	switch {
	case len(covered) > 0 && err == nil:
		for i, name := range covered {
			covered[i] = strings.TrimPrefix(name, here)
		}
		return command.Refuse(reason.Of(reason.RewindUnignored, "files", workdir.Some(covered)))
	case command.ExitCode(err) == 1: // it ignores none
		return nil
	}
	return err
}

// copyRules writes the ignore rules of a tree that count for some files into a folder, with
// those that the repository has beside its files.
func (m Mover) copyRules(ctx context.Context, tree string, names []string, dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	above := map[string]bool{}
	for _, name := range names {
		for at := path.Dir(name); !above[at]; at = path.Dir(at) {
			above[at] = true
		}
	}
	lines, err := m.Repo.List(ctx, "ls-tree", "-r", "-l", "-z", tree)
	if err != nil {
		return err
	}
	for _, line := range lines {
		about, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about) // mode, type, hash, size
		if path.Base(name) != ".gitignore" || !above[path.Dir(name)] || len(fields) != 4 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		if size, err := strconv.Atoi(fields[3]); err != nil || size > largestIgnore {
			continue
		}
		text, err := m.Repo.Run(ctx, "cat-file", "blob", fields[2])
		if err == nil {
			err = writeBelow(root, name, text)
		}
		if err != nil {
			return err
		}
	}
	common, err := m.Repo.CommonDir(ctx)
	if err != nil {
		return err
	}
	if text, err := look.ReadMetadata(filepath.Join(common, "info", "exclude")); err == nil {
		return writeBelow(root, ".git/info/exclude", string(text))
	}
	return nil
}

func writeBelow(root *os.Root, name, text string) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), []byte(text), 0o600)
}
