package command

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// Quiet runs a command that ends with 1 to say "there is none", which it
// returns as an empty string.
func (c Git) Quiet(ctx context.Context, args ...string) (string, error) {
	out, err := c.Line(ctx, args...)
	if ExitCode(err) == 1 {
		return "", nil
	}
	return out, err
}

// Branch returns the commit that a local branch points at, or nothing where
// there is no such branch. The name is taken literally, never as a revision.
func (c Git) Branch(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	out, err := c.Line(ctx, "show-ref", "--verify", "--hash", "--", "refs/heads/"+name)
	if err != nil && ExitCode(err) > 0 {
		return "", nil
	}
	return out, err
}

// Head returns the commit that the folder is at, and its tree; both empty
// on a branch without a commit.
func (c Git) Head(ctx context.Context) (commit, tree string, err error) {
	out, err := c.Line(ctx, "rev-parse", "--revs-only", "HEAD^{commit}", "HEAD^{tree}")
	if err != nil || out == "" {
		return "", "", err
	}
	commit, tree, ok := strings.Cut(out, "\n")
	if !ok {
		return "", "", fmt.Errorf("git has no tree of the commit %s", commit)
	}
	return commit, tree, nil
}

// CommonDir returns the .git folder that all worktrees of the repository
// share.
func (c Git) CommonDir(ctx context.Context) (string, error) {
	return c.Line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
}

// GitDir returns the folder of Dir's own HEAD and index.
func (c Git) GitDir(ctx context.Context) (string, error) {
	return c.Line(ctx, "rev-parse", "--path-format=absolute", "--git-dir")
}

// Dirs returns both folders.
func (c Git) Dirs(ctx context.Context) (common, own string, err error) {
	out, err := c.Line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir")
	if err != nil {
		return "", "", err
	}
	common, own, _ = strings.Cut(out, "\n")
	if own == "" || strings.Contains(own, "\n") { // a path has a line break
		if common, err = c.CommonDir(ctx); err == nil {
			own, err = c.GitDir(ctx)
		}
	}
	return common, own, err
}

// Text returns the text that a private ref holds, and the object that it is in;
// both empty where there is none. What cannot be read is an object without text.
func (c Git) Text(ctx context.Context, ref string) (object, text string, err error) {
	if object, err = c.Quiet(ctx, "rev-parse", "--verify", "--quiet", ref); err != nil || object == "" {
		return "", "", err
	}
	text, err = c.Run(ctx, "cat-file", "blob", object)
	if ExitCode(err) > 0 {
		return object, "", nil
	}
	return object, text, err
}

// SetText has a private ref hold a text in place of what is in the object old, or
// nothing where the text is empty. Where it holds something else by now, it fails.
func (c Git) SetText(ctx context.Context, ref, old, text string) error {
	if text == "" {
		_, err := c.Run(ctx, "update-ref", "-d", ref, old)
		return err
	}
	writer := c
	writer.Input = text
	object, err := writer.Line(ctx, "hash-object", "-w", "--stdin")
	if err != nil || object == old {
		return err
	}
	_, err = c.Run(ctx, "update-ref", ref, object, old)
	return err
}

// NewBranch makes a branch at a commit, and has it follow the remote's branch of its name
// where that is at the commit, and is one that the repository fetches.
func (c Git) NewBranch(ctx context.Context, name, commit, remote string) error {
	theirs, err := c.Quiet(ctx, "rev-parse", "--verify", "--quiet", "refs/remotes/"+remote+"/"+name)
	if err != nil {
		return err
	}
	if theirs == commit {
		if _, err := c.Run(ctx, "branch", "--track", "--", name, remote+"/"+name); err == nil {
			return nil
		} // a clone of a single branch fetches no other
	}
	_, err = c.Run(ctx, "branch", "--no-track", "--", name, commit)
	return err
}

// wholeName is that of an object, in either of git's formats.
var wholeName = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// IsCommit reports whether a text is a commit's whole name: anything else, which somebody else
// wrote, could be an option or an expression of git's.
func IsCommit(text string) bool { return wholeName.MatchString(text) }
