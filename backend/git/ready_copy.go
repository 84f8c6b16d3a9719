package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/git/command"
	"beckon/backend/git/workdir"
)

// What is copied at the most. More than that is for the setup command, which
// can link, or fetch again.
const (
	mostCopied = 5000
	mostBytes  = 256 << 20
)

// copyIgnored copies what the patterns, which are those of .gitignore, mean of what git
// ignores in the folder of from to that of to, and returns the paths that it copied. What is
// there already stays as it is.
func copyIgnored(ctx context.Context, from, to command.Git, patterns []string) ([]string, error) {
	names, err := workdir.Ignored(ctx, from, patterns)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	if names, err = workdir.CheckIgnored(ctx, to, names); err != nil || len(names) == 0 {
		return nil, err
	}
	source, err := os.OpenRoot(from.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	target, err := os.OpenRoot(to.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = target.Close() }()
	c := copying{from: source, to: target}
	for _, name := range names {
		if err := workdir.PlainFiles(ctx, source, name, func(at string) error { return c.file(filepath.FromSlash(at)) }); err != nil {
			return c.copied, err
		}
	}
	return c.copied, nil
}

// copying is a copy under way.
type copying struct {
	from, to *os.Root
	copied   []string
	files    int
	bytes    int64
}

func (c *copying) file(name string) (err error) {
	in, err := c.from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() { // it was replaced meanwhile
		return err
	}
	if c.files++; c.files > mostCopied || c.bytes+info.Size() > mostBytes {
		return tooMuch()
	}
	if err := c.to.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if errors.Is(err, fs.ErrExist) {
		out, err = c.torn(name, in, info.Size())
	}
	if err != nil || out == nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	n, err := io.CopyN(out, in, mostBytes-c.bytes+1)
	if c.bytes += n; c.bytes > mostBytes {
		return tooMuch()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("copy %s: %w", name, err)
	}
	c.copied = append(c.copied, filepath.ToSlash(name))
	return nil
}

// torn opens a file to be gone on with, after which in is at the same place, where
// it is the beginning of in: a copy was ended in its middle. Nil where it is
// anything else.
func (c *copying) torn(name string, in io.Reader, size int64) (*os.File, error) {
	info, err := c.to.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() >= size {
		return nil, err
	}
	there, err := c.to.ReadFile(name)
	if err != nil {
		return nil, err
	}
	begin := make([]byte, len(there))
	if _, err := io.ReadFull(in, begin); err != nil || !bytes.Equal(begin, there) {
		return nil, err
	}
	return c.to.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

func tooMuch() error {
	most, files := strconv.Itoa(mostBytes>>20), strconv.Itoa(mostCopied)
	err := fmt.Errorf("what is to be copied into the worktree has more than %s files or %s MB: %w", files,
		most, beckon.ErrConflict)
	return problem.New(problem.CopyMuch, err, "files", files, "most", most)
}
