//go:build linux || darwin

package terminal

import (
	"os/exec"
	"path/filepath"
	"runtime"
)

// shell returns the user's shell. On macOS it is a login shell, as in Terminal: an app has
// no other way to the user's PATH there.
func shell(variable func(string) string) (path string, args []string) {
	path = variable("SHELL")
	if !filepath.IsAbs(path) {
		path = "/bin/sh"
	}
	if _, err := exec.LookPath(path); err != nil {
		path = "/bin/sh"
	}
	if runtime.GOOS == "darwin" {
		args = []string{"-l"}
	}
	return path, args
}
