// Command cluster is the API server, the controllers or the scheduler of Kubernetes, by its
// first argument: one program, for they share most of what they are made of. Its module
// replaces what Kubernetes keeps in folders of its own by what is published of it.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"apiserver": apiserver.NewAPIServerCommand, "controllers": controllers.NewControllerManagerCommand,
		"scheduler": func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "cluster apiserver|controllers|scheduler")
		os.Exit(2)
	}
	command := commands[os.Args[1]]
	os.Args = append(os.Args[:1], os.Args[2:]...)
	os.Exit(cli.Run(command()))
}
