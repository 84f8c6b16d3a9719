package workdir

import (
	"context"
	"slices"

	"beckon/backend/git/command"
)

// Filters calls each with the names of files, of which every one ends in a zero byte, and with the
// filter that git's attributes give them: "unspecified" or "unset" for none.
func Filters(ctx context.Context, c command.Git, names string, each func(name, filter string)) error {
	c.Input = names
	said, err := c.List(ctx, "check-attr", "-z", "--stdin", "filter")
	for one := range slices.Chunk(said, 3) { // path, attribute, value
		if len(one) == 3 {
			each(one[0], one[2])
		}
	}
	return err
}
