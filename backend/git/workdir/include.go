package workdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// IncludeFile says which of the files that git ignores a new worktree gets, in the
// patterns of .gitignore. Other tools read it too.
const IncludeFile = ".worktreeinclude"

// ReadInclude returns the patterns of the IncludeFile in dir. There is none where found
// is false. One that is no small plain file is look.ErrOdd.
func ReadInclude(dir string) (patterns []string, found bool, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	text, err := look.ReadBelow(root, IncludeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	return patterns, true, err
}

// PlainFiles calls each with the plain files of what Ignored named in a folder: the one, or all
// in a folder, but those of a repository of its own. Links are not followed.
func PlainFiles(ctx context.Context, root *os.Root, name string, each func(name string) error) error {
	name = strings.TrimSuffix(name, "/")
	if info, err := root.Lstat(filepath.FromSlash(name)); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return err // WalkDir would follow this one
	}
	return fs.WalkDir(root.FS(), name, func(at string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil // folders are made for what is in them
		}
		return each(at)
	})
}

// inside stands for any file of a folder where git is asked whether patterns mean all of
// it. No file has this name.
const inside = "\x01beckon"

// Ignored lists what git ignores in the folder of c and the patterns mean, which are
// those of .gitignore: files, and folders that are ignored whole, which end in a slash. It looks
// into such a folder only where a pattern names a path in it: what lies in
// node_modules is not looked at.
func Ignored(ctx context.Context, c command.Git, patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	list := []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"}
	all, err := c.List(ctx, slices.Insert(slices.Clone(list), len(list)-1, "--directory")...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	asked := make([]string, 0, len(all))
	for i, name := range all {
		if i+1 < len(all) && strings.HasSuffix(name, "/") && strings.HasPrefix(all[i+1], name) {
			continue // it is not ignored itself, but all that is in it
		}
		if !strings.HasSuffix(name, "/") {
			asked = append(asked, name)
			continue
		}
		asked = append(asked, name+inside)
		if slices.ContainsFunc(patterns, func(pattern string) bool { return reaches(pattern, name) }) {
			more, err := c.List(ctx, append(list, name)...)
			if err != nil {
				return nil, err
			}
			asked = append(asked, more...)
		}
	}
	return meant(ctx, c.Owner, patterns, asked)
}

// reaches reports whether a pattern names a path in a folder, and not only a name that may be
// in any.
func reaches(pattern, folder string) bool {
	at := strings.Split(strings.TrimSuffix(folder, "/"), "/")
	pattern, anywhere := strings.CutPrefix(strings.TrimPrefix(pattern, "!"), "**/")
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	if len(parts) < 2 {
		return false
	}
	if anywhere { // the path may begin in any folder
		at = at[max(0, len(at)-len(parts)+1):]
	}
	if len(parts) <= len(at) {
		return false
	}
	match, err := path.Match(strings.Join(parts[:len(at)], "/"), strings.Join(at, "/"))
	return err == nil && match
}

// meant returns those of the names that patterns of .gitignore mean. Git says so, of a
// repository that has no other patterns.
func meant(ctx context.Context, owner string, patterns, names []string) (list []string, err error) {
	scratch, err := os.MkdirTemp("", Scratch(owner))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	file := filepath.Join(scratch, "patterns")
	if err := os.WriteFile(file, []byte(strings.Join(patterns, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	c := command.Git{Dir: filepath.Join(scratch, "empty"), Config: []command.Setting{{Key: "core.excludesFile", Value: file}}}
	if err := os.Mkdir(c.Dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := c.Run(ctx, "init", "--quiet", "--template="); err != nil {
		return nil, err
	}
	list, err = CheckIgnored(ctx, c, names)
	for i, name := range list {
		list[i] = strings.TrimSuffix(name, inside)
	}
	slices.Sort(list)
	folder := "/" // the last one that is meant as a whole
	return slices.DeleteFunc(list, func(name string) bool {
		if strings.HasPrefix(name, folder) {
			return true
		}
		if strings.HasSuffix(name, "/") {
			folder = name
		}
		return false
	}), err
}

// here keeps git from taking a name that begins with a colon for a pattern.
const here = "./"

// CheckIgnored returns those of the names that git ignores in the folder of c.
func CheckIgnored(ctx context.Context, c command.Git, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	c.Input = here + strings.Join(names, "\x00"+here) + "\x00"
	found, err := c.List(ctx, "check-ignore", "-z", "--stdin")
	if command.ExitCode(err) == 1 { // none is
		return nil, nil
	}
	for i, name := range found {
		found[i] = strings.TrimPrefix(name, here)
	}
	return found, err
}
