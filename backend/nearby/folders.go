package nearby

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beckon/backend/beckon"
)

// The bounds of what is offered for a path that is half typed.
const (
	mostOffered = 20
	longestPath = 4096
	offerIn     = time.Second
)

// Folder is one that goes on with what was typed.
type Folder struct {
	Dir    string `json:"dir"` // as it was typed, with ~ where that was
	Git    bool   `json:"git"`
	Branch string `json:"branch"`
	At     int64  `json:"at"`
}

// Folders returns the folders whose paths begin with what was typed, in
// whatever case. One that ends in a separator asks for all inside it; those
// with a dot come only to one who types it.
func Folders(ctx context.Context, typed, home string) ([]Folder, error) {
	if len(typed) > longestPath {
		return nil, beckon.Invalid("a path has at most %d bytes", longestPath)
	}
	if typed == "~" {
		typed += string(filepath.Separator)
	}
	full := Expand(typed, home)
	if !filepath.IsAbs(full) {
		return []Folder{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, offerIn)
	defer cancel()
	parent, begun := filepath.Split(full)
	names, err := within(ctx, stepIn, func() ([]string, error) { return namesIn(parent, begun) })
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return []Folder{}, nil // the folder itself is judged where it is chosen
	}
	if err != nil {
		return []Folder{}, err
	}
	shown := typed[:len(typed)-len(begun)]
	list := make([]Folder, 0, len(names))
	for _, name := range names {
		f, err := within(ctx, stepIn, func() (Folder, error) { return describe(parent, name) })
		if err == nil {
			f.Dir = shown + name
			list = append(list, f)
		}
	}
	return list, nil
}

// namesIn returns the first folders of dir whose names begin so, in order.
func namesIn(dir, begun string) ([]string, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(mostEntries)
	var names []string
	for _, e := range entries {
		name := e.Name()
		fits := len(name) >= len(begun) && strings.EqualFold(name[:len(begun)], begun)
		hidden := name[0] == '.' && !strings.HasPrefix(begun, ".")
		// Whether a link leads to a folder is asked for those few that are offered.
		if fits && !hidden && (e.IsDir() || e.Type()&os.ModeSymlink != 0) {
			names = append(names, name)
		}
	}
	if len(entries) > 0 || errors.Is(err, io.EOF) {
		err = nil // what was read counts
	}
	slices.Sort(names)
	return names[:min(len(names), mostOffered)], err
}

// describe tells what a folder is; an error where it is none.
func describe(parent, name string) (f Folder, err error) {
	root, err := os.OpenRoot(filepath.Join(parent, name))
	if err != nil {
		return f, err
	}
	defer func() { _ = root.Close() }() // nothing was written
	info, err := root.Lstat(".git")
	if err != nil {
		return f, nil
	}
	f.Git = true
	if !info.IsDir() {
		return f, nil
	}
	if r, err := read(root, "."); err == nil { // else nothing more is known of it
		f.Branch, f.At = r.Branch, r.At
	}
	return f, nil
}
