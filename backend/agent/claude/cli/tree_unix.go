//go:build !windows

package cli

import (
	"os/exec"
	"syscall"
)

// wholeTree has the end of cmd's context end what it started, too.
func wholeTree(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
