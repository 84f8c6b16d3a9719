package helper

import "os/exec"

// together does nothing: what a process starts is not ended with it here.
func together(*exec.Cmd) {}

// endAll does nothing.
func endAll(*exec.Cmd) {}
