package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"beckon/backend/beckon/executing"
	"beckon/backend/executor/worker"
	"beckon/backend/plain"
)

// rights are what Beckon does in a cluster: a verb, a resource and its part.
var rights = [][3]string{
	{"create", "jobs.batch"},
	{"get", "jobs.batch"},
	{"list", "jobs.batch"},
	{"delete", "jobs.batch"},
	{"get", "pods"},
	{"list", "pods"},
	{"create", "pods", "exec"},
}

// Inspect implements Machine: no pod is started, so nothing is known of what would be in one.
func (k *Cluster) Inspect(ctx context.Context) (found executing.Found, err error) {
	text, err := k.ask(ctx, nil, "version", "--output=json")
	if err != nil {
		return found, err
	}
	var version struct {
		ServerVersion struct {
			GitVersion string `json:"gitVersion"`
			Platform   string `json:"platform"`
		} `json:"serverVersion"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return found, k.odd(err)
	}
	found.System = strings.TrimSpace("Kubernetes " + plain.Line(version.ServerVersion.GitVersion, 40))
	if err := k.lookAtNamespace(ctx); err != nil {
		return found, err
	}
	if err := k.lookAtRights(ctx); err != nil {
		return found, err
	}
	if k.Template != "" {
		if _, err := k.job(ctx, "look"); err != nil {
			return found, err
		}
	}
	_, err = k.ask(ctx, nil, "get", "jobs.batch", "--selector="+k.selector(), "--output=name")
	return found, err
}

// lookAtNamespace returns why the namespace is of no use, if that is known: who may work in
// one may often not read what it is.
func (k *Cluster) lookAtNamespace(ctx context.Context) error {
	if k.Namespace == "" {
		return nil // kubectl's own
	}
	_, err := k.ask(ctx, nil, "get", "namespace", k.Namespace, "--output=name")
	if err != nil && strings.Contains(err.Error(), "forbidden") {
		return nil
	}
	return err
}

// lookAtRights returns which rights are missing.
func (k *Cluster) lookAtRights(ctx context.Context) error {
	missing, failed := make([]string, len(rights)), make([]error, len(rights))
	var all sync.WaitGroup
	for i, r := range rights {
		all.Go(func() { missing[i], failed[i] = k.mayNot(ctx, r) })
	}
	all.Wait()
	words := []string{}
	for i, err := range failed {
		switch {
		case err != nil:
			return err
		case missing[i] != "":
			words = append(words, missing[i])
		}
	}
	if len(words) > 0 {
		return worker.Unreachable(fmt.Sprintf("Your account may not %s in the namespace: give it a Role as in Beckon's docs/EXECUTORS.md", strings.Join(words, ", ")))
	}
	return nil
}

// mayNot returns a right in words, if the user has it not.
func (k *Cluster) mayNot(ctx context.Context, right [3]string) (words string, err error) {
	verb, resource, part := right[0], right[1], right[2]
	args := []string{"auth", "can-i", verb, resource}
	words = verb + " " + strings.TrimSuffix(resource, ".batch")
	if part != "" {
		args, words = append(args, "--subresource="+part), words+"/"+part
	}
	text, err := k.ask(ctx, nil, args...)
	switch answer := string(bytes.TrimSpace(text)); {
	case answer == "yes":
		return "", nil
	case answer == "no", strings.HasPrefix(answer, "no "): // which is an error too
		return words, nil
	}
	return words, err
}
