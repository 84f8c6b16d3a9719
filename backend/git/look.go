package git

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

// Before its user trusts a folder, nothing in it may cost more than a look: a
// file that leads to a device never ends, a FIFO never begins, and a sparse
// one of gigabytes takes no room where it lies.

// lookAt is how much of a file is read before trust, in bytes. No file that
// people write for git comes near it.
const lookAt = 1 << 20

// errOdd is a file that is not opened before trust.
var errOdd = errors.New("is no plain file, or is too large")

// readBrought reads a file in the folder that root is, without following a
// link anywhere on its path. The error wraps errOdd where it is no plain file.
func readBrought(root *os.Root, name string) ([]byte, error) {
	var info fs.FileInfo
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		var err error
		if info, err = root.Lstat(name[:end]); err != nil {
			return nil, err
		}
		if end < len(name) && !info.IsDir() {
			return nil, fmt.Errorf("%s %w", name, errOdd)
		}
	}
	return readPlain(name, info, root.OpenFile)
}

// readMetadata reads a file of git's own. Links are followed, because people
// link parts of .git on purpose.
func readMetadata(name string) ([]byte, error) {
	name, info, err := resolveMetadata(name)
	if err != nil {
		return nil, err
	}
	return readPlain(name, info, os.OpenFile)
}

// resolveMetadata follows links to the file that git would open.
func resolveMetadata(name string) (string, fs.FileInfo, error) {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Lstat(name)
	if err == nil && ofTheKernel(name) {
		err = fmt.Errorf("%s %w", name, errOdd)
	}
	return name, info, err
}

// ofTheKernel tells whether a path leads to what only looks like files: to
// read one can wait for ever (/proc/kmsg) or do something.
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

// readPlain opens a file that was found to be info, if it is plain, and reads
// it. What takes its place in between is not waited for and not read.
func readPlain(name string, info fs.FileInfo, open func(string, int, os.FileMode) (*os.File, error)) (text []byte, err error) {
	odd := fmt.Errorf("%s %w", name, errOdd)
	if !info.Mode().IsRegular() || info.Size() > lookAt {
		return nil, odd
	}
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(err, odd)
	}
	if text, err = io.ReadAll(io.LimitReader(f, lookAt+1)); err == nil && len(text) > lookAt {
		err = odd
	}
	return text, err
}

// within returns the path of name below dir, where git's files name others.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.FromSlash(path.Clean(name)))
}
