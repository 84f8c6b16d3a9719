//go:build !windows

package helper

import (
	"os/exec"
	"syscall"
)

// together has a process lead a group of its own, before it starts.
func together(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endAll ends what is left of that group.
func endAll(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails only where nothing is left
	}
}
