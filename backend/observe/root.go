package observe

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OpenRoot is a folder of the CLI's files.
type OpenRoot struct {
	Dir   string   // as it is named
	Real  string   // links resolved
	Below *os.Root // nil: it does not exist, or was not opened
}

// Open opens the folder again, which may be another one since.
func (r *OpenRoot) Open() {
	r.Close()
	r.Real = r.Dir
	if real, err := filepath.EvalSymlinks(r.Dir); err == nil {
		r.Real = real
	}
	r.Below, _ = os.OpenRoot(r.Real)
}

// Close closes the folder.
func (r *OpenRoot) Close() {
	if r.Below != nil {
		_ = r.Below.Close()
		r.Below = nil
	}
}

// FileRoots are the folders that are read, by their names.
type FileRoots map[string]*OpenRoot

// Add adds a folder, which is not opened yet.
func (r FileRoots) Add(dir string) {
	if r[dir] == nil {
		r[dir] = &OpenRoot{Dir: dir}
	}
}

// Open opens all folders again. Of several names for one folder the first is kept.
func (r FileRoots) Open() {
	seen := map[string]bool{}
	for _, one := range r.Sorted() {
		one.Open()
		if seen[one.Real] {
			one.Close()
			delete(r, one.Dir)
		}
		seen[one.Real] = true
	}
}

// Sorted lists the folders by their names.
func (r FileRoots) Sorted() []*OpenRoot {
	return slices.SortedFunc(maps.Values(r), func(a, b *OpenRoot) int { return strings.Compare(a.Dir, b.Dir) })
}

// Find returns the folder by its path with links resolved, nil where it is none of
// these.
func (r FileRoots) Find(real string) *OpenRoot {
	for _, one := range r {
		if one.Real == real {
			return one
		}
	}
	return nil
}

// Close closes all folders, and forgets them.
func (r FileRoots) Close() {
	for _, one := range r {
		one.Close()
	}
	clear(r)
}
