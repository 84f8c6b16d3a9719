package workdir

import (
	"context"
	"slices"
	"strings"

	"beckon/backend/git/command"
)

// WriteStored writes files of a commit into the folder as the repository stores them, byte
// by byte but for line ends. Git runs no filter there by then.
func WriteStored(ctx context.Context, folder command.Git, commit string, names []string) error {
	input := func(c command.Git, names []string) command.Git {
		c.Input = strings.Join(names, "\x00") + "\x00"
		return c
	}
	err := WithIndex(ctx, folder, func(c command.Git) error {
		if _, err := c.Run(ctx, "read-tree", commit); err != nil {
			return err
		}
		_, err := input(c, names).Run(ctx, "checkout-index", "--force", "-z", "--stdin")
		return err
	})
	if err != nil {
		return err
	}
	cached, err := folder.List(ctx, "ls-files", "-z", "--cached")
	if err != nil {
		return err
	}
	// A file of another size than the index remembers counts as changed, whatever is in it.
	is := map[string]bool{}
	for _, name := range cached {
		is[name] = true
	}
	known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !is[name] })
	if len(known) == 0 {
		return nil
	}
	_, err = input(folder, known).Run(ctx, "update-index", "-z", "--stdin")
	return err
}
