package workdir

import (
	"os"
	"path"
	"path/filepath"
)

// Occupant is what lies where a file is to be written.
type Occupant struct {
	At   string // the path of what lies there: Name, or a file in place of a folder above it
	Name string // the file that is to be written
}

// Occupied returns what lies below dir where the added files are to be written. Folders that
// a removed file makes room for do not count.
func Occupied(dir string, added, removed []string) (all []Occupant) {
	gone := map[string]bool{}
	for _, name := range removed {
		gone[name] = true
	}
	for _, name := range added {
		if at := occupied(dir, name, gone); at != "" {
			all = append(all, Occupant{at, name})
		}
	}
	return all
}

func occupied(dir, name string, gone map[string]bool) string {
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
