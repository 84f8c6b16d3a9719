package tmux

import "os"

// Process is a live claude.
type Process struct {
	PID int
	// Started is the start time by its presence file, field 22 of its stat. Empty:
	// not known, and taken from the process itself.
	Started string
	// Socket is the server's as the session's own hook reported it. Empty: it is read
	// from the process, where the system shows that.
	Socket string
}

// status is how a process stands at one moment.
type status struct {
	started string
	front   bool        // it is in the foreground of its terminal, and not stopped
	tty     os.FileInfo // its terminal
}
