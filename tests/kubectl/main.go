// Command kubectl plays kubectl and its cluster for tests; see package cluster.
package main

import (
	"os"

	"beckon/tests/cluster"
)

func main() { os.Exit(cluster.Main(os.Args[1:])) }
