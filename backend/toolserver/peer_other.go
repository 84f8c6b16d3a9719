//go:build !linux

package toolserver

import (
	"net/http"
	"os"
)

// Checked returns what the hook says: no system but Linux shows whose a
// connection is.
func Checked(_ *http.Request, claimed []int) []int { return claimed }

// Ancestors returns a process and its parent, which is what every system tells.
func Ancestors(pid int) []int { return []int{pid, os.Getppid()} }
