package files

import (
	"os"
	"path/filepath"
)

// Root is a folder of the CLI's files.
type Root struct {
	Dir   string   // as it is named
	Real  string   // links resolved
	Below *os.Root // nil: it does not exist, or was not opened
}

// Open opens the folder again, which may be another one since.
func (r *Root) Open() {
	r.Close()
	r.Real = r.Dir
	if real, err := filepath.EvalSymlinks(r.Dir); err == nil {
		r.Real = real
	}
	r.Below, _ = os.OpenRoot(r.Real)
}

// Close closes the folder.
func (r *Root) Close() {
	if r.Below != nil {
		_ = r.Below.Close()
		r.Below = nil
	}
}
