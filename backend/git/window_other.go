//go:build !windows

package git

import "os/exec"

// hideWindow has nothing to hide: only Windows opens a console for a child.
func hideWindow(*exec.Cmd) {}
