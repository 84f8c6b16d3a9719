//go:build linux || darwin

package scripts

import (
	"strings"
	"syscall"
)

// errInUse is what listening on a port fails with that somebody listens on.
const errInUse = syscall.EADDRINUSE

const suffix = ".sh"

// text is a command as a file has it.
func text(command string) string { return command + "\n" }

// interpreter returns what runs the file: the program that its first line names, or
// a shell that ends with the first command that fails.
func interpreter(file, command string) (path string, args []string) {
	if strings.HasPrefix(command, "#!") {
		return file, nil
	}
	return "/bin/sh", []string{"-e", file}
}
