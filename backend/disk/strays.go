package disk

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// straysMost is how many files are remembered.
const straysMost = 50

// Strays are files that somebody wrote who works in Dir, and that are not there. What is
// temporary is not among them. It is for one goroutine.
type Strays struct {
	Dir   string
	files []string
}

// Note notes a file, by its absolute path; another is none.
func (s *Strays) Note(file string) {
	if len(s.files) == straysMost || !filepath.IsAbs(file) || slices.Contains(s.files, file) {
		return
	}
	if !Inside(s.Dir, file) && !Inside(os.TempDir(), file) {
		s.files = append(s.files, file)
	}
}

// Folders returns the folders of those files that are there and were changed since then.
func (s *Strays) Folders(since time.Time) (dirs []string) {
	for _, file := range s.files {
		info, err := os.Stat(file)
		if dir := filepath.Dir(file); err == nil && !info.ModTime().Before(since) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
