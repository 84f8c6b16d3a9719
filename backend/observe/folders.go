package observe

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Folders keeps watches on folders that may not exist yet: until one does, the
// nearest folder above it is watched.
type Folders struct {
	add    func(dir string) error
	remove func(dir string) error
	silent func(dir string) bool
	// watched are the folders with a watch, and whether their file system may be
	// silent all the same; refused are those without one, and why.
	watched map[string]bool
	refused map[string]error
}

// NewFolders watches nothing yet. silent reports whether a folder's file system may
// report no changes; see Silent.
func NewFolders(add, remove func(dir string) error, silent func(dir string) bool) *Folders {
	return &Folders{add: add, remove: remove, silent: silent, watched: map[string]bool{}, refused: map[string]error{}}
}

// Want replaces what is watched by what shows changes in the folders, and returns
// those that are watched for the first time: what is in them was not seen.
func (f *Folders) Want(dirs []string) (fresh []string) {
	need := map[string]bool{}
	for _, dir := range dirs {
		for {
			at := nearest(dir)
			need[at] = true
			if f.watch(at) && at == dir {
				fresh = append(fresh, dir)
			}
			if nearest(dir) == at { // and nothing was made meanwhile
				break
			}
		}
	}
	for dir := range f.watched {
		if !need[dir] {
			_ = f.remove(dir)
			delete(f.watched, dir)
		}
	}
	for dir := range f.refused {
		if !need[dir] {
			delete(f.refused, dir)
		}
	}
	return fresh
}

// watch watches a folder, and reports whether it was not watched before.
func (f *Folders) watch(dir string) bool {
	if _, ok := f.watched[dir]; ok {
		return false
	}
	if err := f.add(dir); err != nil {
		_, known := f.refused[dir]
		f.refused[dir] = err
		return !known
	}
	delete(f.refused, dir)
	f.watched[dir] = f.silent(dir)
	return true
}

// Lost notes that a watched folder is gone or elsewhere, and reports whether one
// was.
func (f *Folders) Lost(dir string) bool {
	if _, ok := f.watched[dir]; !ok {
		return false
	}
	_ = f.remove(dir)
	delete(f.watched, dir)
	return true
}

// Polled lists the wanted folders whose changes are not all reported.
func (f *Folders) Polled() map[string]string {
	why := map[string]string{}
	for dir, err := range f.refused {
		why[dir] = err.Error()
	}
	for dir, silent := range f.watched {
		if silent {
			why[dir] = "its file system does not report changes"
		}
	}
	return why
}

// nearest returns the folder itself where it exists, else the nearest one above.
func nearest(dir string) string {
	for {
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeType == fs.ModeDir {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}
