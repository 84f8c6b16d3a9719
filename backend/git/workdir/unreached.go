package workdir

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"beckon/backend/git/command"
)

// Unreached returns commits that only git's records of the worktree in c know, such as
// those that were amended there, made on no branch or are about to be merged; and those
// that only the records of the branch know, if it is named. No ref reaches them, so they
// would go with the records. There is a folder unless it is said to be missing.
func Unreached(ctx context.Context, repo, c command.Git, missing bool, branch string) ([]string, error) {
	var known []string
	if !missing {
		records, err := noted(ctx, c)
		if err != nil {
			return nil, err
		}
		own, err := c.Line(ctx, "for-each-ref", "--format=%(objectname)", "refs/worktree/", "refs/bisect/", "refs/rewritten/")
		if err != nil {
			return nil, err
		}
		known = append(records, strings.Fields(own)...)
	}
	if branch != "" {
		records, err := recorded(ctx, repo, "refs/heads/"+branch)
		if err != nil {
			return nil, err
		}
		known = append(known, records...)
	}
	if len(known) == 0 {
		return nil, nil
	}
	slices.Sort(known)
	repo.Input = strings.Join(slices.Compact(known), "\n") + "\n"
	out, err := repo.Line(ctx, "rev-list", "--ignore-missing", "--parents", "--stdin", "--not", "--all")
	return tips(out), err
}

// recorded lists the commits that git noted a name to be at.
func recorded(ctx context.Context, c command.Git, name string) ([]string, error) {
	out, err := c.Line(ctx, "log", "--walk-reflogs", "--no-show-signature", "--format=%H", name, "--")
	return strings.Fields(out), err
}

// object is what names a commit in a file of git's.
var object = regexp.MustCompile(`\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b`)

// noted lists where the folder was, and what git noted of a merge, rebase, cherry-pick or
// revert that is not ended: the commits that it takes from elsewhere, and what it set aside
// for the time being.
func noted(ctx context.Context, c command.Git) (names []string, err error) {
	gitDir, err := c.GitDir(ctx)
	if err != nil {
		return nil, err
	}
	head, _, err := c.Head(ctx)
	if err == nil && head != "" { // else git lists nothing, and there is only its file
		names, err = recorded(ctx, c, "HEAD")
	}
	if err != nil {
		return nil, err
	}
	own := os.DirFS(gitDir)
	for _, pattern := range []string{
		"*_HEAD", "*_AUTOSTASH", "rebase-merge/*", "rebase-apply/*",
		"sequencer/*", "logs/HEAD",
	} {
		files, err := fs.Glob(own, pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			info, err := fs.Stat(own, file)
			if err != nil || !info.Mode().IsRegular() {
				continue // git has ended it meanwhile, or it is no note
			}
			text, err := fs.ReadFile(own, file)
			if err != nil {
				return nil, err
			}
			names = append(names, object.FindAllString(string(text), -1)...)
		}
	}
	return names, nil
}

// tips returns the commits of a list with parents that are nobody's parent in it.
func tips(list string) []string {
	var all, parents []string
	for line := range strings.Lines(list) {
		if names := strings.Fields(line); len(names) > 0 {
			all, parents = append(all, names[0]), append(parents, names[1:]...)
		}
	}
	slices.Sort(parents)
	return slices.DeleteFunc(all, func(c string) bool {
		_, is := slices.BinarySearch(parents, c)
		return is
	})
}

// Staged returns the tree of what is staged in a folder. Of a file in conflict it has each
// version, with its number behind the name: a tree has no other place for them.
func Staged(ctx context.Context, c command.Git) (tree string, err error) {
	err = WithIndex(ctx, c, func(c command.Git) error {
		unmerged, err := c.List(ctx, "ls-files", "--unmerged", "-z")
		if err != nil {
			return err
		}
		if err := apart(ctx, c, unmerged); err != nil {
			return err
		}
		tree, err = c.Line(ctx, "write-tree")
		return err
	})
	return tree, err
}

// apart gives each version of the files in conflict, "MODE HASH STAGE", a tab and the
// path, a name of its own in the index.
func apart(ctx context.Context, c command.Git, unmerged []string) error {
	if len(unmerged) == 0 {
		return nil
	}
	var input strings.Builder
	for _, one := range unmerged {
		version, name, _ := strings.Cut(one, "\t")
		fields := strings.Fields(version)
		if len(fields) != 3 {
			return fmt.Errorf("git lists a file in conflict as %q, which is unknown", one)
		}
		fmt.Fprintf(&input, "0 %s\t%s\x00", strings.Repeat("0", len(fields[1])), name)
		fmt.Fprintf(&input, "%s %s\t%s~%s\x00", fields[0], fields[1], name, fields[2])
	}
	c.Input = input.String()
	_, err := c.Run(ctx, "update-index", "-z", "--index-info")
	return err
}
