// Command cmd is the scripted agent of package acpagent.
package main

import (
	"log"
	"os"

	"beckon/tests/acpagent"
)

func main() {
	if err := acpagent.Run(os.Stdin, os.Stdout, os.Getenv("ACP_AGENT_HOME")); err != nil {
		log.Fatal(err)
	}
}
