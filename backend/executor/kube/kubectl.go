package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"beckon/backend/executor/helper"
	"beckon/backend/executor/worker"
	"beckon/backend/plain"
)

const (
	// askIn is how long the cluster may take to answer, and kubectl to start and end
	// besides: logins may run programs of their own.
	askIn   = 20 * time.Second
	askedIn = 60 * time.Second
	// answerMost is how long an answer may be: some hundred pods' states.
	answerMost = 16 << 20
)

// errNoKubectl is why nothing is reached where there is no kubectl.
const errNoKubectl = worker.Unreachable("kubectl was not found: install it, see that kubectl get pods works in a terminal, and try again")

// flags are kubectl's for all that it does here. A value cannot be taken for a flag.
func (k *Cluster) flags() (flags []string) {
	if k.Context != "" {
		flags = append(flags, "--context="+k.Context)
	}
	if k.Namespace != "" {
		flags = append(flags, "--namespace="+k.Namespace)
	}
	return flags
}

// kubectl returns a process of kubectl's, which the caller ends.
func (k *Cluster) kubectl(args ...string) (*exec.Cmd, error) {
	program, err := exec.LookPath("kubectl")
	if err != nil {
		return nil, errNoKubectl
	}
	return exec.CommandContext(context.Background(), program, append(k.flags(), args...)...), nil
}

// ask has kubectl ask the cluster something, and returns what it prints. The error is for
// the user.
func (k *Cluster) ask(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd, err := k.kubectl(append([]string{fmt.Sprintf("--request-timeout=%s", askIn)}, args...)...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askedIn, worker.Unreachable(fmt.Sprintf("%s does not answer: kubectl said nothing within %s", k.Name, askedIn)))
	defer cancel()
	defer context.AfterFunc(k.ctx, cancel)()
	out, said, err := helper.Run(ctx, cmd, stdin, answerMost)
	switch {
	case errors.Is(err, helper.ErrEndless):
		return nil, worker.Unreachable(fmt.Sprintf("%s: the cluster says too much", k.Name))
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		return out, k.explain(said, err)
	}
	return out, nil
}

// explain returns why kubectl could not do it, by what it said on stderr: its words and
// the cluster's, which neither translates.
func (k *Cluster) explain(said string, err error) error {
	last := lastLine(said)
	has := func(texts ...string) bool { return worker.Says(said, texts...) }
	words := ""
	switch {
	case has("context was not found", `error: context "`, "no context exists with the name"):
		words = fmt.Sprintf("kubectl knows no context %s: kubectl config get-contexts lists those that it has", k.Context)
	case has("must be logged in", "Unauthorized", "getting credentials", "provide credentials", "credentials have expired"):
		words = fmt.Sprintf("The cluster of %s does not let you in: see whether kubectl get pods works in a terminal, a login may have ended. It says: %s", k.Name, last)
	case has("was refused", "Unable to connect to the server", "no such host", "i/o timeout", "TLS handshake timeout", "context deadline exceeded", "Client.Timeout", "no route to host", "connection reset"):
		words = fmt.Sprintf("The cluster of %s does not answer: %s", k.Name, last)
	case has("namespaces \"") && has("not found"):
		words = fmt.Sprintf("There is no namespace %s in the cluster of %s: make it, or name another", k.Namespace, k.Name)
	case has("violates PodSecurity"), has("admission webhook"):
		words = fmt.Sprintf("The cluster of %s does not take such a Job: %s", k.Name, last)
	case has("is forbidden", "(Forbidden)"):
		words = fmt.Sprintf("You may not do that in the cluster of %s: %s", k.Name, last)
	case last != "":
		words = k.Name + ": " + last
	default:
		words = fmt.Sprintf("%s: kubectl ended without a word (%v)", k.Name, err)
	}
	return worker.Unreachable(words)
}

// lastLine returns the last line that was said, fit to be shown. What kubectl adds to the
// words of a command in a pod says nothing.
func lastLine(said string) (last string) {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && (last == "" || !strings.HasPrefix(line, "command terminated with exit code")) {
			last = line
		}
	}
	return plain.Line(last, 400)
}
