package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Bounds of what is looked at in a .git folder before git is let in.
const (
	maxConfigs = 50        // files of configuration, included ones too
	maxRefs    = 100_000   // loose branches
	maxTable   = 512 << 20 // bytes of a file with a line for each file or branch
)

// checkMetadata refuses a folder whose repository would have git open what is
// no plain file: git opens these before anything can forbid it. The error
// wraps ErrConflict and names the file.
func checkMetadata(ctx context.Context, dir string) error {
	for at := dir; ; at = filepath.Dir(at) { // git goes up until it finds a whole one
		gitDir, err := gitDirAt(at)
		if err == nil && gitDir != "" {
			err = checkGitDir(ctx, gitDir)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, look.ErrOdd):
			return command.Conflict("git would hang or grow in the repository in %s: %w: put a plain file in its place and add the folder again", at, err)
		case err != nil:
			return command.Conflict("git cannot read the repository in %s: %w", at, err)
		case at == filepath.Dir(at):
			return nil
		}
	}
}

// gitDirAt returns the folder that git would take for the repository's at dir,
// or nothing.
func gitDirAt(dir string) (string, error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir():
		return dotGit, nil
	case err == nil && info.Mode().IsRegular(): // a worktree's or submodule's
		text, err := look.ReadMetadata(dotGit)
		if to, ok := strings.CutPrefix(string(text), "gitdir: "); ok {
			return look.Within(dir, strings.TrimRight(to, "\r\n")), err
		}
		return "", err
	}
	for _, name := range []string{"objects", "refs"} { // a bare one, or its inside
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return "", nil
		}
	}
	return dir, nil
}

// checkGitDir refuses where git would open an odd file in gitDir, or in the
// folder that it shares with other worktrees.
func checkGitDir(ctx context.Context, gitDir string) error {
	dirs := []string{gitDir}
	text, err := look.ReadMetadata(filepath.Join(gitDir, "commondir"))
	if err == nil {
		dirs = append(dirs, look.Within(gitDir, strings.TrimSpace(string(text))))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, dir := range dirs {
		for _, name := range []string{"HEAD", "gitdir", "objects/info/alternates", "refs/remotes/origin/HEAD"} {
			if _, err := look.ReadMetadata(filepath.Join(dir, name)); err != nil && !absent(err) {
				return err
			}
		}
		for _, name := range []string{"index", "packed-refs", "shallow"} {
			path, info, err := look.ResolveMetadata(filepath.Join(dir, name))
			if err == nil && (!info.Mode().IsRegular() || info.Size() > maxTable) {
				err = fmt.Errorf("%s %w", path, look.ErrOdd)
			}
			if err != nil && !absent(err) {
				return err
			}
		}
		if err := checkBranches(filepath.Join(dir, "refs", "heads")); err != nil {
			return err
		}
		for _, name := range []string{"config", "config.worktree"} {
			if err := checkConfig(ctx, filepath.Join(dir, name), new(int)); err != nil {
				return err
			}
		}
	}
	return nil
}

// absent reports whether a file is not there, or cannot be for what is above it.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// checkBranches refuses where a branch is no plain file.
func checkBranches(dir string) error {
	dir, info, err := look.ResolveMetadata(dir)
	if err != nil || !info.IsDir() {
		return nil // in another format, or none
	}
	seen := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > maxRefs {
			return fs.SkipAll
		}
		if err == nil && !d.IsDir() && !d.Type().IsRegular() {
			return fmt.Errorf("%s %w", path, look.ErrOdd)
		}
		return nil
	})
}

// checkConfig refuses where a file of git's configuration, or one that it
// includes under whatever condition, is odd. seen counts the files.
func checkConfig(ctx context.Context, name string, seen *int) error {
	text, err := look.ReadMetadata(name)
	if absent(err) {
		return nil // git passes over it too
	}
	if err != nil {
		return err
	}
	if *seen++; *seen > maxConfigs {
		return fmt.Errorf("%s includes more files than Beckon looks at", name)
	}
	paths, err := includes(ctx, text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, path := range paths {
		if path, err = includePath(filepath.Dir(name), path); err == nil {
			err = checkConfig(ctx, path, seen)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// includes returns the paths that a text of configuration includes. git reads
// the text itself and nothing else: what comes on its input it would follow.
func includes(ctx context.Context, text []byte) ([]string, error) {
	c := command.Git{Dir: os.TempDir(), Nowhere: true, Input: string(text)}
	if c.Input == "" {
		return nil, nil
	}
	out, err := c.RunBare(ctx, "config", "--no-includes", "--file", "-", "-z", "--get-regexp", `^include(if\..*)?\.path$`)
	if err != nil && command.ExitCode(err) != 1 { // 1: there are none
		return nil, err
	}
	var paths []string
	for field := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if _, path, ok := strings.Cut(field, "\n"); ok && path != "" {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// includePath resolves a path as git does for a file of configuration in dir.
func includePath(dir, path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~/")
	switch {
	case ok:
		home, err := os.UserHomeDir()
		return filepath.Join(home, rest), err
	case strings.HasPrefix(path, "~"), strings.HasPrefix(path, "%("):
		return "", fmt.Errorf("the configuration in %s includes %s, which Beckon does not look up", dir, path)
	default:
		return look.Within(dir, path), nil
	}
}
