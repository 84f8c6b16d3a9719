//go:build !windows

package helper

import (
	"os/exec"
	"syscall"
	"time"
)

// together has a process lead a group of its own, before it starts.
func together(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd has a process end by itself.
func askToEnd(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it fails only where it is gone
}

// askAllToEnd has its group end by itself.
func askAllToEnd(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // it fails only where nothing is left
}

// endAll ends what is left of that group.
func endAll(cmd *exec.Cmd) {
	if cmd.Process == nil {
		return
	}
	askAllToEnd(cmd)
	for late := time.Now().Add(leavesIn); syscall.Kill(-cmd.Process.Pid, 0) == nil && time.Now().Before(late); {
		time.Sleep(5 * time.Millisecond)
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails only where nothing is left
}
