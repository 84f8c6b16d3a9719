package tmux

import "os"

// Process is a live claude.
type Process struct {
	PID int
	// Started is the start time by its presence file, field 22 of its stat. Empty:
	// not known, and taken from the process itself.
	Started string
	// TMUX and Pane are the variables TMUX and TMUX_PANE as the session's own hook
	// reported them. Empty: they are read from the process, where the system shows
	// them.
	TMUX, Pane string
}

// status is how a process stands at one moment.
type status struct {
	started string
	front   bool        // it is in the foreground of its terminal, and not stopped
	tty     os.FileInfo // its terminal
}
