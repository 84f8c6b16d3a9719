//go:build !windows

package command

import "os/exec"

// HideWindow has nothing to hide: only Windows opens a console for a child.
func HideWindow(*exec.Cmd) {}
