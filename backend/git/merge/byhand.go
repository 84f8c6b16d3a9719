package merge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
	"beckon/backend/git/workdir"
)

// Begin merges the base of w into its worktree as far as that goes, so that a person
// resolves the rest there. folder is git in the worktree, whose changes are committed.
// The branch stays as it is until Finish, and the base whatever happens.
func Begin(ctx context.Context, folder command.Git, w workdir.Worktree) error {
	if doing, err := workdir.InProgress(ctx, folder); err != nil || doing == "merge" {
		return err // begun already
	}
	var err error
	if folder.Config, err = workdir.Identity(ctx, folder); err != nil { // git wants to know who merges
		return err
	}
	// The marks of conflicts have the name that it is given: the shortest that means the branch.
	base, err := folder.Line(ctx, "rev-parse", "--abbrev-ref=strict", "refs/heads/"+w.Base)
	if err != nil {
		return command.Conflict("%w", err)
	}
	_, err = folder.Run(ctx, "merge", "--no-ff", "--no-commit", "--no-autostash", "--no-overwrite-ignore", base)
	left, leftErr := Left(ctx, folder)
	switch {
	case leftErr != nil:
		return errors.Join(err, leftErr)
	case len(left) > 0:
		return nil
	case err != nil:
		return command.Conflict("%w", err)
	}
	return errors.Join(Abandon(ctx, folder),
		command.Conflict("%s no longer conflicts with the branch: update the branch from it", w.Base))
}

// Left returns the files that a merge in the worktree has still in conflict, as git has
// it.
func Left(ctx context.Context, folder command.Git) ([]string, error) {
	return folder.List(ctx, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "--diff-filter=U", "-z")
}

// Finish commits what was resolved in the worktree since Begin, with that message. Where
// a file still has the marks of a conflict, nothing changes and the error names it.
func Finish(ctx context.Context, folder command.Git, message string) error {
	doing, err := workdir.InProgress(ctx, folder)
	if err != nil {
		return err
	}
	if doing != "merge" {
		return command.Conflict("no merge is under way in %s", folder.Dir)
	}
	left, err := Left(ctx, folder)
	if err != nil {
		return err
	}
	marked, err := marked(ctx, folder.Dir, left)
	if err != nil {
		return err
	}
	if len(marked) > 0 {
		files := workdir.Some(marked)
		err := fmt.Errorf("there are still marks of conflicts in %s: %w", files, beckon.ErrConflict)
		return problem.New(problem.StillConflict, err, "files", files)
	}
	if len(left) > 0 {
		if _, err := folder.Run(ctx, append([]string{"add", "--all", "--"}, left...)...); err != nil {
			return err
		}
	}
	if folder.Config, err = workdir.Identity(ctx, folder); err != nil {
		return err
	}
	folder.Input = message
	_, err = folder.Run(ctx, "commit", "--quiet", "--no-verify", "--no-status", "--cleanup=verbatim", "--file=-")
	return err
}

// marked returns those of the files that have a line which begins or ends a conflict.
// What is no plain file has none.
func marked(ctx context.Context, dir string, names []string) (list []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	for _, name := range names {
		has := false
		err := look.StreamBelow(root, filepath.FromSlash(name), func(text io.Reader) (err error) {
			has, err = hasMark(ctx, text, endMarks...)
			return err
		})
		if err != nil && !errors.Is(err, look.ErrOdd) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if has {
			list = append(list, strings.ToValidUTF8(name, "\uFFFD"))
		}
	}
	return list, nil
}

// endMarks are how the lines begin that begin and end a conflict, and commonMark how that does before
// what both sides grew from.
var (
	endMarks   = []string{"<<<<<<< ", ">>>>>>> "}
	commonMark = "||||||| "
)

// hasMark reports whether a line of a text begins with one of the marks. Of each line only
// the beginning is held, so that it may be as long as it likes.
func hasMark(ctx context.Context, text io.Reader, marks ...string) (bool, error) {
	r := bufio.NewReaderSize(text, 64<<10)
	for begins := true; ; {
		part, err := r.ReadSlice('\n')
		if begins && slices.ContainsFunc(marks, func(mark string) bool { return bytes.HasPrefix(part, []byte(mark)) }) {
			return true, nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return false, err
		case ctx.Err() != nil:
			return false, ctx.Err()
		}
		begins = err == nil
	}
}

// Abandon ends a merge that is under way in the worktree, which is then as Begin found
// it. Without one it does nothing.
func Abandon(ctx context.Context, folder command.Git) error {
	doing, err := workdir.InProgress(ctx, folder)
	if err != nil || doing != "merge" {
		return err
	}
	_, err = folder.Run(ctx, "merge", "--abort")
	return err
}
