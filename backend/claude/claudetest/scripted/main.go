// Command scripted is the scripted agent as a program of its own, to be given
// to Beckon as --claude. What it plays is in BECKON_AGENT_SCRIPTS; see
// package claudetest.
package main

import (
	"os"

	"beckon/backend/claude/claudetest"
)

func main() {
	os.Exit(claudetest.Play(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
