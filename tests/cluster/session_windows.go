package cluster

import "os/exec"

func inItsOwnSession(*exec.Cmd) {}
