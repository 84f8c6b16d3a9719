//go:build !desktop && !dev && !bindings

package desktop

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Windowless says that another program shows the window. It is a constant, so that the
// linker leaves out what only a window takes.
const Windowless = true

// Core returns "": this program is it.
func Core() string { return "" }

// ExecWindow makes this process the program beside it that has the window. It
// returns only with the reason why that failed.
//
// A program that can show a window is linked to WebKit and all that it needs, which
// costs even what never shows one 25 MB and a fifth of a second. Other systems load
// their web view only where it is shown.
func ExecWindow() error {
	self, err := os.Executable()
	if err == nil {
		err = syscall.Exec(filepath.Join(filepath.Dir(self), windowProgram), os.Args, os.Environ())
	}
	return fmt.Errorf("the program of the window does not start; beckon serve shows Beckon in a browser: %w", err)
}
