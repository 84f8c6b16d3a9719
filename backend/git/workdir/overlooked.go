package workdir

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Overlooked lists the files that differ although git was asked to overlook them,
// by git update-index --assume-unchanged or --skip-worktree. They are committed by
// nothing, and would go with the folder.
func Overlooked(ctx context.Context, c command.Git) (entries []Entry, err error) {
	lines, err := c.List(ctx, "ls-files", "-v", "-z")
	if err != nil {
		return nil, err
	}
	var marked []string
	for _, line := range lines {
		tag, name, _ := strings.Cut(line, " ")
		if (tag == "S" || tag == strings.ToLower(tag)) && look.Exists(c.Dir, filepath.FromSlash(name)) {
			marked = append(marked, name)
		}
	}
	if len(marked) == 0 {
		return nil, nil
	}
	err = WithIndex(ctx, c, func(c command.Git) error {
		if err := seeAgain(ctx, c, marked); err != nil {
			return err
		}
		entries, err = Changes(ctx, c)
		return err
	})
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !slices.Contains(marked, e.Path) })
	for i := range entries {
		entries[i].Overlooked = true
	}
	return entries, err
}

// seeAgain has an index overlook none of the files. What it knew of their size and time
// is left out, since git did not look at them when it noted that: one of the same size,
// written in the same moment, would pass for unchanged.
func seeAgain(ctx context.Context, c command.Git, names []string) error {
	lines, err := c.List(ctx, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	overlooked := map[string]bool{}
	for _, name := range names {
		overlooked[name] = true
	}
	for _, line := range lines {
		if _, name, _ := strings.Cut(line, "\t"); overlooked[name] {
			c.Input += line + "\x00"
		}
	}
	_, err = c.Run(ctx, "update-index", "-z", "--index-info")
	return err
}
