package workdir

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// NestedRepos lists the repositories inside the worktree dir of repo, which no
// commit of ours can keep: git sees of them at most a hash. It looks at the files and
// not at the index, so it finds what was added as a gitlink, what git ignores
// and what lies in .git of a submodule that is no longer checked out. Of
// repositories inside others only the outermost is listed.
func NestedRepos(ctx context.Context, repo command.Git, dir string) ([]string, error) {
	found, bare, err := walkRepos(ctx, dir)
	if err != nil {
		return nil, err
	}
	lost, err := ignoredOf(ctx, repo.In(dir), bare)
	if err != nil {
		return nil, err
	}
	found = append(found, lost...)
	top, modules, err := Modules(ctx, repo, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range modules {
		if !slices.Contains(found, name) { // else it is named by where it is checked out
			found = append(found, filepath.Join(top, filepath.FromSlash(name)))
		}
	}
	slices.Sort(found)
	list := []string{}
	for _, name := range found {
		list = append(list, strings.ToValidUTF8(name, "\uFFFD"))
	}
	return list, nil
}

// walkRepos finds the repositories below dir, slash-separated: those with a
// .git, and those that are bare.
func walkRepos(ctx context.Context, dir string) (found, bare []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == dir && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			return err // what cannot be looked into cannot be kept
		case ctx.Err() != nil:
			return ctx.Err()
		case !d.IsDir() || name == dir:
			return nil
		case filepath.Dir(name) == dir && d.Name() == ".git":
			return fs.SkipDir
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case look.Exists(name, ".git"):
			found = append(found, rel)
			return fs.SkipDir
		case isGitDir(name):
			bare = append(bare, rel)
			return fs.SkipDir
		default:
			return nil
		}
	})
	return found, bare, err
}

// isGitDir reports whether dir has the look of a .git folder or a bare
// repository.
func isGitDir(dir string) bool {
	return look.Exists(dir, "HEAD") && look.Exists(dir, "objects") && look.Exists(dir, "refs")
}

// ignoredOf returns those of the bare repositories that have files which git
// ignores. The files of the others are kept like any file.
func ignoredOf(ctx context.Context, c command.Git, bare []string) (ignored []string, err error) {
	for _, name := range bare {
		files, err := c.List(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", name)
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			ignored = append(ignored, name)
		}
	}
	return ignored, nil
}

// Modules lists the submodules whose repository goes with git's record of the
// worktree dir of repo, checked out or not, also where its folder is gone, and the
// folder that they are in.
func Modules(ctx context.Context, repo command.Git, dir string) (top string, names []string, err error) {
	common, err := repo.CommonDir(ctx)
	if err != nil {
		return "", nil, err
	}
	own, err := look.Record(common, dir)
	if err != nil || own == "" {
		return "", nil, err
	}
	top = filepath.Join(own, "modules")
	names, err = reposIn(top)
	return top, names, err
}

// reposIn lists the .git folders below top, slash-separated.
func reposIn(top string) (names []string, err error) {
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == top {
			return nil
		}
		if err != nil || !d.IsDir() || !isGitDir(name) {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(rel))
		return fs.SkipDir
	})
	return names, err
}

// gitlink is a repository that a tree names by one of its commits.
type gitlink struct{ path, commit string }

// gitlinks lists those of a commit.
func gitlinks(ctx context.Context, c command.Git, commit string) (list []gitlink, err error) {
	lines, err := c.List(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	for _, line := range lines {
		info, path, _ := strings.Cut(line, "\t")
		if hash, ok := strings.CutPrefix(info, "160000 commit "); ok {
			list = append(list, gitlink{path, hash})
		}
	}
	return list, err
}

// Submodules lists the paths that .gitmodules of a commit names.
func Submodules(ctx context.Context, c command.Git, commit string) (paths []string, err error) {
	entries, err := moduleEntries(ctx, c, commit)
	for _, e := range entries {
		paths = append(paths, e.path)
	}
	return paths, err
}

// Strays lists the repositories of an agent whose files a merge of tip into
// base would leave behind: those that lie in the folder without being tracked, and those that
// the branch has as a gitlink that .gitmodules does not name and the base
// does not have.
func Strays(ctx context.Context, c command.Git, base, tip string, entries []Entry) ([]string, error) {
	found := Paths(slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !e.Nested() }))
	links, err := gitlinks(ctx, c, tip)
	if err != nil || len(links) == 0 {
		return found, err
	}
	known, err := Submodules(ctx, c, tip)
	if err != nil {
		return nil, err
	}
	before, err := gitlinks(ctx, c, base)
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		if !slices.Contains(known, link.path) && !slices.Contains(before, link) {
			found = append(found, strings.ToValidUTF8(link.path, "\uFFFD"))
		}
	}
	return found, nil
}
