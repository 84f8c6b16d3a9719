// Package look reads files of repositories that nobody trusts yet: small plain
// ones only, so that a look costs little and cannot hang. It knows nothing of
// git.
package look

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// largest is how much of a file is read before trust, in bytes: a file that
// leads to a device never ends, a FIFO never begins, and a sparse one of
// gigabytes takes no room where it is. No file that people write for git comes
// near it.
const largest = 1 << 20

// ErrOdd is a file that is not opened before trust.
var ErrOdd = errors.New("is no plain file, or is too large")

// ReadBelow reads a file in the folder that root is, without following a
// link anywhere on its path. The error wraps ErrOdd where it is no plain file.
func ReadBelow(root *os.Root, name string) ([]byte, error) {
	info, err := plainBelow(root, name)
	if err != nil {
		return nil, err
	}
	return ReadPlain(name, info, root.OpenFile)
}

// StreamBelow hands read such a file, which may be of any size.
func StreamBelow(root *os.Root, name string, read func(io.Reader) error) error {
	info, err := plainBelow(root, name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s %w", name, ErrOdd)
	}
	if err != nil {
		return err
	}
	return openPlain(name, info, root.OpenFile, func(f *os.File) error { return read(f) })
}

// plainBelow finds a file without following a link anywhere on its path.
func plainBelow(root *os.Root, name string) (info fs.FileInfo, err error) {
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		if info, err = root.Lstat(name[:end]); err != nil {
			return nil, err
		}
		if end < len(name) && !info.IsDir() {
			return nil, fmt.Errorf("%s %w", name, ErrOdd)
		}
	}
	return info, nil
}

// ReadMetadata reads a file of git's own. Links are followed, because people
// link parts of .git on purpose.
func ReadMetadata(name string) ([]byte, error) {
	name, info, err := ResolveMetadata(name)
	if err != nil {
		return nil, err
	}
	return ReadPlain(name, info, os.OpenFile)
}

// ResolveMetadata follows links to the file that git would open.
func ResolveMetadata(name string) (string, fs.FileInfo, error) {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Lstat(name)
	if err == nil && ofTheKernel(name) {
		err = fmt.Errorf("%s %w", name, ErrOdd)
	}
	return name, info, err
}

// ofTheKernel reports whether a path leads to what only looks like files: to
// read one can wait forever (/proc/kmsg) or do something.
func ofTheKernel(name string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	for _, dir := range []string{"/proc/", "/sys/", "/dev/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// ReadPlain opens a file that was found to be info, if it is plain, and reads
// it. What takes its place in between is not waited for and not read.
func ReadPlain(
	name string, info fs.FileInfo, open func(string, int, os.FileMode) (*os.File, error),
) (text []byte, err error) {
	odd := fmt.Errorf("%s %w", name, ErrOdd)
	if !info.Mode().IsRegular() || info.Size() > largest {
		return nil, odd
	}
	err = openPlain(name, info, open, func(f *os.File) (err error) {
		if text, err = io.ReadAll(io.LimitReader(f, largest+1)); err == nil && len(text) > largest {
			err = odd
		}
		return err
	})
	return text, err
}

// openPlain has a file read that was found to be info, unless something else took its
// place.
func openPlain(
	name string, info fs.FileInfo, open func(string, int, os.FileMode) (*os.File, error), read func(*os.File) error,
) (err error) {
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return errors.Join(err, fmt.Errorf("%s %w", name, ErrOdd))
	}
	return read(f)
}

// Within returns the path of name below dir, where git's files name others.
func Within(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.FromSlash(path.Clean(name)))
}

// Exists reports whether dir has something of that name.
func Exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// Same reports whether two paths lead to one file.
func Same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
