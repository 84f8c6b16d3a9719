package cli

import (
	"os/exec"
	"syscall"
)

// wholeTree keeps cmd from opening a window.
func wholeTree(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: 0x08000000} // CREATE_NO_WINDOW
}
