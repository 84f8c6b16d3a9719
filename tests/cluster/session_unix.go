//go:build !windows

package cluster

import (
	"os/exec"
	"syscall"
)

func inItsOwnSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
