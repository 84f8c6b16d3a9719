package git

import "context"

// Init makes the folder dir a repository whose branch main has one commit
// with all that is in it.
func Init(ctx context.Context, dir, message string) error {
	r := new(Pool).Open(dir, false)
	if _, err := r.at().run(ctx, "init", "--quiet", "--initial-branch=main"); err != nil {
		return err
	}
	c := r.at()
	if _, err := c.run(ctx, "add", "--all"); err != nil {
		return err
	}
	tree, err := c.line(ctx, "write-tree")
	if err != nil {
		return err
	}
	commit, err := c.commitTree(ctx, tree, message)
	if err != nil {
		return err
	}
	_, err = c.run(ctx, "update-ref", "HEAD", commit)
	return err
}
