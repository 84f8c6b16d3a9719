package helper

import "os/exec"

// together does nothing: what a process starts is not ended with it here.
func together(*exec.Cmd) {}

// askToEnd ends a process: nothing can be asked of it here.
func askToEnd(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it fails only where it is gone
}

// askAllToEnd is askToEnd.
func askAllToEnd(cmd *exec.Cmd) { askToEnd(cmd) }

// endAll does nothing.
func endAll(*exec.Cmd) {}
