//go:build unix

package scripted

import (
	"os"
	"os/exec"
	"syscall"
)

// ownSession gives cmd a session of its own and has all of its group killed
// when it is interrupted.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killSelf is what the out-of-memory killer would do.
func killSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
