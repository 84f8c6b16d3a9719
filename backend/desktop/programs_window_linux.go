//go:build desktop && !dev && !bindings

package desktop

import (
	"os"
	"path/filepath"
)

// Windowless says that another program shows the window.
const Windowless = false

// Core returns the path of beckon, which became this program to show a window: the
// same without one, and far lighter. It is "" where this program was built alone.
func Core() string {
	self, err := os.Executable()
	if err != nil || filepath.Base(self) != windowProgram {
		return ""
	}
	return filepath.Join(filepath.Dir(self), "beckon")
}

// ExecWindow does nothing: this program has the window.
func ExecWindow() error { return nil }
