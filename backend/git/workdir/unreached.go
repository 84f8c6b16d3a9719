package workdir

import (
	"context"
	"slices"
	"strings"

	"beckon/backend/git/command"
)

// Unreached returns commits that only git's records of the worktree in c know, such
// as those that were amended there or made on no branch; and those that only the
// records of the branch know, if it is named. No ref reaches them, so they would go
// with the records. There is a folder unless it is said to be missing.
func Unreached(ctx context.Context, repo, c command.Git, missing bool, branch string) ([]string, error) {
	var known []string
	if !missing {
		records, err := recorded(ctx, c, "HEAD")
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

// Staged returns the tree of what is staged in a folder.
func Staged(ctx context.Context, c command.Git) (tree string, err error) {
	err = withIndex(ctx, c, func(c command.Git) error {
		tree, err = c.Line(ctx, "write-tree")
		return err
	})
	return tree, err
}
