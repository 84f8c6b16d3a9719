//go:build !windows

package command

import "os/exec"

// hideWindow has nothing to hide: only Windows opens a console for a child.
func hideWindow(*exec.Cmd) {}
