package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"beckon/backend/git/command"
)

// This file lists the files of a folder that a person could mean, of a
// repository's or of any. What cannot be typed or shown as it is it leaves out.

// mostFiles is how many files are listed of one folder; longest is the longest
// path, in bytes.
const (
	mostFiles = 200_000
	longest   = 4 << 10
)

// knownFiles lists what a person could mean in the folder of c, in a repository:
// every file that git knows or would add, and the folders that these are in,
// which end in a slash. Paths are relative to it, with slashes, in order.
// Those that cannot be typed or shown as they are, such as names with line
// breaks or with signs that turn the writing around, are left out.
func knownFiles(ctx context.Context, c command.Git) ([]string, error) {
	var found listed
	err := c.Stream(ctx, found.read, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	return found.sorted(), err
}

// WalkFiles lists the same of a folder that git knows nothing of: all files
// but those of .git and node_modules. Symbolic links are not followed.
func WalkFiles(ctx context.Context, dir string) ([]string, error) {
	var found listed
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fs.SkipDir // what cannot be read is not for choosing
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err == nil && !found.add(filepath.ToSlash(rel)) {
			return fs.SkipAll
		}
		return err
	})
	return found.sorted(), err
}

// listed collects the files of a folder.
type listed []string

// read takes the NUL-terminated paths that git prints.
func (l *listed) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	lines.Split(func(data []byte, end bool) (int, []byte, error) {
		i := bytes.IndexByte(data, 0)
		if i < 0 {
			return 0, nil, nil // half a path at the end is none
		}
		return i + 1, data[:i], nil
	})
	for lines.Scan() {
		if !l.add(lines.Text()) {
			return command.ErrEnough
		}
	}
	return lines.Err()
}

// add adds a file and reports whether there is room for more.
func (l *listed) add(path string) bool {
	if choosable(path) {
		*l = append(*l, path)
	}
	return len(*l) < mostFiles
}

// choosable reports whether a path can be shown and typed as it is, and stays in
// its folder.
func choosable(path string) bool {
	return len(path) <= longest && utf8.ValidString(path) && filepath.IsLocal(filepath.FromSlash(path)) &&
		!strings.ContainsFunc(path, func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) })
}

// sorted returns the files and the folders that they are in, in order.
func (l listed) sorted() []string {
	folders := map[string]bool{}
	for _, path := range l {
		for i := strings.LastIndexByte(path[:max(len(path)-1, 0)], '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
			if folders[path[:i+1]] {
				break
			}
			folders[path[:i+1]] = true
		}
	}
	all := append(make([]string, 0, len(l)+len(folders)), l...)
	for folder := range folders {
		all = append(all, folder)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
