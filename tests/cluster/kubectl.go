package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
)

// call is what kubectl is asked for.
type call struct {
	Cluster
	World
	words []string // that are no flags
	flags map[string]string
	inner []string // after --
}

// flags are those that Beckon says, by command.
var flags = map[string][]string{
	"version": {"output"},
	"auth":    {"subresource"},
	"get":     {"selector", "field-selector", "output"},
	"create":  {"filename", "output", "dry-run"},
	"delete":  {"selector", "ignore-not-found", "cascade", "wait"},
	"exec":    {"stdin", "container"},
}

// Main is kubectl. It returns its exit code.
func Main(args []string) int {
	c := call{Cluster: Cluster{os.Getenv(Dir)}}
	err := c.parse(args)
	if err == nil {
		err = c.run()
	}
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		fmt.Fprintf(os.Stderr, "command terminated with exit code %d\n", ended.ExitCode())
		return max(ended.ExitCode(), 1)
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// parse takes the arguments apart, and refuses what Beckon does not say.
func (c *call) parse(args []string) error {
	c.flags = map[string]string{}
	for i, arg := range args {
		name, isFlag := strings.CutPrefix(arg, "--")
		switch {
		case arg == "--":
			c.inner = args[i+1:]
		case isFlag:
			name, value, _ := strings.Cut(name, "=")
			c.flags[name] = value
		case strings.HasPrefix(arg, "-"):
			return fmt.Errorf("error: unknown shorthand flag: %q", arg)
		default:
			c.words = append(c.words, arg)
		}
		if c.inner != nil {
			break
		}
	}
	if len(c.words) == 0 {
		return errors.New("error: no command")
	}
	for name := range c.flags {
		if !slices.Contains(append(flags[c.words[0]], "context", "namespace", "request-timeout"), name) {
			return fmt.Errorf("error: unknown flag: --%s", name)
		}
	}
	if _, limited := c.flags["request-timeout"]; limited == (c.words[0] == "exec") {
		return errors.New("error: a request needs a time limit, and a stream none")
	}
	return nil
}

// run does it.
func (c *call) run() error {
	var pod core.Pod
	err := c.locked(func() (err error) {
		if c.World, err = c.world(); err != nil {
			return err
		}
		switch context := c.flags["context"]; {
		case context != "" && context != "team":
			return fmt.Errorf("error: context %q does not exist", context)
		case c.Away:
			return errors.New("The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?")
		}
		if err := c.settle(c.World); err != nil {
			return err
		}
		switch c.words[0] {
		case "version":
			return c.print(map[string]any{"clientVersion": map[string]string{"gitVersion": "v1.36.3"}, "serverVersion": map[string]string{"gitVersion": "v1.36.1"}})
		case "auth":
			return c.canI()
		case "get":
			return c.get()
		case "create":
			return c.create()
		case "delete":
			return c.remove()
		case "exec":
			pod, err = c.enter()
			return err
		}
		return fmt.Errorf("error: unknown command %q", c.words[0])
	})
	if err != nil || pod.Name == "" {
		return err
	}
	return c.exec(pod)
}

func (c *call) print(value any) error {
	if c.flags["output"] != "json" {
		return fmt.Errorf("error: nobody reads the output %q", c.flags["output"])
	}
	return json.NewEncoder(os.Stdout).Encode(value)
}

// mayNot returns why something may not be done, if so.
func (c *call) mayNot(verb, resource string) error {
	if slices.Contains(c.Denied, verb+" "+resource) {
		return fmt.Errorf("Error from server (Forbidden): %s is forbidden: User \"ada\" cannot %s resource %q in the namespace %q", resource, verb, resource, c.flags["namespace"])
	}
	return nil
}

func (c *call) canI() error {
	if len(c.words) != 4 || c.words[1] != "can-i" {
		return errors.New("error: you must specify two arguments: verb resource")
	}
	resource := c.words[3]
	if part := c.flags["subresource"]; part != "" {
		resource += "/" + part
	}
	if c.mayNot(c.words[2], resource) != nil {
		fmt.Println("no")
		return errors.New("")
	}
	fmt.Println("yes")
	return nil
}

// enter returns the pod in which something is to be run.
func (c *call) enter() (p core.Pod, err error) {
	if err := c.mayNot("create", "pods/exec"); err != nil {
		return p, err
	}
	if len(c.words) != 2 || len(c.inner) == 0 {
		return p, errors.New("error: you must specify a pod and at least one command")
	}
	name := c.words[1]
	switch err := read(c.pod(name), &p); {
	case err != nil:
		return p, fmt.Errorf("Error from server (NotFound): pods %q not found", name)
	case p.Status.Phase != core.PodRunning:
		return p, fmt.Errorf("error: cannot exec into a container in a completed pod; current phase is %s", p.Status.Phase)
	case p.Spec.Containers[0].Name != c.flags["container"]:
		return p, fmt.Errorf("Error from server (BadRequest): container %s is not valid for pod %s", c.flags["container"], name)
	}
	return p, nil
}

// exec runs something in a pod, in a session of its own: it does not end with kubectl, but
// reads the end of its input.
func (c *call) exec(p core.Pod) error {
	cmd := exec.Command(c.inner[0], c.inner[1:]...)
	cmd.Env, cmd.Dir = c.environ(c.World, p), c.Home(p.Name)
	inItsOwnSession(cmd)
	cmd.Stdout, cmd.Stderr = struct{ io.Writer }{os.Stdout}, struct{ io.Writer }{os.Stderr}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(in, os.Stdin)
		in.Close()
	}()
	return cmd.Wait()
}
