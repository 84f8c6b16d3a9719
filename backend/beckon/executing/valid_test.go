package executing

import (
	"strings"
	"testing"
)

func TestWhatAnExecutorCannotHave(t *testing.T) {
	t.Parallel()
	box := Executor{Kind: Container, Engine: Podman, Image: "ghcr.io/acme/node:22", Network: EngineNetwork}
	pod := Executor{Kind: Kubernetes, Image: "acme/agent@sha256:0123", Namespace: "agents", Context: "arn:aws:eks:eu/x", Queue: "team-a", Secret: "model-key"}
	with := func(e Executor, change func(*Executor)) Executor { change(&e); return e }
	for want, e := range map[string]Executor{
		"":          box,
		"host":      {Kind: SSH, Host: "-oProxyCommand=x"},
		"image":     with(box, func(e *Executor) { e.Image = "--privileged" }),
		"network":   with(box, func(e *Executor) { e.Network = "host" }),
		"engine":    with(box, func(e *Executor) { e.Engine = "sh" }),
		"options":   with(box, func(e *Executor) { e.Options = "--memory 4g; rm -rf /" }),
		"variables": with(box, func(e *Executor) { e.Variables = []string{"A=B"} }),
		"namespace": with(pod, func(e *Executor) { e.Namespace = "-x" }),
		"context":   with(pod, func(e *Executor) { e.Context = "--kubeconfig=x" }),
		"queue":     with(pod, func(e *Executor) { e.Queue = "a b" }),
		"secret":    with(pod, func(e *Executor) { e.Secret = strings.Repeat("a", MaxText+1) }),
		"template":  with(pod, func(e *Executor) { e.Template = "relative.yaml" }),
	} {
		if field, value := e.Wrong(); field != want {
			t.Errorf("%+v: %q %q, want %q", e, field, value, want)
		}
	}
	if field, _ := with(box, func(e *Executor) { e.Options = "--comment 'a\nb'" }).Wrong(); field != "options" {
		t.Error("a line feed is an option")
	}
	for _, e := range []Executor{pod, {Kind: Slurm}, {Kind: Slurm, Host: "ada@login", Options: "--partition=gpu --comment 'a b'"}, {Kind: Kubernetes, Template: "/etc/job.yaml"}} {
		if field, value := e.Wrong(); field != "" {
			t.Errorf("%+v: %q %q", e, field, value)
		}
	}
	if words, err := Words(`--comment 'a b' --x`); err != nil || len(words) != 3 || words[1] != "a b" {
		t.Errorf("%q, %v", words, err)
	}
}
