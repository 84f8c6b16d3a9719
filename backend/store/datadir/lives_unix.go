//go:build !windows

package datadir

import (
	"errors"
	"syscall"
)

// lives reports whether a process is there, whosever it is.
func lives(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
