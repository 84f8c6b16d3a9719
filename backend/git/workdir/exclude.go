package workdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/git/command"
	"beckon/backend/git/look"
)

// Exclude has git ignore the patterns in all worktrees of the repository,
// without touching a file that is committed. Each is written once, however
// often it is asked for. The error wraps ErrConflict where the file, or the
// folder that it is in, is a link: what it leads to is not the repository's.
func Exclude(ctx context.Context, c command.Git, patterns ...string) error {
	common, err := c.CommonDir(ctx)
	if err != nil {
		return err
	}
	name := filepath.Join(common, "info", "exclude")
	text, err := readOwn(name)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	var add strings.Builder
	if len(text) > 0 && text[len(text)-1] != '\n' {
		add.WriteByte('\n')
	}
	for _, pattern := range patterns {
		if strings.ContainsAny(pattern, "\r\n\x00") {
			return fmt.Errorf("exclude pattern %q has more than one line: %w", pattern, beckon.ErrInvalid)
		}
		if !slices.Contains(lines, pattern) {
			lines = append(lines, pattern)
			add.WriteString(pattern + "\n")
		}
	}
	if strings.TrimSpace(add.String()) == "" {
		return nil
	}
	return appendTo(name, add.String())
}

// readOwn reads a file of the repository's own, which may be missing.
func readOwn(name string) ([]byte, error) {
	for _, at := range []string{filepath.Dir(name), name} {
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case at == name:
			text, err := look.ReadPlain(name, info, os.OpenFile)
			if errors.Is(err, look.ErrOdd) {
				err = command.Conflict("%w, so nothing is written to it", err)
			}
			return text, err
		case !info.IsDir():
			return nil, command.Conflict("%s is no folder of the repository's own, so nothing is written there", at)
		}
	}
	return nil, nil
}

// appendTo adds text to the end of a file, which it makes where there is none.
func appendTo(name, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	flags := os.O_APPEND | os.O_WRONLY
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		flags |= os.O_CREATE | os.O_EXCL // not through a link that is made meanwhile
	} else if err != nil {
		return err
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if opened, err := f.Stat(); err != nil || info != nil && !os.SameFile(info, opened) {
		return errors.Join(err, command.Conflict("%s changed while it was written", name))
	}
	_, err = f.WriteString(text)
	return err
}

// Tracked reports whether the repository itself has the file, or has a link or
// file where one of the folders above it would be. Where git cannot tell, it
// is taken to be tracked, because the caller asks before writing there.
func Tracked(ctx context.Context, c command.Git, file string) bool {
	var above []string // and itself
	for at := path.Clean(filepath.ToSlash(file)); at != "." && at != "/"; at = path.Dir(at) {
		above = append(above, at)
	}
	listed, err := c.List(ctx, append([]string{"ls-files", "-z", "--"}, above...)...)
	return err != nil || slices.ContainsFunc(above, func(at string) bool { return slices.Contains(listed, at) })
}
