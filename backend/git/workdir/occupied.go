package workdir

import (
	"os"
	"path"
	"path/filepath"
)

// Occupied returns what lies where a file of that name is to be written below dir: name
// itself, or a file in place of one of the folders above it, unless that is in gone.
func Occupied(dir, name string, gone map[string]bool) string {
	if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
		return name
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if info, err := os.Lstat(filepath.Join(dir, at)); err == nil {
			if info.IsDir() || gone[at] {
				return ""
			}
			return at
		}
	}
	return ""
}
