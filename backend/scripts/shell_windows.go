package scripts

import (
	"strings"
	"syscall"
)

// errInUse is what listening on a port fails with that somebody listens on.
const errInUse = syscall.Errno(10048) // WSAEADDRINUSE

const suffix = ".cmd"

// text is a command as a file has it.
func text(command string) string {
	return "@echo off\r\n" + strings.ReplaceAll(strings.ReplaceAll(command, "\r\n", "\n"), "\n", "\r\n") + "\r\n"
}

// interpreter returns what runs the file.
func interpreter(file, _ string) (path string, args []string) {
	return "cmd.exe", []string{"/D", "/C", file}
}
