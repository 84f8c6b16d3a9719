package workdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// BringModules gives the project's own repositories of submodules the commits that a branch
// moves them to, where only those of its worktree dir have them: else nobody could check out
// the base once it has the branch. It is ErrConflict where the project has no repository of
// a submodule, and nobody else has the commit either.
func BringModules(ctx context.Context, repo command.Git, dir, base, tip string) error {
	top, has, err := Modules(ctx, repo, dir)
	if err != nil || len(has) == 0 && !look.Exists(dir, ".gitmodules") {
		return err
	}
	common, err := repo.CommonDir(ctx)
	if err != nil {
		return err
	}
	before, err := gitlinks(ctx, repo, base)
	if err != nil {
		return err
	}
	now, err := gitlinks(ctx, repo, tip)
	if err != nil {
		return err
	}
	names, err := moduleNames(ctx, repo, tip)
	if err != nil {
		return err
	}
	for _, link := range now {
		name := names[link.path]
		if slices.Contains(before, link) {
			continue
		}
		if !slices.Contains(has, name) {
			if err := keepLinked(ctx, inSubmodule(repo.In(dir), link.path), link.commit); err != nil {
				return err
			}
			continue
		}
		to := filepath.Join(common, "modules", filepath.FromSlash(name))
		if err := bring(ctx, repo.In(filepath.Join(top, filepath.FromSlash(name))), repo.In(to), link); err != nil {
			return err
		}
	}
	return nil
}

// keepLinked has the project's repository of a submodule keep a commit that was made in a
// worktree, where both share it.
func keepLinked(ctx context.Context, c command.Git, commit string) error {
	if linkedTo(ctx, c) == "" {
		return nil
	}
	has, err := c.Quiet(ctx, "rev-parse", "--verify", "--quiet", commit+"^{commit}")
	if err != nil || has == "" {
		return err
	}
	_, err = c.Run(ctx, "update-ref", keptModule+commit, commit)
	return err
}

// moduleNames returns the names of the submodules of a commit by their paths.
func moduleNames(ctx context.Context, c command.Git, commit string) (map[string]string, error) {
	entries, err := moduleEntries(ctx, c, commit)
	names := map[string]string{}
	for _, e := range entries {
		names[e.path] = e.name
	}
	return names, err
}

// bring gives one repository of a submodule the commit that another has, if it has it.
func bring(ctx context.Context, from, to command.Git, link gitlink) error {
	if is, err := from.Quiet(ctx, "rev-parse", "--verify", "--quiet", link.commit+"^{commit}"); err != nil || is == "" {
		return err
	}
	if _, err := os.Lstat(to.Dir); errors.Is(err, fs.ErrNotExist) {
		pushed, err := from.Line(ctx, "for-each-ref", "--count=1", "--contains", link.commit,
			"--format=%(refname)", "refs/remotes")
		if err == nil && pushed == "" {
			err = command.Conflict("the commit of the submodule %s that the branch names is in the worktree alone, and the project's folder has no repository for it: run git submodule update --init there, and merge again", link.path)
		}
		return err
	}
	if is, err := to.Quiet(ctx, "rev-parse", "--verify", "--quiet", link.commit+"^{commit}"); err != nil || is != "" {
		return err
	}
	to.Trusted = true // no other protocol than that of files is allowed, and each object is looked at
	to.Config = []command.Setting{
		{Key: "protocol.allow", Value: "never"},
		{Key: "protocol.file.allow", Value: "always"},
		{Key: "fetch.fsckObjects", Value: "true"},
	}
	_, err := to.Run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", from.Dir,
		link.commit+":"+keptModule+link.commit)
	return err
}

// moduleEntry is a submodule that .gitmodules names.
type moduleEntry struct{ name, path string }

// moduleEntries lists those of a commit.
func moduleEntries(ctx context.Context, c command.Git, commit string) (list []moduleEntry, err error) {
	if blob, err := c.Quiet(ctx, "rev-parse", "--verify", "--quiet", commit+":.gitmodules"); err != nil || blob == "" {
		return nil, err
	}
	// Without --no-includes git would follow what the text includes.
	out, err := c.Run(ctx, "config", "--no-includes", "--blob", commit+":.gitmodules", "-z", "--get-regexp",
		`^submodule\..*\.path$`)
	if err != nil && command.ExitCode(err) != 1 { // 1: there are none
		return nil, err
	}
	for field := range strings.SplitSeq(out, "\x00") {
		if key, path, ok := strings.Cut(field, "\n"); ok {
			list = append(list, moduleEntry{strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path"), path})
		}
	}
	return list, nil
}
