package git

import (
	"context"

	"beckon/backend/git/workdir"
)

// Init makes the folder dir a repository whose branch main has one commit
// with all that is in it.
func Init(ctx context.Context, dir, message string) error {
	r := new(Pool).Open(dir, false)
	if _, err := r.at().Run(ctx, "init", "--quiet", "--initial-branch=main"); err != nil {
		return err
	}
	c := r.at()
	if _, err := c.Run(ctx, "add", "--all"); err != nil {
		return err
	}
	tree, err := c.Line(ctx, "write-tree")
	if err != nil {
		return err
	}
	commit, err := workdir.CommitTree(ctx, c, tree, message)
	if err != nil {
		return err
	}
	_, err = c.Run(ctx, "update-ref", "HEAD", commit)
	return err
}
